import FeedModel

/// The rights to read feeds that are made of other feeds.
///
/// A caller may read a derived feed if it may read every feed that the derived feed can be made of,
/// or if the configuration gives it the derived feed by its exact name.
struct DerivedRights: Sendable, Equatable {
    /// A derived feed, with the patterns of the feeds that it can be made of.
    private struct Feed: Sendable, Equatable {
        var from: [FeedPattern]
        /// Whether everyone may read the feed, if a pattern of the open feeds matches it.
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

    /// Returns the patterns of all feeds that a derived feed can be made of.
    ///
    /// A derived feed among them is replaced by its own sources, unless everyone may read it by its
    /// name.
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

    /// Returns whether everyone may read a feed that the open feeds match.
    func isOpen(_ name: Span<UInt8>) -> Bool { feed(name)?.isOpen ?? true }

    /// Returns whether a key may read a feed that its own patterns or the open feeds match.
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
    /// The patterns that the configuration gives the key, or the key that signed the token.
    fileprivate var configuration: [FeedPattern] {
        guard let signer = token?.signer else { return read + write + follow }
        return signer.read + signer.write + signer.follow
    }

    /// Returns whether the key may read every feed that a pattern matches.
    fileprivate func covers(_ source: FeedPattern) -> Bool {
        configuration.contains { $0.covers(source) }
            && (token == nil || (read + write + follow).contains { $0.covers(source) })
    }
}
