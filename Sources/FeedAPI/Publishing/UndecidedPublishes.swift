import Synchronization

/// Counts what publishes hold that the journal has not decided yet, and those that wait for one
/// with the same Idempotency-Key.
///
/// They take no thread and are in no queue, so a disk that stands still would gather them, also
/// those whose clients have given up, until there is no memory left.
final class UndecidedPublishes: Sendable {
    private let byteCount = Atomic(0)
    private let byteLimit: Int

    /// The bytes that a publish holds beside its body and the version made of that.
    private static let leastByteCount = 4 << 10

    /// - Parameter byteLimit: The bytes that they hold when no more are taken.
    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// Counts one more, unless there is too much of them.
    ///
    /// - Parameter content: The bytes of its body.
    /// - Returns: Whether it was counted; then it is to be ended.
    func begin(_ content: Int) -> Bool {
        let own = UndecidedPublishes.byteCount(content)
        let others = byteCount.add(own, ordering: .relaxed).oldValue
        // A large one is not refused for ever where there are always some small ones.
        guard others >= byteLimit else { return true }
        byteCount.subtract(own, ordering: .relaxed)
        return false
    }

    /// Counts one less.
    func end(_ content: Int) {
        byteCount.subtract(UndecidedPublishes.byteCount(content), ordering: .relaxed)
    }

    /// The body, and the version that is made of it.
    private static func byteCount(_ content: Int) -> Int { leastByteCount + 2 * content }
}
