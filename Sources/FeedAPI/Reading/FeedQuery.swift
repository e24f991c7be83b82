import FeedModel

/// What the query of `GET /feeds/{feed}` asks for (docs/PROTOCOL.md, "Reading").
struct FeedQuery: Sendable {
    var view: FeedView
    var since: Token?
    var version: Token?
    /// Whether the answer is to be an RFC 6902 patch.
    var isPatch = false

    /// What leads to the current version.
    init(view: FeedView, since: Token?) {
        self.view = view
        self.since = since
    }

    /// - Throws: `400` for a parameter that is malformed or repeated.
    init(_ query: Query) throws(Problem) {
        view = try FeedView(query)
        since = try query.token(.since)
        version = try query.token(.version)
        guard let format = try query.value(.format) else { return }
        guard ExactString(format) == "json-patch" else {
            throw Query.refusal(.format, "is not \"json-patch\"")
        }
        isPatch = true
    }
}

extension FeedView {
    /// The view that `section` and `limit` ask for.
    ///
    /// - Throws: `400` for a parameter that is malformed or repeated.
    init(_ query: Query) throws(Problem) {
        let sections = query.has(.section) ? query.values(.section) : []
        self.init(
            sections: sections.isEmpty ? nil : Set(sections.map(ExactString.init(_:))),
            limit: try query.number(.limit)
        )
    }
}
