import FeedDiff
import FeedModel

/// The versions of one feed that are remembered: a value, which is told the time.
///
/// Always kept are the last 8 versions and those that were current in the last 60 s. Older ones
/// stay as long as they and all newer ones weigh at most 16 MiB and number at most 1,000
/// (``HistoryLimits``); neither bounds the first two. What goes is always the oldest.
///
/// A past version weighs what ``FeedModel/Snapshot/weight(before:changes:)`` says.
struct History {
    /// A version that another one has followed.
    private struct Past {
        let version: Version
        let supersededAt: Duration
        /// The numbers of the versions before it and after it here; `nil`: it is the feed's first.
        let previous: Int?
        let next: Int
        /// What all versions before it weighed since the feed came to be.
        let weightBefore: Int
        /// How many versions there were before it here.
        let ordinal: Int
    }

    private(set) var current: Version

    /// How many versions there were before the current one here.
    private var ordinal = 0

    /// By their number, between `oldest` and the current one, with gaps.
    private var past: [Int: Past] = [:]

    private var oldest: Int
    /// The number of the version before the current one, which may be forgotten.
    private var newestPast: Int?

    /// When the version before the current one ceased to be that.
    private var lastSuperseded: Duration?

    /// What all past versions weighed since the feed came to be, forgotten ones included.
    private var weightEver = 0

    private let limits: HistoryLimits

    /// A feed's first version.
    init(_ version: Version, limits: HistoryLimits) {
        current = version
        oldest = version.token.version
        self.limits = limits
    }

    /// What the past versions weigh that are still here, in bytes.
    var weight: Int {
        past[oldest].map { weightEver - $0.weightBefore } ?? 0
    }

    /// How many versions are remembered, with the current one.
    var count: Int { past.count + 1 }

    /// When the oldest version ceased to be current, if it is older than the last 8.
    var oldestToSpare: Duration? {
        guard let last = past[oldest], ordinal - last.ordinal >= limits.alwaysVersions else {
            return nil
        }
        return last.supersededAt
    }

    /// When the oldest past version ceased to be current.
    var oldestPast: Duration? { past[oldest]?.supersededAt }

    /// The version with this number, when it is remembered at `now`.
    func version(_ number: Int, at now: Duration) -> Version? {
        if number == current.token.version { return current }
        guard let version = past[number], keeps(version, at: now) else { return nil }
        return version.version
    }

    /// The newest versions that are remembered at `now`, the newest first.
    ///
    /// - Parameters:
    ///   - number: The number of the version before which the list begins; `nil`: it begins with the
    ///     current one.
    ///   - limit: The most versions, at least one.
    ///   - now: The time.
    /// - Returns: The versions; `nil` if the one before which they begin is not remembered.
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

    /// Makes `version`, which has a higher number, the current one.
    ///
    /// - Parameters:
    ///   - version: The one to follow.
    ///   - weight: What it costs to remember the one before, in bytes.
    ///   - now: The time, which counts as that of the last call when it is before it.
    /// - Returns: The versions that this forgets.
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
    /// Bytes that are held for this version once `next` has followed it, for the history.
    ///
    /// Those are the items that `changes` touches, the parts of the lists that `next` does not
    /// share, and what the objects cost.
    func weight(before next: Snapshot, changes: Changes) -> Int {
        var weight = 512 + changes.weight(from: self) + structureByteCount(notIn: next)
        weight += 96 * (changes.counts(from: self).items.removed + changes.updatedItems.count)
        return weight
    }
}
