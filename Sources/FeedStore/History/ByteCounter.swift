import Synchronization

/// Counts the bytes of what comes and goes on any thread.
package final class ByteCounter: Sendable {
    private let sum = Atomic(0)

    /// How many there are.
    package var byteCount: Int { sum.load(ordering: .relaxed) }

    /// Makes a counter at zero.
    package init() {}

    /// Notes so many more, or fewer.
    package func add(_ bytes: Int) {
        sum.add(bytes, ordering: .relaxed)
    }
}
