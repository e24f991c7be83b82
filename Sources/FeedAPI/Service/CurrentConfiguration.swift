import Synchronization

/// The newest configuration of an API, for answers that last longer than one.
final class CurrentConfiguration: Sendable {
    private struct Reference {
        weak var api: FeedAPI?
    }

    private let newest = Mutex(Reference())
    private let count = Atomic(0)

    /// The number of the newest one, for those who know an older one to see that quickly.
    var generation: Int { count.load(ordering: .acquiring) }

    /// The API as it is configured now; `nil` when it is gone.
    var api: FeedAPI? { newest.withLock(\.api) }

    func become(_ api: FeedAPI) {
        newest.withLock { $0.api = api }
        count.add(1, ordering: .releasing)
    }
}
