import FeedStore
import HTTPServer
import Synchronization

/// Gives memory back to the system when feeds have freed much of it.
///
/// The allocator keeps what was freed for what comes, in pieces among what is still used. To look
/// for whole pages among them takes time, and holds up those who allocate from the same part, so
/// that it is done for a quarter at least of what there was.
final class MemoryReturn: Sendable {
    private let store: FeedStore
    /// The most bytes that the feeds took since the last time.
    private let highest = Atomic(0)

    /// Less than this is not worth the while, in bytes.
    private static let least = 32 << 20

    /// Begins to look after every publish.
    init(_ store: FeedStore) {
        self.store = store
        store.observe { [weak self] _ in self?.look() }
    }

    private func look() {
        let now = store.cost.total
        let most = highest.load(ordering: .relaxed)
        if now >= most {
            _ = highest.compareExchange(expected: most, desired: now, ordering: .relaxed)
        } else if most - now > max(MemoryReturn.least, most / 4),
            highest.compareExchange(expected: most, desired: now, ordering: .relaxed).exchanged
        {
            store.whenFreed { MemorySize.returnUnused() }
        }
    }
}
