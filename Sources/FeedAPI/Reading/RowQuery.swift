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

    /// The page that the query asks for.
    ///
    /// - Parameter section: The section whose rows it has; `nil`: the whole feed's.
    func page(of section: ExactString? = nil) -> RowPage {
        let isRegular = query.hasOnly(.offset, .limit, .version) && query.isPlainNumber(.limit)
        return RowPage(
            section: section,
            offset: offset,
            limit: isRegular && !query.has(.limit) ? nil : limit,
            rest: isRegular ? nil : query.reference(without: [.offset, .version], adding: [])
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

/// A page of rows, of the whole feed or of a section.
struct RowPage: Hashable, Sendable {
    let section: ExactString?
    let offset: Int
    /// The most rows; `nil` when the query has no limit, so that links have none either.
    let limit: Int?
    /// The query without offset and version, where it has more than a limit: links to other pages
    /// keep it.
    let rest: String?

    /// The most rows that are in it.
    var rowLimit: Int { limit ?? RowQuery.defaultLimit }

    /// A reference to the page after this one, of `total` rows in all; `nil`: it is the last one.
    ///
    /// - Parameter token: The version that all pages are of.
    func next(total: Int, _ token: Token) -> String? {
        // The offset is below `total` where there are rows, and so the sum is no overflow.
        guard offset < total, rowLimit < total - offset else { return nil }
        let start = rest ?? limit.map { "?limit=\($0)" } ?? "?"
        let mark = start == "?" ? "" : "&"
        return "\(start)\(mark)offset=\(offset + rowLimit)&version=\(token)"
    }
}
