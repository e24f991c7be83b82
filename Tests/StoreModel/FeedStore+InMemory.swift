package import FeedModel
package import FeedStore
import Synchronization

/// Publishes to feeds that no journal stores, where the outcome is known at once.
extension FeedStore {
    /// Publishes, like ``publish(_:…)``, to a feed that no journal stores.
    ///
    /// - Returns: The publication.
    /// - Throws: The error of `transform`, `check` or `refusal`; nothing was published then.
    package func publishInMemory<Failure: Error>(
        _ feed: FeedName,
        dryRun: Bool = false,
        by origin: VersionOrigin? = nil,
        refusal: ((MemoryShortage) -> Failure)? = nil,
        check: ((Publication) throws(Failure) -> Void)? = nil,
        _ transform: (Version?) throws(Failure) -> Snapshot
    ) throws(Failure) -> Publication {
        let result = Mutex<PublishOutcome<Failure>?>(nil)
        publish(feed, dryRun: dryRun, by: origin, transform, check: check, refusal: refusal) {
            outcome in
            result.withLock { $0 = outcome }
        }
        switch result.withLock(\.self) {
        case .done(let publication): return publication
        case .failed(let error): throw error
        default: preconditionFailure("a journal keeps the feed, and decides later")
        }
    }

    /// Removes a feed that no journal stores, with its history.
    ///
    /// - Parameters:
    ///   - feed: The feed, which need not exist.
    ///   - condition: Checks the newest version, if there is one.
    /// - Returns: Whether the feed existed.
    /// - Throws: The error of `condition`; nothing was removed then.
    package func remove<Failure: Error>(
        _ feed: FeedName,
        if condition: (Version) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        let result = Mutex<PublishOutcome<Failure>?>(nil)
        publish(feed) { version throws(Failure) in
            if let version { try condition(version) }
            return nil
        } decided: { outcome in
            result.withLock { $0 = outcome }
        }
        switch result.withLock(\.self) {
        case .deleted(let version): return version != nil
        case .failed(let error): throw error
        default: preconditionFailure("a journal keeps the feed, and decides later")
        }
    }
}
