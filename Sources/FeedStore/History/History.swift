import DequeModule
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
        /// The number of the version.
        let number: Int
        /// The number of earlier versions in this history, including forgotten ones.
        let ordinal: Int
        let supersededAt: Duration
        /// The weight of all earlier versions since the feed was created.
        let weightBefore: Int
    }

    private(set) var current: Version

    /// The number of versions in this history before the current one, including forgotten ones.
    private var ordinal = 0

    /// The remembered past versions, the oldest first; their numbers may have gaps.
    private var past: Deque<Past> = []

    /// The weight of all past versions since the feed was created, including forgotten ones.
    private var weightEver = 0

    private let limits: HistoryLimits

    /// Makes the history of a feed with its first version.
    init(_ version: Version, limits: HistoryLimits) {
        current = version
        self.limits = limits
    }

    /// The weight of the remembered past versions in bytes.
    var weight: Int { past.first.map { weightEver - $0.weightBefore } ?? 0 }

    /// The number of remembered versions, including the current one.
    var count: Int { past.count + 1 }

    /// Returns the time at which the oldest version was superseded; `nil` if there is no past
    /// version, or the rule does not allow forgetting it.
    func oldest(_ rule: FeedStore.State.Rule) -> Duration? {
        let keptCount = rule == .spare ? limits.alwaysVersions : 0
        guard let oldest = past.first, distance(of: oldest) >= keptCount else { return nil }
        return oldest.supersededAt
    }

    /// Returns the version with this number, if it is remembered at `now`.
    func version(_ number: Int, at now: Duration) -> Version? {
        if number == current.token.version { return current }
        guard let index = index(of: number), keeps(index, at: now) else { return nil }
        return past[index].version
    }

    /// Returns remembered versions, the newest first.
    ///
    /// - Parameters:
    ///   - number: The number of the version before which the list begins; `nil`: it begins with
    ///     the current one.
    ///   - limit: The most versions, at least one.
    /// - Returns: The versions; `nil`: the version before which the list begins is not remembered.
    func versions(before number: Int?, limit: Int, at now: Duration) -> [Version]? {
        var versions = number == nil ? [current] : []
        var end = past.count
        if let number, number != current.token.version {
            guard let index = index(of: number), keeps(index, at: now) else { return nil }
            end = index
        }
        while versions.count < limit, end > 0, keeps(end - 1, at: now) {
            end -= 1
            versions.append(past[end].version)
        }
        return versions
    }

    /// Returns the first remembered version after a number.
    func version(after number: Int) -> Version {
        let index = past.partitionPoint { $0.number <= number }
        return index < past.count ? past[index].version : current
    }

    /// Forgets a past version, and returns it if it was remembered.
    ///
    /// Its weight counts until all older versions are forgotten, too.
    mutating func forget(_ number: Int) -> Version? {
        index(of: number).map { past.remove(at: $0).version }
    }

    /// Forgets the oldest past version and returns it.
    mutating func forgetOldest() -> Version? { past.popFirst()?.version }

    /// Makes `version`, which has a higher number, the current one, and returns the versions that
    /// are forgotten.
    ///
    /// - Parameters:
    ///   - weight: The memory needed to remember the current version, in bytes.
    ///   - now: The time; if the newest past version was superseded later, that later time is used
    ///     instead.
    mutating func advance(to version: Version, weight: Int, at now: Duration) -> [Version] {
        let now = max(now, past.last?.supersededAt ?? now)
        past.append(
            Past(
                version: current,
                number: current.token.version,
                ordinal: ordinal,
                supersededAt: now,
                weightBefore: weightEver
            )
        )
        ordinal += 1
        weightEver += weight
        current = version
        var forgotten: [Version] = []
        while !past.isEmpty, !keeps(0, at: now) { forgotten.append(past.removeFirst().version) }
        return forgotten
    }

    /// Returns the index of the past version with a number.
    private func index(of number: Int) -> Int? {
        let index = past.partitionPoint { $0.number < number }
        return index < past.count && past[index].number == number ? index : nil
    }

    private func keeps(_ index: Int, at now: Duration) -> Bool {
        let version = past[index]
        let distance = distance(of: version)
        return distance < limits.alwaysVersions
            || now - version.supersededAt <= limits.alwaysDuration
            || distance < limits.versions && weightEver - version.weightBefore <= limits.weight
    }

    /// Returns the number of versions that superseded a version, including forgotten ones: a
    /// version that was too old stays so when a later one is forgotten.
    private func distance(of version: Past) -> Int { ordinal - version.ordinal }
}

extension Snapshot {
    /// Returns the bytes of memory that remembering this version takes after `next` has superseded
    /// it.
    ///
    /// The sum counts the items that `changes` touches, the parts of lists that `next` does not
    /// share, and the objects themselves.
    func weight(before next: Snapshot, changes: Changes) -> Int {
        512 + changes.weight(from: self) + structureByteCount(notIn: next)
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
