import FeedDiff
package import FeedModel
package import Synchronization

/// A version of a feed: an immutable value that readers share.
///
/// The properties that every reader uses come first: with many feeds, most versions are in no
/// core's cache.
package final class Version: Sendable {
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

    /// The checksum of the order of the items, computed once.
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

    /// The snapshot and the details, to which a journal may hold a weak reference.
    package let content: VersionContent

    /// The publisher, and the numbers of changed items since the version before.
    package var details: VersionDetails { content.details }

    /// The number of bytes of changes that the journal has kept since the last whole version
    /// (``KeptVersion``).
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
        content = VersionContent(snapshot, details)
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

    /// The time of the publish, in whole seconds since 1970.
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

    /// Frees the content, which may be made again; called under no lock.
    func clear()

    /// Frees the content for good, because its version is no longer current; called under no lock.
    func retire()
}

/// Recording the times at which the server first saw items and saw them change. The times are set
/// once, before any reader gets the version. Items from a journal have their recorded times
/// already.
extension Changes {
    /// Sets the times of new and changed items.
    ///
    /// - Parameters:
    ///   - old: The previous version.
    ///   - new: The next version.
    ///   - time: The time in seconds since 1970.
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
    /// Sets the times of all items of a new feed.
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

/// Predicts the next change of a feed from the times between its last 32 changes, for the interval
/// at which clients are asked to poll.
///
/// After a silence, only the stored times longer than the silence count: the median of their
/// remainders is the likely rest of the silence (the empirical median residual lifetime;
/// Schmittlein, Morrison, "The Median Residual Lifetime", Operations Research 29, 1981). The method
/// assumes no distribution: hours of silence between bursts, or a night, are times like others.
/// After a silence longer than all stored times, the expected rest is a tenth of the silence (as in
/// RFC 9111 §4.2.2).
package struct UpdateIntervals: Sendable {
    private static let limit = 32

    /// The stored times in seconds, as the upper halves of 32-bit floating-point numbers.
    ///
    /// The halves sort like the times, with an error of 1/256 at most.
    private var codes = InlineArray<32, UInt16>(repeating: 0)
    private var count = 0
    /// The index of the next entry, which later replaces the oldest one.
    private var next = 0

    /// Makes the intervals of a feed that has not changed yet.
    package init() {}

    /// Records a change.
    ///
    /// - Parameter interval: The time since the previous change.
    package mutating func add(_ interval: Duration) {
        codes[next] = UpdateIntervals.code(interval)
        next = (next + 1) % UpdateIntervals.limit
        count = min(count + 1, UpdateIntervals.limit)
    }

    /// Returns the likely time until the next change.
    ///
    /// - Parameter silence: The time since the last change.
    /// - Returns: A duration, at least zero.
    package func remainder(after silence: Duration) -> Duration {
        let code = UpdateIntervals.code(silence)
        var longer = InlineArray<32, UInt16>(repeating: 0)
        var longerCount = 0
        for index in 0..<count where codes[index] > code {
            // The list is sorted by insertion: it is short, and no memory is allocated.
            var position = longerCount
            while position > 0, longer[position - 1] > codes[index] {
                longer[position] = longer[position - 1]
                position -= 1
            }
            longer[position] = codes[index]
            longerCount += 1
        }
        guard longerCount > 0 else { return max(.zero, silence) / 10 }
        return max(.zero, UpdateIntervals.time(longer[(longerCount - 1) / 2]) - silence)
    }

    private static func code(_ time: Duration) -> UInt16 {
        let bits = Float(max(0, time / .seconds(1))).bitPattern
        return UInt16(truncatingIfNeeded: (bits + (1 << 15)) >> 16)
    }

    private static func time(_ code: UInt16) -> Duration {
        .seconds(Double(Float(bitPattern: UInt32(code) << 16)))
    }
}

/// The update intervals of one feed, which its versions share from the second one on.
package final class SharedUpdateIntervals: Sendable {
    private let intervals = Mutex(UpdateIntervals())

    init() {}

    /// Records a change.
    func add(_ interval: Duration) {
        intervals.withLock { $0.add(interval) }
    }

    /// The intervals so far.
    var current: UpdateIntervals { intervals.withLock(\.self) }
}
