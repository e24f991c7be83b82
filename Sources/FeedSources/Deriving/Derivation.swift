package import FeedModel

/// The rules by which a derived feed is made of other feeds.
package struct Derivation: Sendable, Equatable {
    /// The division of a derived feed's items into sections.
    package enum Sections: Sendable, Equatable {
        /// A single section, `main`.
        case one
        /// A section for each feed that has items.
        case bySource
        /// A section for each day, in UTC, of the time in a member.
        case byDay(MemberPath)
        /// A section for each value of a member.
        case byMember(MemberPath)
    }

    package var feed: FeedName
    /// The feeds that the derived feed is made of, in this order; patterns match no derived feeds,
    /// exact names may.
    package var from: [FeedPattern]
    /// The condition that items must meet; `nil`: every item is taken.
    package var condition: ItemCondition?
    /// The member that items are sorted by; `nil`: they stay in the order of ``from``.
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
    /// Returns the index in ``from`` of the first entry that matches a feed; `nil`: none does.
    func index(of feed: FeedName, isDerived: Bool) -> Int? {
        guard feed != self.feed else { return nil }
        return from.firstIndex { $0.matches(feed) && ($0.isExact || !isDerived) }
    }

    /// Returns whether a pattern in ``from`` matches one of these feeds.
    ///
    /// Patterns take no derived feeds. So this derived feed must be made again if a feed that
    /// matches has become a derived one, or is no longer one.
    func hasPattern(for feeds: Set<FeedName>) -> Bool {
        feeds.contains { feed in from.contains { !$0.isExact && $0.matches(feed) } }
    }

    /// Finds a cycle by which a derived feed would be made of itself.
    ///
    /// - Returns: The feeds of one cycle, with the first feed again at the end; `nil`: there is no
    ///   cycle.
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
            // The feeds on the path, each with the number of its sources that were visited.
            var path: [(feed: FeedName, next: Int)] = [(derivation.feed, 0)]
            while let (feed, next) = path.last {
                let list = sources[feed] ?? []
                guard next < list.count, !finished.contains(feed) else {
                    finished.insert(feed)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                if let start = path.firstIndex(where: { $0.feed == list[next] }) {
                    return path[start...].map(\.feed) + [list[next]]
                }
                if sources[list[next]] != nil { path.append((list[next], 0)) }
            }
        }
        return nil
    }
}
