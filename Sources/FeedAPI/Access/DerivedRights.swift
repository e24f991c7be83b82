import FeedModel

/// The rights to read feeds that are made of other feeds.
///
/// A caller may read a derived feed if it may read every feed that the derived feed can be made of,
/// or if the configuration gives it the derived feed by its exact name.
struct DerivedRights: Sendable, Equatable {
    /// The patterns of the feeds that each derived feed is made of.
    private let sources: [String: [FeedPattern]]
    /// The derived feeds that everyone may read, provided that a pattern of the open feeds (the
    /// feeds that need no key) matches their names.
    private let open: Set<String>
    /// The names of the derived feeds, in order.
    let names: [String]

    init(_ derived: [FeedName: [FeedPattern]], open: [FeedPattern]) {
        let sources = Dictionary(uniqueKeysWithValues: derived.map { ($0.key.rawValue, $0.value) })
        let isNamed = { (name: String) in open.contains { $0.isExact && $0.text == name } }
        self.sources = sources
        self.open = Set(
            sources.keys.filter { name in
                isNamed(name)
                    || DerivedRights.sources(of: name, sources, isNamed: isNamed)
                        .allSatisfy { source in open.contains { $0.covers(source) } }
            }
        )
        names = sources.keys.sorted()
    }

    /// Returns the patterns of all feeds that a derived feed can be made of.
    ///
    /// A derived feed among them is replaced by its own sources, unless it may be read by its name.
    private static func sources(
        of feed: String,
        _ derived: [String: [FeedPattern]],
        isNamed: (String) -> Bool
    ) -> [FeedPattern] {
        var found: [FeedPattern] = []
        var seen: Set<String> = [feed]
        var next = [feed]
        while let name = next.popLast() {
            for pattern in derived[name] ?? [] {
                guard pattern.isExact, derived[pattern.text] != nil else {
                    found.append(pattern)
                    continue
                }
                guard !isNamed(pattern.text), seen.insert(pattern.text).inserted else { continue }
                next.append(pattern.text)
            }
        }
        return found
    }

    func has(_ feed: FeedName) -> Bool { sources[feed.rawValue] != nil }

    /// Returns the name of a derived feed; `nil` for other feeds.
    private func derivedFeed(_ name: Span<UInt8>) -> String? {
        guard !sources.isEmpty else { return nil }
        let name = name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        return sources[name] == nil ? nil : name
    }

    /// Returns whether everyone may read a feed whose name a pattern of the open feeds matches.
    ///
    /// The result is true for feeds that are not derived.
    func isOpen(_ name: Span<UInt8>) -> Bool {
        derivedFeed(name).map { open.contains($0) } ?? true
    }

    /// Returns whether a key may read a feed whose name matches the key's patterns or those of the
    /// open feeds.
    func mayRead(_ name: Span<UInt8>, _ key: AccessKey, open: [FeedPattern]) -> Bool {
        guard let feed = derivedFeed(name) else { return key.mayRead(name) }
        if key.mayReadByName(feed) { return true }
        return DerivedRights.sources(of: feed, sources) { name in
            key.mayReadByName(name) || open.contains { $0.isExact && $0.text == name }
        }.allSatisfy { source in open.contains { $0.covers(source) } || key.covers(source) }
    }
}

extension AccessKey {
    /// The patterns that the configuration gives to this key; for a token, those of its signing
    /// key.
    private var configuration: [FeedPattern] { (token?.signer.rights ?? rights).all }

    /// Returns whether the key may read a feed that the configuration gives it by its exact name.
    fileprivate func mayReadByName(_ name: String) -> Bool {
        configuration.contains { $0.isExact && $0.text == name }
            && mayRead(name.utf8.span)
    }

    /// Returns whether the key may read every feed that a pattern matches.
    fileprivate func covers(_ source: FeedPattern) -> Bool {
        has { $0.all.contains { $0.covers(source) } }
    }
}
