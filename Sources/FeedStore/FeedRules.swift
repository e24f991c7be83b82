package import FeedModel

/// Settings for feeds by name or pattern.
///
/// The most specific pattern that matches a feed applies.
package struct FeedRules<Rule: Sendable & Equatable>: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        let pattern: FeedPattern
        let rule: Rule
    }

    /// The rules in the order in which they are tried: exact names, then the longest patterns.
    private var entries: [Entry] = []

    /// Makes an empty set of rules.
    package init() {}

    /// Whether there are no rules.
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

    /// The rule that applies to a feed; `nil`: none does.
    package subscript(_ feed: FeedName) -> Rule? {
        entries.first { $0.pattern.matches(feed) }?.rule
    }
}

/// Limits how many of a feed's items one publish may remove (docs/PUBLISHING.md, "Against
/// accidents").
///
/// For a feed with fewer than ``leastCount`` items, only a publish that removes all is refused.
package enum RemovalGuard: Sendable, Equatable {
    /// Refuses a publish that removes this share of the items or more, from 1 to 100.
    case percent(Int)
    /// Refuses a publish that removes more items than this.
    case count(Int)

    /// The removals that pass a guard.
    package enum Allowance: Sendable, Equatable {
        /// Removals within the guard's limit.
        case guarded
        /// All removals that leave at least one item: for a source that has sent the same content
        /// several times.
        case nonempty
        /// All removals.
        case any
    }

    /// The error for a publish that a guard has refused.
    package struct Refusal: Error, Sendable, Equatable, CustomStringConvertible {
        /// The number of items that the publish would have removed.
        package let removed: Int
        /// The number of items in the current version.
        package let count: Int
        /// The most items that may be removed.
        package let limit: Int

        package var description: String {
            "\(removed) of \(count) items would be removed, and at most \(limit) may be"
        }
    }

    /// The number of items below which a guard only refuses publishes that remove all.
    static let leastCount = 10

    /// Checks a publish before readers see it.
    ///
    /// - Throws: ``Refusal`` for a publish that removes too many items.
    package func check(_ publication: Publication, _ allowance: Allowance) throws(Refusal) {
        guard let previous = publication.previous else { return }
        let (removed, count) = (publication.counts.items.removed, previous.count)
        let leavesNone = publication.current.count == 0
        let limit = limit(of: count)
        guard removed > max(0, limit), count >= Self.leastCount || leavesNone else { return }
        switch allowance {
        case .any: return
        case .nonempty where !leavesNone: return
        case .nonempty, .guarded: throw Refusal(removed: removed, count: count, limit: limit)
        }
    }

    /// Returns the largest number of items that may be removed from a feed of `count` items.
    private func limit(of count: Int) -> Int {
        guard count >= Self.leastCount else { return count - 1 }
        switch self {
        // The smallest number of items that reaches the share, less one.
        case .percent(let percent): return (count * percent + 99) / 100 - 1
        case .count(let limit): return limit
        }
    }
}
