import Synchronization

/// Counts bytes that are allocated and freed on any thread.
package final class ByteCounter: Sendable {
    private let sum = Atomic(0)

    /// The number of bytes.
    package var byteCount: Int { sum.load(ordering: .relaxed) }

    /// Makes a counter at zero.
    package init() {}

    /// Adds a number of bytes, which may be negative.
    package func add(_ bytes: Int) {
        sum.add(bytes, ordering: .relaxed)
    }
}
