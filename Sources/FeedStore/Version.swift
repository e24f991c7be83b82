package import FeedJournal
package import FeedModel
package import Synchronization

/// A version of a feed: an immutable value that readers share.
///
/// The properties that every reader uses come first: with many feeds, most versions are in no
/// core's cache.
package final class Version: SnapshotSource {
    /// An object that a layer above keeps with the version while it is current.
    package let attachment = Mutex<(any VersionAttachment)?>(nil)

    package let feed: FeedName

    /// The token; its epoch is empty after a dry run of a feed that does not exist, because none
    /// was drawn.
    package let token: Token

    package let snapshot: Snapshot

    /// A number that is unique in this process.
    package let number: Int

    /// The number of items, computed once.
    package let count: Int

    /// The check of the order of the items, computed once.
    package let order: UInt32

    /// The time of the publish in seconds since 1970.
    package let published: Double

    /// The latest second of any earlier version of a feed with that name, including deleted feeds;
    /// in seconds since 1970.
    let earlierSecond: Int

    /// The time of the publish by the store's own monotonic clock.
    let time: Duration

    /// The feed's update intervals so far; `nil` for a first version.
    let updateIntervals: SharedUpdateIntervals?

    /// The approximate number of bytes of memory that the version takes if it shares nothing.
    package let memoryByteCount: Int

    /// Who published it, and how many items came, went, moved and changed since the version before.
    package let details: VersionDetails

    /// The bytes by which the kept versions before it lead back to the last whole one.
    let keptByteCount = Atomic(0)

    /// Whether the version is the current one; the status outlives the version.
    package let status = VersionStatus()

    init(
        feed: FeedName,
        token: Token,
        snapshot: Snapshot,
        published: Double,
        earlierSecond: Int = .min,
        time: Duration = .zero,
        updateIntervals: SharedUpdateIntervals? = nil,
        number: Int? = nil,
        details: VersionDetails = VersionDetails()
    ) {
        self.details = details
        self.number = number ?? VersionNumber.next()
        self.feed = feed
        self.token = token
        self.snapshot = snapshot
        self.published = published
        self.earlierSecond = earlierSecond
        self.time = time
        self.updateIntervals = updateIntervals
        count = snapshot.count
        order = snapshot.order
        memoryByteCount =
            Version.feedByteCount + feed.rawValue.utf8.count + snapshot.memoryByteCount
    }

    /// The bytes of a feed regardless of its content: its entries in the store's lists, and the
    /// version's tags; measured, with some room for answers without a body (Benchmarks/RESULTS.md,
    /// "What feeds are said to take").
    private static let feedByteCount = 750

    /// The whole seconds since 1970 at which it was published.
    package var second: Int { Int(published) }

    /// The latest second of this and any earlier version of a feed with that name.
    var latestSecond: Int { max(second, earlierSecond) }

    /// Returns the version's ``second``, if it is later than that of every earlier version of a
    /// feed with that name, and not in the future.
    ///
    /// - Parameter now: The time in seconds since 1970.
    /// - Returns: The value of Last-Modified; `nil`: a date could not identify the version.
    package func lastModified(at now: Int) -> Int? {
        second > earlierSecond && second <= now ? second : nil
    }

    /// Whether the version may have a date at all.
    package var hasDate: Bool { earlierSecond < .max }

    /// Removes and retires the attachment.
    func retireAttachment() {
        let attached = attachment.withLock { attachment in
            defer { attachment = nil }
            return attachment
        }
        attached?.retire()
    }
}

/// Tells whether a version is the current one of its feed, without keeping the version alive.
package final class VersionStatus: Sendable {
    private let isSuperseded = Atomic(false)

    /// Whether no other version follows, and the feed still exists.
    ///
    /// When a publisher has its answer, all threads see the new value.
    package var isCurrent: Bool { !isSuperseded.load(ordering: .acquiring) }

    /// Marks the version as superseded; called by the store while it makes the change.
    func supersede() {
        isSuperseded.store(true, ordering: .releasing)
    }
}

/// An object that a layer above keeps with a version, such as answers made from it.
package protocol VersionAttachment: AnyObject, Sendable {
    /// The approximate number of bytes of memory that it takes; changes are reported to
    /// ``ByteCounter``.
    var byteCount: Int { get }

    /// Frees the content, which may be made again.
    ///
    /// It is called under no lock.
    func clear()

    /// Frees the content for good, because its version is no longer current.
    ///
    /// It is called under no lock.
    func retire()
}
