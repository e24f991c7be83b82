import FeedStore
import Synchronization

/// What a pull that waits has seen last, which was nothing new: as long as no version that it saw
/// is followed by another, nothing of it needs to be looked at again.
final class SeenPull: Sendable {
    private struct Sight {
        /// Whose rights it was seen by; held, so that no other can have its place in memory.
        let api: FeedAPI
        /// For each feed its version's; `nil` for one that was not there for the caller.
        let statuses: [VersionStatus?]
    }

    private let sight: Mutex<Sight>

    init(_ pull: Pull, by api: FeedAPI) { sight = Mutex(SeenPull.sight(of: pull, by: api)) }

    func note(_ pull: Pull, by api: FeedAPI) {
        sight.withLock { $0 = SeenPull.sight(of: pull, by: api) }
    }

    private static func sight(of pull: Pull, by api: FeedAPI) -> Sight {
        Sight(api: api, statuses: pull.choices.map { $0?.version.status })
    }

    func isCurrent(for read: PullRead, _ api: FeedAPI) -> Bool {
        let sight = sight.withLock(\.self)
        guard sight.api === api else { return false }
        return zip(read.selection.entries, sight.statuses).allSatisfy { entry, status in
            status?.isCurrent ?? (api.visible(entry.feed, to: read.caller) == nil)
        }
    }
}
