import FeedDiff
import FeedModel
import FeedStore

/// Where a query puts a new item.
struct ItemPlacement: Sendable {
    let section: ExactString?
    let place: Edit.Position?

    /// The parameters that a query may have where it places items.
    static let parameters: [Query.Parameter] = [
        .dryRun, .removals, .section, .at, .before, .after,
    ]

    /// - Throws: `400` for parameters that are malformed, or more than one place.
    init(_ query: Query) throws(Problem) {
        section = try query.value(.section).map(ExactString.init(_:))
        let before = try query.value(.before).map { Edit.Position.before(ExactString($0)) }
        let after = try query.value(.after).map { Edit.Position.after(ExactString($0)) }
        let at = try ItemPlacement.end(query)
        let places = [at, before, after].compactMap(\.self)
        guard places.count <= 1 else {
            throw .malformed(
                "of the query parameters \"at\", \"before\" and \"after\" there may be one"
            )
        }
        place = places.first
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
