import FeedModel
import FeedStore

/// The query of `GET /feeds` and of other lists of feeds, for one page of the list.
struct FeedListQuery: Sendable {
    /// The beginning of the names of all listed feeds.
    let prefix: [UInt8]
    /// The most feeds of the page.
    let limit: Int
    /// The name after which the page begins; empty for the first page.
    let after: [UInt8]
    private let query: Query

    /// Reads the parameters `prefix`, `after` and `limit`.
    ///
    /// - Throws: `400` for a parameter that is malformed or repeated.
    init(_ query: Query, defaultLimit: Int = RowQuery.defaultLimit) throws(Problem) {
        self.query = query
        prefix = Array((try query.value(.prefix) ?? "").utf8)
        after = Array((try query.value(.after) ?? "").utf8)
        limit = try query.number(.limit, in: 1...RowQuery.maximumLimit) ?? defaultLimit
    }

    /// Returns the size of the work of finding the feeds of this page, for a caller who may read
    /// the feeds that the patterns match.
    ///
    /// Every name with a pattern's prefix matches the pattern, unless text follows the prefix; then
    /// all names may have to be compared.
    func size(for patterns: [FeedPattern], of store: FeedStore) -> WorkSize {
        let count = patterns.count { !$0.isPrefix && !$0.isExact }
        if count == 0 || patterns.contains(where: \.isAll) { return .small }
        return WorkSize(byteCount: store.feedCount * (FeedListQuery.nameCost + 16 * count))
    }

    /// The cost of comparing a name, in the bytes that ``WorkSize`` counts.
    private static let nameCost = 100

    /// Returns the feeds of this page, and one more if there is a next page.
    ///
    /// - Parameter patterns: The patterns that match all feeds that the caller may read.
    func feeds(
        of store: FeedStore,
        matching patterns: [FeedPattern],
        where mayRead: (FeedName) -> Bool
    ) -> [Version] {
        var found: [Version] = []
        let count = max(limit + 1, FeedListQuery.namesAtOnce)
        for (start, isName) in starts(of: patterns) {
            var names: [FeedName] = []
            repeat {
                let last = names.last.map { Array($0.rawValue.utf8) } ?? after
                names =
                    isName
                    ? FeedListQuery.name(start, after: last)
                    : store.names(after: last, prefix: start, limit: count)
                for name in names where mayRead(name) {
                    if let version = store.current(name) { found.append(version) }
                    if found.count > limit { return found }
                }
            } while names.count == count
        }
        return found
    }

    /// The fewest names that are taken from the store at a time.
    private static let namesAtOnce = 256

    /// Returns a name, if it is one and comes after another.
    private static func name(_ text: [UInt8], after last: [UInt8]) -> [FeedName] {
        guard last.lexicographicallyPrecedes(text) else { return [] }
        return FeedName(String(decoding: text, as: UTF8.self)).map { [$0] } ?? []
    }

    /// Returns the names, and the beginnings of names, that both the patterns and the query's
    /// prefix match, in order; none of them begins with one of the beginnings.
    private func starts(of patterns: [FeedPattern]) -> [(text: [UInt8], isName: Bool)] {
        let all = patterns.compactMap { pattern -> (text: [UInt8], isName: Bool)? in
            let start = pattern.prefix
            if start.starts(with: prefix) { return (start, pattern.isExact) }
            return prefix.starts(with: start) && !pattern.isExact ? (prefix, false) : nil
        }
        // A beginning comes before the name that it is.
        let ordered = all.sorted { one, other in
            one.text.lexicographicallyPrecedes(other.text)
                || one.text == other.text && !one.isName && other.isName
        }
        var starts: [(text: [UInt8], isName: Bool)] = []
        var beginning: [UInt8]?
        for start in ordered where starts.last?.text != start.text {
            if let beginning, start.text.starts(with: beginning) { continue }
            if !start.isName { beginning = start.text }
            starts.append(start)
        }
        return starts
    }

    /// Returns this page of the results, and the reference to the next page, if there is one.
    ///
    /// - Parameter found: The entries of the page, and one more if there is a next page.
    func page<Found>(
        of found: [Found],
        _ feed: (Found) -> FeedName
    ) -> (ArraySlice<Found>, next: String?) {
        let page = found.prefix(limit)
        guard found.count > page.count, let last = page.last else { return (page, nil) }
        let name = feed(last).rawValue
        return (page, query.reference(without: [.after], adding: [(.after, name)]))
    }
}
