import FeedModel
import FeedStore
import HTTPServer

/// For how long the answer to a pull is right: while its feeds have the same versions, and the hint
/// in it is good.
final class PullStanding: Standing {
    private let statuses: [VersionStatus]
    /// The feeds that were asked for and not there.
    private let absent: [FeedName]
    private let store: FeedStore
    /// Until when its hint is right, in seconds of the store's clock.
    private let expiry: Int

    init(_ pull: Pull, of selection: FeedSelection, hint: Int?, in store: FeedStore) {
        statuses = pull.answers.compactMap { $0?.version.status }
        absent = zip(selection.entries, pull.answers).compactMap { entry, answer in
            answer == nil ? entry.feed : nil
        }
        self.store = store
        expiry = store.seconds + Pacing.lifetime(of: hint ?? 0)
    }

    /// Who reigns when the second is asked also did when the first was, so this is true only if
    /// there was a moment when all was so.
    var stands: Bool {
        store.seconds < expiry
            && (absent.isEmpty || store.areAbsent(absent))
            && statuses.allSatisfy(\.isCurrent)
    }
}
