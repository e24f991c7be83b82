import FeedStore
import HTTPServer
import Platform
import Synchronization

/// Gives memory back to the system when feeds have freed much of it.
///
/// The allocator keeps freed memory for later, in pieces among memory still in use. A search for
/// whole free pages among them takes time, and holds up other threads that allocate from the same
/// part. So the search is made only when at least a quarter of the feeds' memory was freed.
final class MemoryReturn: Sendable {
    private let store: FeedStore
    /// The most bytes that the feeds took since memory was last given back.
    private let highest = Atomic(0)

    /// The least number of freed bytes that is worth a search.
    private static let least = 32 << 20

    /// Begins to compare the feeds' memory with the highest value after every publish.
    init(_ store: FeedStore) {
        self.store = store
        store.observe { [weak self] _ in self?.compare() }
    }

    private func compare() {
        let now = store.cost.total
        let peak = highest.load(ordering: .relaxed)
        if now >= peak {
            _ = highest.compareExchange(expected: peak, desired: now, ordering: .relaxed)
        } else if peak - now > max(MemoryReturn.least, peak / 4),
            highest.compareExchange(expected: peak, desired: now, ordering: .relaxed).exchanged
        {
            store.whenFreed { MemorySize.returnUnused() }
        }
    }
}
