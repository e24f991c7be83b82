import Synchronization

/// How many publishes were carried out; any thread may count one.
final class PublishCounters: Sendable {
    private let changed = Atomic(0)
    private let unchanged = Atomic(0)

    /// Those that changed something.
    var changedCount: Int { changed.load(ordering: .relaxed) }

    /// Those after which the feed was as before.
    var unchangedCount: Int { unchanged.load(ordering: .relaxed) }

    func add(_ record: PublishRecord) {
        if record.isChanged {
            changed.add(1, ordering: .relaxed)
        } else {
            unchanged.add(1, ordering: .relaxed)
        }
    }
}
