import FeedModel

/// The version that a stream's reader has of each feed that it follows, by name.
///
/// An entry takes 32 bytes, because it shares the name's string with the store.
struct FollowedFeeds: Sendable {
    /// The version that the reader has of one feed, and whether the feed was asked for by name.
    struct Entry: Sendable {
        fileprivate(set) var name: FeedName
        /// The epoch's code in the token; 0: the reader has nothing.
        private var epochCode: UInt64 = 0
        /// The version, and above it whether the feed was asked for by name.
        private var number: UInt64

        private static let listed: UInt64 = 1 << 63

        fileprivate init(_ name: FeedName, _ token: Token?, isListed: Bool) {
            self.name = name
            number = isListed ? Entry.listed : 0
            self.token = token
        }

        /// Whether the entry stays when the feed is deleted.
        fileprivate var isListed: Bool { number & Entry.listed != 0 }

        /// The version that the reader has; `nil` if it has nothing of the feed.
        fileprivate(set) var token: Token? {
            get {
                guard epochCode != 0 else { return nil }
                return Token(epochCode: epochCode, version: Int(number & ~Entry.listed))
            }
            set {
                epochCode = newValue?.epochCode ?? 0
                number = number & Entry.listed | UInt64(newValue?.version ?? 0)
            }
        }
    }

    /// The entries in the order of the names.
    private var entries: [Entry] = []

    /// - Parameter feeds: The feeds asked for by name, each once, with the reader's versions.
    init(_ feeds: [(name: FeedName, since: Token?)]) {
        entries = feeds.map { Entry($0.name, $0.since, isListed: true) }
        entries.sort { $0.name < $1.name }
    }

    var count: Int { entries.count }

    /// The bytes of memory of an entry.
    static var stride: Int { MemoryLayout<Entry>.stride }

    /// The entry of a feed; `nil`: the reader never heard of the feed.
    subscript(name: FeedName) -> Entry? {
        let index = index(of: name)
        guard index < entries.count, entries[index].name == name else { return nil }
        return entries[index]
    }

    /// Records the version that was sent of a feed; `nil`: the feed is missing.
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
                entries.insert(Entry(name, token, isListed: false), at: index)
            }
        } else if isKnown {
            entries[index].token = nil
            if !entries[index].isListed { entries.remove(at: index) }
        }
    }

    /// Frees unused capacity; few entries are added later.
    mutating func trim() {
        guard entries.capacity > entries.count + entries.count / 8 else { return }
        var exact: [Entry] = []
        exact.reserveCapacity(entries.count)
        exact += entries
        entries = exact
    }

    /// Returns the first names after one, in order.
    func names(after name: FeedName?, limit: Int) -> [FeedName] {
        var start = name.map(index(of:)) ?? 0
        if let name, start < entries.count, entries[start].name == name { start += 1 }
        return entries[start..<min(entries.count, start + limit)].map(\.name)
    }

    /// Returns the index of the first entry whose name is not before `name`.
    private func index(of name: FeedName) -> Int {
        // Names that come in order belong at the end.
        guard let last = entries.last, !(last.name < name) else { return entries.count }
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
