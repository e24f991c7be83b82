import FeedModel

/// The query of `GET /feeds/{feed}` (docs/PROTOCOL.md, "Reading").
///
/// It cannot be copied: otherwise a look at one of its parts would copy all of it.
struct FeedQuery: ~Copyable, Sendable {
    let since: Token?
    let version: Token?
    let presentation: Presentation

    /// Makes a query for the current version.
    init(since: Token?, _ presentation: Presentation) {
        self.since = since
        version = nil
        self.presentation = presentation
    }

    /// - Throws: `400` for a parameter that is malformed or repeated.
    init(_ query: borrowing Query) throws(Problem) {
        guard query.hasAny else {
            (since, version, presentation) = (nil, nil, Presentation())
            return
        }
        var told = try Presentation(query)
        let (since, version) = (try query.token(.since), try query.token(.version))
        if let format = try query.value(.format) {
            guard ExactString(format) == "json-patch" else {
                throw Query.refusal(.format, "is not \"json-patch\"")
            }
            told.isPatch = true
        }
        (self.since, self.version, presentation) = (since, version, told)
    }
}

/// How the state of a feed is told, and what of it.
struct Presentation: Sendable, Equatable {
    var view: FeedView
    /// Whether changes are told also where they are longer than the snapshot.
    var tellsChanges = false
    /// Whether changes are told as an RFC 6902 patch.
    var isPatch = false

    /// All of it, in the shortest way.
    init() {
        view = FeedView()
    }

    /// Reads the parameters `section`, `limit` and `as`.
    ///
    /// - Throws: `400` for a parameter that is malformed or repeated.
    init(_ query: borrowing Query) throws(Problem) {
        view = try FeedView(query)
        guard let form = try query.value(.as) else { return }
        guard ExactString(form) == "changes" else {
            throw Query.refusal(.as, "is not \"changes\"")
        }
        tellsChanges = true
    }
}

extension FeedView {
    /// Sections that a query can name.
    static let sectionLimit = 1000

    /// The view that `section` and `limit` ask for.
    ///
    /// - Throws: `400` for a parameter that is malformed or repeated.
    init(_ query: borrowing Query) throws(Problem) {
        let sections =
            query.has(.section)
            ? try query.values(.section, atMost: FeedView.sectionLimit) : []
        self.init(
            sections: sections.isEmpty ? nil : Set(sections.map(ExactString.init(_:))),
            limit: try query.number(.limit)
        )
    }
}
