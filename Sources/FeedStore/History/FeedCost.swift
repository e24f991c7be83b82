/// What feeds take of the memory, in bytes: worked out from what they hold, not measured.
package struct FeedCost: Sendable, Equatable {
    /// The current versions.
    package var current = 0

    /// What past versions hold that no later one shares.
    package var history = 0

    /// What hangs on the versions, such as answers made of them.
    package var attached = 0

    /// All of it.
    package var total: Int { current + history + attached }

    /// No feeds.
    package init() {}

    /// Adds what other feeds take.
    package static func += (sum: inout FeedCost, other: FeedCost) {
        sum.current += other.current
        sum.history += other.history
        sum.attached += other.attached
    }
}
