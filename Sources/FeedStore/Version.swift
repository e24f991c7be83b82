internal import CBytes
import FeedJournal
package import FeedModel
package import Synchronization

/// One version of a feed: an immutable value that readers share.
///
/// What every reader looks at comes first: of the versions of many feeds most are in no core's
/// cache.
package final class Version: SnapshotSource {
    /// What a layer above keeps beside the version while it is current.
    package let attachment = Mutex<(any VersionAttachment)?>(nil)

    package let feed: FeedName

    /// Of a dry run of a feed that is not there yet, the epoch is empty: none was drawn.
    package let token: Token

    package let snapshot: Snapshot

    /// Tells it from every other of this process.
    package let number: Int

    /// The number of items, made once.
    package let count: Int

    /// The check on the order of the items, made once.
    package let order: UInt32

    /// Seconds since 1970 when it was published.
    package let published: Double

    /// The latest second of any earlier version of a feed of that name, those of deleted feeds
    /// included; seconds since 1970.
    let earlierSecond: Int

    /// The same as ``published`` by the store's own clock, which never goes back.
    let time: Duration

    /// How often the feed has changed so far; `nil` for a first version.
    let updateIntervals: SharedUpdateIntervals?

    /// About the bytes of memory that it takes when it shares nothing.
    package let memoryByteCount: Int

    /// Who published it; `nil`: another process, or the server itself.
    package let origin: VersionOrigin?

    /// How many items came, went, moved and changed since the version before; `nil`: not known.
    package let itemCounts: ChangeCounts.Tally?

    /// Whether it is the current one; outlives it.
    package let status = VersionStatus()

    /// Has what hangs on it fetched to the core's cache, while something else is done.
    package func prefetchAttachment() {
        attachment.withLock { attachment in
            guard let attachment else { return }
            unsafe freshet_prefetch(Unmanaged.passUnretained(attachment as AnyObject).toOpaque())
        }
    }

    init(
        feed: FeedName,
        token: Token,
        snapshot: Snapshot,
        published: Double,
        earlierSecond: Int = .min,
        time: Duration = .zero,
        updateIntervals: SharedUpdateIntervals? = nil,
        number: Int? = nil,
        origin: VersionOrigin? = nil,
        itemCounts: ChangeCounts.Tally? = nil
    ) {
        self.origin = origin
        self.itemCounts = itemCounts
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

    /// What a feed takes whatever is in it: its positions in the store's lists, and the tags of the
    /// version; measured, with some room for answers without a body (docs/PERFORMANCE.md, "What
    /// feeds are said to take").
    private static let feedByteCount = 750

    /// Whole seconds since 1970 when it was published.
    package var second: Int { Int(published) }

    /// The latest second of this and any earlier version of a feed of that name.
    var latestSecond: Int { max(second, earlierSecond) }

    /// Its ``second``, if that alone tells it from every earlier version of a feed of that name,
    /// and it has come.
    ///
    /// - Parameter now: Seconds since 1970.
    /// - Returns: The value of Last-Modified; `nil`: a date could not name it.
    package func lastModified(at now: Int) -> Int? {
        second > earlierSecond && second <= now ? second : nil
    }

    /// Whether it has a date at all.
    package var hasDate: Bool { earlierSecond < .max }

    /// Has what hangs on it given up.
    func retireAttachment() {
        let attached = attachment.withLock { attachment in
            defer { attachment = nil }
            return attachment
        }
        attached?.retire()
    }
}
