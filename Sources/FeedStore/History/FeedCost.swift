/// The memory of feeds in bytes: computed from their content, not measured.
package struct FeedCost: Sendable, Equatable {
    /// The bytes of the current versions.
    package var current = 0

    /// The bytes of past versions that no later version shares.
    package var history = 0

    /// The bytes of the attachments of versions, such as answers made from them.
    package var attached = 0

    /// The sum of all three.
    package var total: Int { current + history + attached }

    /// Makes the cost of no feeds.
    package init() {}

    /// Adds the cost of other feeds.
    package static func += (sum: inout FeedCost, other: FeedCost) {
        sum.current += other.current
        sum.history += other.history
        sum.attached += other.attached
    }
}
