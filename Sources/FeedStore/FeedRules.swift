package import FeedModel

/// The settings of feeds by name or pattern, of which the most exact one counts.
package struct FeedRules<Rule: Sendable & Equatable>: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        let pattern: FeedPattern
        let rule: Rule
    }

    /// The longest patterns come first, after exact names.
    private var entries: [Entry] = []

    /// There are none.
    package init() {}

    /// Whether there are none.
    package var isEmpty: Bool { entries.isEmpty }

    /// Adds a rule.
    package mutating func add(_ rule: Rule, for pattern: FeedPattern) {
        entries.append(Entry(pattern: pattern, rule: rule))
        entries.sort { left, right in
            if left.pattern.isExact != right.pattern.isExact { return left.pattern.isExact }
            let (first, second) = (left.pattern.text, right.pattern.text)
            return (second.utf8.count, first) < (first.utf8.count, second)
        }
    }

    /// The rule of a feed; `nil`: it has none.
    package subscript(_ feed: FeedName) -> Rule? {
        entries.first { $0.pattern.matches(feed) }?.rule
    }
}
