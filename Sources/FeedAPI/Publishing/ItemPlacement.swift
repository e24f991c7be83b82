import FeedDiff
import FeedModel
import FeedStore

/// The position of a new item, as a query gives it.
struct ItemPlacement: Sendable {
    let section: ExactString?
    let place: Edit.Position?

    /// The parameters of publishes that place items.
    static let parameters: [Query.Parameter] = [
        .dryRun, .removals, .section, .at, .before, .after,
    ]

    /// - Throws: `400` for malformed parameters, and for more than one position.
    init(_ query: Query) throws(Problem) {
        section = try query.value(.section).map(ExactString.init(_:))
        let before = try query.value(.before).map { Edit.Position.before(ExactString($0)) }
        let after = try query.value(.after).map { Edit.Position.after(ExactString($0)) }
        let at = try ItemPlacement.end(query)
        let positions = [at, before, after].compactMap(\.self)
        guard positions.count <= 1 else {
            throw .malformed(
                "of the query parameters \"at\", \"before\" and \"after\" there may be one"
            )
        }
        place = positions.first
    }

    private static func end(_ query: Query) throws(Problem) -> Edit.Position? {
        guard let at = try query.value(.at) else { return nil }
        switch ExactString(at) {
        case "start": return .start
        case "end": return .end
        default: throw Query.refusal(.at, "is neither \"start\" nor \"end\"")
        }
    }
}
