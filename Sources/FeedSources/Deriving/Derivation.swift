package import FeedModel

/// How a feed is made of others.
package struct Derivation: Sendable, Equatable {
    /// What its sections are.
    package enum Sections: Sendable, Equatable {
        /// One section, `main`.
        case one
        /// One for each feed that has items.
        case bySource
        /// One for each day, in UTC, of the time that a member says.
        case byDay(MemberPath)
        /// One for each value of a member.
        case byMember(MemberPath)
    }

    package var feed: FeedName
    /// The feeds that it is made of, in this order; patterns name no derived feed.
    package var from: [FeedPattern]
    /// What an item must be like; `nil`: every item is taken.
    package var condition: ItemCondition?
    /// By which member items are sorted; `nil`: they stay in the order of `from`.
    package var sort: MemberPath?
    package var isDescending = false
    /// The most items, from 1; `nil`: all.
    package var limit: Int?
    package var sections = Sections.one
    /// The feed's title, if it has one.
    package var title: String?

    package init(feed: FeedName, from: [FeedPattern]) {
        self.feed = feed
        self.from = from
    }
}

extension Derivation {
    /// The place in `from` of the first entry that names a feed; `nil`: none does.
    func place(of feed: FeedName, derived: Set<FeedName>) -> Int? {
        guard feed != self.feed else { return nil }
        let isDerived = derived.contains(feed)
        return from.firstIndex { $0.matches(feed) && ($0.isExact || !isDerived) }
    }

    /// Whether a pattern, which names no derived feed, would name one of `feeds`.
    func hasPattern(for feeds: Set<FeedName>) -> Bool {
        feeds.contains { feed in from.contains { !$0.isExact && $0.matches(feed) } }
    }

    /// A way round by which a derived feed would be made of itself.
    ///
    /// - Returns: The feeds of one such way, of which the first is the last again; `nil`: there is
    ///   none.
    package static func cycle(in derivations: [Derivation]) -> [FeedName]? {
        let sources = Dictionary(
            derivations.map { derivation in
                (
                    derivation.feed,
                    derivation.from.filter(\.isExact).compactMap { FeedName($0.text) }
                )
            }
        ) { first, _ in first }
        var finished: Set<FeedName> = []
        for derivation in derivations {
            // The feeds on the way, each with how many of its sources were looked at.
            var way: [(feed: FeedName, next: Int)] = [(derivation.feed, 0)]
            while let (feed, next) = way.last {
                let list = sources[feed] ?? []
                guard next < list.count, !finished.contains(feed) else {
                    finished.insert(feed)
                    way.removeLast()
                    continue
                }
                way[way.count - 1].next += 1
                if let start = way.firstIndex(where: { $0.feed == list[next] }) {
                    return way[start...].map(\.feed) + [list[next]]
                }
                if sources[list[next]] != nil { way.append((list[next], 0)) }
            }
        }
        return nil
    }
}
