import FeedModel

/// The rights to read feeds that are made of other feeds.
///
/// A caller may read a derived feed if it may read every feed that the derived feed can be made of,
/// or if the configuration gives it the derived feed by its exact name.
struct DerivedRights: Sendable, Equatable {
    /// The patterns of the feeds that each derived feed can be made of.
    private let sources: [String: [FeedPattern]]
    /// The derived feeds that everyone may read, provided that a pattern of the open feeds (the
    /// feeds that need no key) matches their names.
    private let open: Set<String>
    /// The names of the derived feeds, in order.
    let names: [String]

    init(_ derived: [FeedName: [FeedPattern]], open: [FeedPattern]) {
        var (sources, openNames): ([String: [FeedPattern]], Set<String>) = ([:], [])
        for name in derived.keys {
            let from = DerivedRights.sources(of: name, derived, open: open)
            sources[name.rawValue] = from
            let isNamed = open.contains { $0.isExact && $0.matches(name) }
            if isNamed || from.allSatisfy({ source in open.contains { $0.covers(source) } }) {
                openNames.insert(name.rawValue)
            }
        }
        self.sources = sources
        self.open = openNames
        names = sources.keys.sorted()
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

    func has(_ feed: FeedName) -> Bool { sources[feed.rawValue] != nil }

    /// Returns the name of a derived feed and the patterns of its sources; `nil` for other feeds.
    private func derivedFeed(_ name: Span<UInt8>) -> (name: String, sources: [FeedPattern])? {
        guard !sources.isEmpty else { return nil }
        let name = name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        return sources[name].map { (name, $0) }
    }

    /// Returns whether everyone may read a feed whose name a pattern of the open feeds matches.
    ///
    /// The result is true for feeds that are not derived.
    func isOpen(_ name: Span<UInt8>) -> Bool {
        derivedFeed(name).map { open.contains($0.name) } ?? true
    }

    /// Returns whether a key may read a feed whose name matches the key's patterns or those of the
    /// open feeds.
    func mayRead(_ name: Span<UInt8>, _ key: AccessKey, open: [FeedPattern]) -> Bool {
        guard let sources = derivedFeed(name)?.sources else { return key.mayRead(name) }
        if key.configuration.contains(where: { $0.isExact && $0.matches(name) }),
            key.mayRead(name)
        {
            return true
        }
        return sources.allSatisfy { source in
            open.contains { $0.covers(source) } || key.covers(source)
        }
    }
}

extension AccessKey {
    /// The patterns that the configuration gives to this key; for a token, those of its signing
    /// key.
    fileprivate var configuration: [FeedPattern] { (token?.signer.rights ?? rights).all }

    /// Returns whether the key may read every feed that a pattern matches.
    fileprivate func covers(_ source: FeedPattern) -> Bool {
        configuration.contains { $0.covers(source) }
            && (token == nil || rights.all.contains { $0.covers(source) })
    }
}
