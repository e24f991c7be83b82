import FeedModel

/// The query of a read of rows (docs/PROTOCOL.md, "Rows on demand").
struct RowQuery: Sendable {
    let offset: Int
    let limit: Int
    let version: Token?
    /// The ids in the query, each once; empty if rows are asked for by position.
    let ids: [ExactString]
    private let query: Query

    /// The most rows of a page if the query does not state a limit.
    static let defaultLimit = 100
    /// The largest limit that a query can state.
    static let maximumLimit = 1000

    /// Reads the parameters `offset`, `limit`, `version` and, if `takesIDs`, `id`.
    ///
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

    /// Returns the page of a section (`nil`: the whole feed) that the query asks for.
    func page(of section: ExactString? = nil) -> RowPage {
        let text = String(decoding: query.bytes[query.range], as: UTF8.self)
        return RowPage(section: section, offset: offset, limit: limit, query: ExactString(text))
    }

    /// Returns the reference to the page that begins at `offset`, of a list without versions.
    func page(at offset: Int) -> String {
        query.reference(without: [.offset], adding: [(.offset, String(offset))])
    }

    /// The reference to the first page of the current version.
    var first: String {
        query.reference(without: [.offset, .version], adding: [(.offset, "0")])
    }
}

/// A page of rows, of the whole feed or of a section.
struct RowPage: Hashable, Sendable {
    /// The id of the section; `nil`: the rows of the whole feed.
    let section: ExactString?
    /// The number of rows before the page.
    let offset: Int
    /// The most rows.
    let limit: Int
    /// The query as it was sent; links to other pages repeat its other parameters.
    let query: ExactString

    /// Returns the reference to the page after this one, given the number of rows on all pages;
    /// `nil` if this is the last one.
    func next(total: Int, _ token: Token) -> String? {
        let bytes = Array(query.string.utf8)
        // After the test of the offset the sum cannot overflow.
        guard offset < total, limit < total - offset,
            let query = try? Query(bytes, 0..<bytes.count)
        else { return nil }
        let start = [(Query.Parameter.offset, "\(offset + limit)"), (.version, "\(token)")]
        return query.reference(without: [.offset, .version], adding: start)
    }
}
