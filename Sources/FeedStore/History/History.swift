import FeedDiff
import FeedModel

/// The remembered versions of one feed.
///
/// The history has no clock: its callers pass the time in.
///
/// The last 8 versions and those that were current in the last 60 s are always kept. Older ones are
/// kept as long as they and all newer ones weigh at most 16 MiB and number at most 1,000
/// (``HistoryLimits``); these limits do not apply to the first two groups. The oldest version is
/// always forgotten first.
///
/// The weight of a past version is ``FeedModel/Snapshot/weight(before:changes:)``.
struct History {
    /// A version that has been superseded.
    private struct Past {
        let version: Version
        let supersededAt: Duration
        /// The number of the version before it in this history; `nil`: it is the feed's first.
        var previous: Int?
        /// The number of the next version in this history.
        var next: Int
        /// The weight of all earlier versions since the feed was created.
        let weightBefore: Int
        /// The number of earlier versions in this history.
        let ordinal: Int
    }

    private(set) var current: Version

    /// The number of versions in this history before the current one.
    private var ordinal = 0

    /// The past versions by number, from `oldest` up to the current one, with gaps.
    private var past: [Int: Past] = [:]

    private var oldest: Int
    /// The number of the version before the current one, which may be forgotten.
    private var newestPast: Int?

    /// The time at which the version before the current one was superseded.
    private var lastSuperseded: Duration?

    /// The weight of all past versions since the feed was created, including forgotten ones.
    private var weightEver = 0

    private let limits: HistoryLimits

    /// Makes the history of a feed with its first version.
    init(_ version: Version, limits: HistoryLimits) {
        current = version
        oldest = version.token.version
        self.limits = limits
    }

    /// The weight of the remembered past versions in bytes.
    var weight: Int {
        past[oldest].map { weightEver - $0.weightBefore } ?? 0
    }

    /// The number of remembered versions, including the current one.
    var count: Int { past.count + 1 }

    /// The time at which the oldest version was superseded, if it is not one of the last 8.
    var oldestToSpare: Duration? {
        guard let last = past[oldest], ordinal - last.ordinal >= limits.alwaysVersions else {
            return nil
        }
        return last.supersededAt
    }

    /// The time at which the oldest past version was superseded.
    var oldestPast: Duration? { past[oldest]?.supersededAt }

    /// Returns the version with this number, if it is remembered at `now`.
    func version(_ number: Int, at now: Duration) -> Version? {
        if number == current.token.version { return current }
        guard let version = past[number], keeps(version, at: now) else { return nil }
        return version.version
    }

    /// Returns remembered versions, the newest first.
    ///
    /// - Parameters:
    ///   - number: The number of the version before which the list begins; `nil`: it begins with
    ///     the current one.
    ///   - limit: The most versions, at least one.
    ///   - now: The time.
    /// - Returns: The versions; `nil`: the version before which the list begins is not remembered.
    func versions(before number: Int?, limit: Int, at now: Duration) -> [Version]? {
        var versions = number == nil ? [current] : []
        var next = newestPast
        if let number, number != current.token.version {
            guard let start = past[number], keeps(start, at: now) else { return nil }
            next = start.previous
        }
        while versions.count < limit, let version = next.flatMap({ past[$0] }),
            keeps(version, at: now)
        {
            versions.append(version.version)
            next = version.previous
        }
        return versions
    }

    /// Returns the first remembered version after a number.
    func version(after number: Int) -> Version {
        let next = past.keys.lazy.filter { $0 > number }.min()
        return next.flatMap { past[$0]?.version } ?? current
    }

    /// Forgets a past version.
    ///
    /// Its weight counts until all older versions are forgotten, too.
    ///
    /// - Returns: The version, if it was remembered.
    mutating func forget(_ number: Int) -> Version? {
        guard number != oldest else { return forgetOldest() }
        guard let gone = past.removeValue(forKey: number) else { return nil }
        if let previous = gone.previous { past[previous]?.next = gone.next }
        if newestPast == number {
            newestPast = gone.previous
        } else {
            past[gone.next]?.previous = gone.previous
        }
        return gone.version
    }

    /// Makes `version`, which has a higher number, the current one.
    ///
    /// - Parameters:
    ///   - version: The version to follow.
    ///   - weight: The memory needed to remember the current version, in bytes.
    ///   - now: The time; if it is before that of the last call, that time is used.
    /// - Returns: The versions that are forgotten.
    mutating func advance(to version: Version, weight: Int, at now: Duration) -> [Version] {
        let number = current.token.version
        let now = max(now, lastSuperseded ?? now)
        past[number] = Past(
            version: current,
            supersededAt: now,
            previous: newestPast,
            next: version.token.version,
            weightBefore: weightEver,
            ordinal: ordinal
        )
        newestPast = number
        ordinal += 1
        lastSuperseded = now
        weightEver += weight
        current = version
        var forgotten: [Version] = []
        while let last = past[oldest], !keeps(last, at: now) {
            forgotten.append(last.version)
            forgetOldest()
        }
        return forgotten
    }

    /// Forgets the oldest past version and returns it.
    @discardableResult
    mutating func forgetOldest() -> Version? {
        guard let last = past.removeValue(forKey: oldest) else { return nil }
        oldest = last.next
        return last.version
    }

    private func keeps(_ version: Past, at now: Duration) -> Bool {
        let distance = ordinal - version.ordinal
        return distance < limits.alwaysVersions
            || now - version.supersededAt <= limits.alwaysDuration
            || distance < limits.versions && weightEver - version.weightBefore <= limits.weight
    }
}

extension Snapshot {
    /// Returns the bytes of memory that remembering this version takes after `next` has superseded
    /// it.
    ///
    /// The sum counts the items that `changes` touches, the parts of lists that `next` does not
    /// share, and the objects themselves.
    func weight(before next: Snapshot, changes: Changes) -> Int {
        var weight = 512 + changes.weight(from: self) + structureByteCount(notIn: next)
        weight += 96 * (changes.counts(from: self).items.removed + changes.updatedItems.count)
        return weight
    }
}

/// The limits on remembered past versions (docs/PROTOCOL.md, "Limits").
///
/// Weights are in bytes, as ``History`` counts them.
package struct HistoryLimits: Sendable {
    /// The number of a feed's last versions that are kept whatever they weigh, including the
    /// current one.
    package var alwaysVersions = 8

    /// The time for which a version is kept after it was superseded; only `totalWeight` overrides
    /// it.
    package var alwaysDuration: Duration = .seconds(60)

    /// The most weight of a past version and all newer ones; it does not apply to versions that
    /// ``alwaysVersions`` or ``alwaysDuration`` protects.
    package var weight = 16 << 20

    /// The most versions of a feed, unless ``alwaysVersions`` and ``alwaysDuration`` protect more.
    package var versions = 1000

    /// The most weight of the remembered versions of all feeds.
    package var totalWeight = 256 << 20

    /// Makes the limits that are the protocol's defaults.
    package init() {}
}
