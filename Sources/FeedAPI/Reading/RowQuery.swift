import FeedModel

/// Which rows a query asks for (docs/PROTOCOL.md, "Rows on demand").
struct RowQuery: Sendable {
    let offset: Int
    let limit: Int
    let version: Token?
    /// The ids asked for, each once; empty when rows are asked for by their place.
    let ids: [ExactString]
    private let query: Query

    /// Rows in an answer unless the query says otherwise, and at most.
    static let defaultLimit = 100
    static let maximumLimit = 1000

    /// - Throws: `400` for a parameter that is malformed or repeated.
    init(_ query: Query, takesIDs: Bool) throws(Problem) {
        self.query = query
        offset = try query.number(.offset) ?? 0
        limit = try query.number(.limit, in: 1...RowQuery.maximumLimit) ?? RowQuery.defaultLimit
        version = try query.token(.version)
        var seen = Set<ExactString>()
        ids =
            takesIDs && query.has(.id)
            ? try query.values(.id, atMost: RowQuery.maximumLimit).map(ExactString.init(_:))
                .filter { seen.insert($0).inserted } : []
    }

    /// The response for the whole feed; `nil` if the query has other parameters, too.
    var kind: ResponseKey.Kind? {
        guard !ids.isEmpty else { return page(of: nil) }
        return query.has(.offset) || query.has(.limit) ? nil : .items(ids)
    }

    /// The response with a page of a section, or of the whole feed.
    ///
    /// It is `nil` if the query has other parameters, too: links to other pages keep them.
    func page(of section: ExactString?) -> ResponseKey.Kind? {
        guard query.hasOnly(.offset, .limit, .version) else { return nil }
        let asked = query.has(.limit) ? limit : nil
        guard asked == nil || query.isPlainNumber(.limit) else { return nil }
        return .rows(ResponseKey.RowPage(section: section, offset: offset, limit: asked))
    }

    /// A reference to the page that begins at `offset`, of the version of this one.
    func next(_ offset: Int, _ token: Token) -> String {
        query.reference(
            without: [.offset, .version],
            adding: [(.offset, String(offset)), (.version, token.description)]
        )
    }

    /// A reference to the page that begins at `offset`, of what has no versions.
    func page(at offset: Int) -> String {
        query.reference(without: [.offset], adding: [(.offset, String(offset))])
    }

    /// A reference to the first page of the current version.
    var first: String {
        query.reference(without: [.offset, .version], adding: [(.offset, "0")])
    }
}
