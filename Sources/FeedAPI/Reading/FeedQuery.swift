import FeedModel

/// What the query of `GET /feeds/{feed}` asks for (docs/PROTOCOL.md, "Reading").
///
/// It cannot be copied: what is looked at in one of it would be a copy of all.
struct FeedQuery: ~Copyable, Sendable {
    let since: Token?
    let version: Token?
    let presentation: Presentation

    /// What leads to the current version.
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
