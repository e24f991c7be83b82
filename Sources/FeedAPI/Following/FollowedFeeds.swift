import FeedModel

/// The version that a stream's reader has of each feed that it follows, by name.
///
/// An entry takes 40 bytes, because it shares the name's string with the store.
struct FollowedFeeds: Sendable {
    /// The version that the reader has of one feed.
    struct Entry: Sendable {
        fileprivate(set) var name: FeedName
        /// The version that the reader has, if it has one.
        fileprivate(set) var token: Token?
        /// Whether the feed was asked for by name, so that its entry stays if the feed is deleted.
        fileprivate let isListed: Bool
    }

    /// The entries in the order of the names.
    private var entries: [Entry] = []

    /// Makes the entries of a new stream for the feeds asked for by name, each once, with the
    /// reader's versions.
    init(_ feeds: [(name: FeedName, since: Token?)]) {
        entries = feeds.map { Entry(name: $0.name, token: $0.since, isListed: true) }
        entries.sort { $0.name < $1.name }
    }

    /// The bytes of memory of one entry.
    static var stride: Int { MemoryLayout<Entry>.stride }

    /// The number of feeds of which the reader has a version.
    var sentCount: Int { entries.count { $0.token != nil } }

    /// The entry of a feed; `nil` if the feed was neither asked for by name nor sent.
    subscript(name: FeedName) -> Entry? {
        let index = index(of: name)
        guard index < entries.count, entries[index].name == name else { return nil }
        return entries[index]
    }

    /// Records that a version of a feed was sent; `nil`: that the feed was reported as missing.
    mutating func sent(_ token: Token?, of name: FeedName) {
        let index = index(of: name)
        let isKnown = index < entries.count && entries[index].name == name
        if let token {
            if isKnown {
                // The store's own string replaces the request's, so that the name is in memory
                // once.
                entries[index].name = name
                entries[index].token = token
            } else {
                entries.insert(Entry(name: name, token: token, isListed: false), at: index)
            }
        } else if isKnown {
            entries[index].token = nil
            if !entries[index].isListed { entries.remove(at: index) }
        }
    }

    /// Frees unused capacity, if it is more than an eighth of the entries.
    mutating func trim() {
        guard entries.capacity > entries.count + entries.count / 8 else { return }
        var exact: [Entry] = []
        exact.reserveCapacity(entries.count)
        exact += entries
        entries = exact
    }

    /// Returns at most `limit` names in order, from the first one after `name`; `nil`: from the
    /// start.
    func names(after name: FeedName?, limit: Int) -> [FeedName] {
        var start = name.map(index(of:)) ?? 0
        if let name, start < entries.count, entries[start].name == name { start += 1 }
        return entries[start..<min(entries.count, start + limit)].map(\.name)
    }

    /// Returns the index of the first entry whose name is not before `name`.
    private func index(of name: FeedName) -> Int {
        // A scan adds names in their order, so most of them belong at the end.
        guard let last = entries.last, !(last.name < name) else { return entries.count }
        return entries.partitionPoint { $0.name < name }
    }
}
