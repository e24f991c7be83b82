import FeedModel

/// Who may read feeds that are made of others: whoever may read all that they can be made of, and
/// whoever the configuration names the feed itself for.
struct DerivedRights: Sendable, Equatable {
    /// A derived feed by what it can be made of in the end.
    private struct Feed: Sendable, Equatable {
        var from: [FeedPattern]
        /// Whether everyone may read it, if the open feeds name it.
        var isOpen: Bool
    }

    private let feeds: [String: Feed]
    /// The names of the derived feeds, in order.
    let names: [String]

    init(_ derived: [FeedName: [FeedPattern]], open: [FeedPattern]) {
        var feeds: [String: Feed] = [:]
        for name in derived.keys {
            let from = DerivedRights.sources(of: name, derived, open: open)
            let isNamed = open.contains { $0.isExact && $0.matches(name) }
            let isOpen =
                isNamed || from.allSatisfy { source in open.contains { $0.covers(source) } }
            feeds[name.rawValue] = Feed(from: from, isOpen: isOpen)
        }
        self.feeds = feeds
        names = feeds.keys.sorted()
    }

    /// All that a feed can be made of: other derived feeds by what they are made of, unless
    /// everyone may read them by their names.
    private static func sources(
        of feed: FeedName,
        _ derived: [FeedName: [FeedPattern]],
        open: [FeedPattern]
    ) -> [FeedPattern] {
        var found: [FeedPattern] = []
        var seen: Set<FeedName> = [feed]
        var next = [feed]
        while let name = next.popLast() {
            for pattern in derived[name] ?? [] {
                let isOpen = open.contains { $0.isExact && $0 == pattern }
                if pattern.isExact, !isOpen, let other = FeedName(pattern.text),
                    derived[other] != nil
                {
                    if seen.insert(other).inserted { next.append(other) }
                } else {
                    found.append(pattern)
                }
            }
        }
        return found
    }

    func has(_ feed: FeedName) -> Bool { feeds[feed.rawValue] != nil }

    private func feed(_ name: Span<UInt8>) -> Feed? {
        guard !feeds.isEmpty else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(name.count)
        for index in name.indices { bytes.append(name[index]) }
        return feeds[String(decoding: bytes, as: UTF8.self)]
    }

    /// Whether everyone may read a feed that the open feeds name.
    func isOpen(_ name: Span<UInt8>) -> Bool { feed(name)?.isOpen ?? true }

    /// Whether a key may read a feed that it, or that everyone, is given by a pattern.
    func mayRead(_ name: Span<UInt8>, _ key: AccessKey, open: [FeedPattern]) -> Bool {
        guard let feed = feed(name) else { return key.mayRead(name) }
        if key.configuration.contains(where: { $0.isExact && $0.matches(name) }),
            key.mayRead(name)
        {
            return true
        }
        return feed.from.allSatisfy { source in
            open.contains { $0.covers(source) } || key.covers(source)
        }
    }
}

extension AccessKey {
    /// The feeds that the configuration gives it, or the key that signed it.
    fileprivate var configuration: [FeedPattern] {
        guard let signer = token?.signer else { return read + write + follow }
        return signer.read + signer.write + signer.follow
    }

    /// Whether it may read all that a pattern names.
    fileprivate func covers(_ source: FeedPattern) -> Bool {
        configuration.contains { $0.covers(source) }
            && (token == nil || (read + write + follow).contains { $0.covers(source) })
    }
}
