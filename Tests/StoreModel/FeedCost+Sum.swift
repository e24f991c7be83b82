package import FeedStore

extension FeedCost {
    /// Adds the cost of other feeds.
    package static func += (sum: inout FeedCost, other: FeedCost) {
        sum.current += other.current
        sum.history += other.history
        sum.attached += other.attached
    }
}
