import FeedDiff
package import FeedModel
package import Synchronization

/// A version of a feed, whose content is immutable and shared by all readers.
///
/// The properties that every reader uses come first, to share cache lines: with many feeds, most
/// versions are in no core's cache.
package final class Version: Sendable {
    /// An object that a layer above caches with the version while it is current.
    package let attachment = Mutex<(any VersionAttachment)?>(nil)

    package let feed: FeedName

    /// The token; its epoch is empty after a dry run for a feed that does not exist.
    package let token: Token

    package let snapshot: Snapshot

    /// A number that is unique in this process.
    package let number: Int

    /// The number of items.
    package let count: Int

    /// The time of the publish in seconds since 1970.
    package let published: Double

    /// The latest ``second`` of all earlier versions of a feed with this name, even of a deleted
    /// feed, or a later one; `Int.max`: versions have no Last-Modified dates.
    let earlierSecond: Int

    /// The time of the publish by the store's own monotonic clock.
    let time: Duration

    /// The feed's update intervals so far; `nil` for a first version.
    let updateIntervals: UpdateIntervals?

    /// The approximate number of bytes of memory that the version takes if it shares nothing.
    package let memoryByteCount: Int

    /// Whether the version was read from the journal for a caller who may write the feed, and is
    /// not remembered by the store.
    package let isKept: Bool

    /// The parts that a journal stores, in one object.
    package let content: VersionContent

    /// The publisher, and the numbers of changed items since the version before.
    package var details: VersionDetails { content.details }

    /// The number of bytes of changes that the journal has stored since the last whole
    /// ``KeptVersion``.
    let keptByteCount = Atomic(0)

    init(
        _ content: VersionContent,
        of feed: FeedName,
        earlierSecond: Int = .min,
        time: Duration = .zero,
        updateIntervals: UpdateIntervals? = nil,
        isKept: Bool = false
    ) {
        self.content = content
        self.feed = feed
        token = content.token
        snapshot = content.snapshot
        published = content.published
        number = content.number ?? VersionNumber.next()
        self.earlierSecond = earlierSecond
        self.time = time
        self.updateIntervals = updateIntervals
        self.isKept = isKept
        count = snapshot.count
        memoryByteCount =
            Version.feedByteCount + feed.rawValue.utf8.count + snapshot.memoryByteCount
    }

    /// The number of bytes of a feed without its content: its entries in the store's lists, and the
    /// version's tags.
    ///
    /// The number was measured, and has some room for answers without a body
    /// (Benchmarks/RESULTS.md, "What feeds are said to take").
    private static let feedByteCount = 950

    /// The time of the publish, in whole seconds since 1970.
    package var second: Int { Int(published) }

    /// The value of ``earlierSecond`` that covers this version, too.
    var latestSecond: Int { max(second, earlierSecond) }

    /// Returns the value of Last-Modified at a time, both in seconds since 1970 (RFC 9110 §8.8.2).
    ///
    /// - Returns: The version's ``second``. `nil`: a date cannot identify the version, because the
    ///   second is not two seconds past, or an earlier version may have it, too.
    package func lastModified(at now: Int) -> Int? {
        second > earlierSecond && second <= now - 2 ? second : nil
    }

    /// Whether ``lastModified(at:)`` may ever return a date.
    package var hasDate: Bool { earlierSecond < .max }

    /// Removes and retires the attachment.
    package func retireAttachment() {
        let attached = attachment.withLock { attachment in
            defer { attachment = nil }
            return attachment
        }
        attached?.retire()
    }
}

/// Makes numbers that identify versions in this process, including versions that other servers
/// made, and the chains of undecided changes.
package enum VersionNumber {
    private static let last = Atomic(0)

    /// Returns a new number, greater than all before.
    package static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}

/// An object that a layer above caches with a version, such as answers made from it.
package protocol VersionAttachment: AnyObject, Sendable {
    /// The approximate number of bytes of memory that the object takes; it reports changes to
    /// ``ByteCounter``.
    var byteCount: Int { get }

    /// Frees the content, which may be made again; the caller holds no lock.
    func clear()

    /// Frees the content for good, because its version is no longer current; the caller holds no
    /// lock.
    func retire()
}

/// Records the times at which the server first saw items, and last saw them change.
///
/// The times are set once, before any reader gets the version. Items from a journal already have
/// their times.
extension Changes {
    /// Sets the times of inserted and updated items; `time` is in seconds since 1970.
    func noteTimes(from old: Snapshot, to new: Snapshot, at time: Double) {
        let now = UInt32(clamping: Int(time))
        for insertion in insertedItems { insertion.item.noteTimes(first: now, changed: now) }
        for update in updatedItems {
            let first = old.item(update.id)?.seen.first
            new.item(update.id)?.noteTimes(first: first ?? now, changed: now)
        }
    }
}

extension Snapshot {
    /// Sets the times of all items of a new feed, in seconds since 1970.
    func noteTimes(at time: Double) {
        let now = UInt32(clamping: Int(time))
        for section in sections {
            section.items.forEachItem { $0.noteTimes(first: now, changed: now) }
        }
    }
}

extension FeedItem {
    fileprivate func noteTimes(first: UInt32, changed: UInt32) {
        if seen.changed == 0 { setSeen(first: first, changed: changed) }
    }
}

/// The times between the last 32 changes of a feed, which predict the next change.
///
/// The prediction sets the interval at which clients are asked to poll.
///
/// After a silence, only the stored times that are longer than the silence count. The median of
/// their remainders is the likely rest of the silence (the empirical median residual lifetime;
/// Schmittlein, Morrison, "The Median Residual Lifetime", Operations Research 29, 1981). The method
/// assumes no distribution: a night, or the hours between bursts, are times like others.
///
/// After a silence longer than all stored times, the likely rest is a tenth of the silence (as in
/// RFC 9111 §4.2.2).
///
/// A feed's versions share the intervals from the second version on.
package final class UpdateIntervals: Sendable {
    private static let limit = 32

    /// The times in seconds, the oldest first.
    private let times = Mutex<[Float]>([])

    /// Makes the intervals of a feed that has not changed yet.
    package init() {}

    /// Makes the intervals between the times of publishes, in seconds and the oldest first.
    convenience init(between times: [Double]) {
        self.init()
        for (time, next) in zip(times, times.dropFirst()) { add(.seconds(max(0, next - time))) }
    }

    /// Records a change, and the time since the previous change.
    package func add(_ interval: Duration) {
        times.withLock { times in
            if times.count == UpdateIntervals.limit { times.removeFirst() }
            times.append(Float(interval / .seconds(1)))
        }
    }

    /// Returns the likely time until the next change, at least zero, `silence` after the last
    /// change.
    package func remainder(after silence: Duration) -> Duration {
        let silence = Float(max(0, silence / .seconds(1)))
        // Times that are hardly longer would have clients poll again and again just before them.
        let longer = times.withLock(\.self).filter { $0 > silence + silence / 256 }.sorted()
        guard !longer.isEmpty else { return .seconds(Double(silence / 10)) }
        return .seconds(Double(longer[(longer.count - 1) / 2] - silence))
    }
}
