package import FeedModel

/// The facts about a version beside its content that the list of versions shows.
package struct VersionDetails: Sendable, Equatable {
    /// The publisher of the version; `nil`: unknown.
    package var origin: VersionOrigin?
    /// The numbers of items inserted, removed, moved and updated since the version before; `nil`:
    /// unknown.
    package var itemCounts: ChangeCounts.Tally?

    /// Makes details, which are unknown by default.
    package init(origin: VersionOrigin? = nil, itemCounts: ChangeCounts.Tally? = nil) {
        self.origin = origin
        self.itemCounts = itemCounts
    }
}

/// The rule for how many older versions of a feed are kept (docs/OPERATIONS.md, "Kept versions").
package enum Retention: Sendable, Equatable {
    /// A number of older versions: the newest are kept.
    case count(Int)
    /// A time in seconds: versions that were current within it are kept.
    case age(Double)

    /// The most older versions of a feed that any rule can keep.
    package static let countLimit = 10_000

    /// The most older versions that this rule keeps.
    package var limit: Int {
        switch self {
        case .count(let limit): min(limit, Retention.countLimit)
        case .age: Retention.countLimit
        }
    }

    /// Returns whether the oldest kept version stays.
    ///
    /// - Parameters:
    ///   - count: The number of kept versions, including this one.
    ///   - superseded: The time at which the next version was published, in seconds since 1970.
    ///   - now: The current time, in seconds since 1970.
    package func keeps(count: Int, superseded: Double, at now: Double) -> Bool {
        count <= limit && isYoung(superseded, at: now)
    }

    /// Returns whether a version that was superseded at a time is within the rule's age.
    package func isYoung(_ superseded: Double, at now: Double) -> Bool {
        guard case .age(let age) = self else { return true }
        return now - superseded <= age
    }
}

/// An older version that a journal keeps, so that a feed can be taken back to it even after a
/// restart.
///
/// The content of most kept versions is the changes that lead back from the next version; from time
/// to time it is the whole version. A version is rebuilt from the next whole one, or from the
/// oldest version in memory, through the versions between.
package struct KeptVersion: Sendable, Equatable {
    package let version: Int
    /// The next version, from which the changes in ``content`` lead back.
    package var next: Int
    /// The time at which the version was published, in seconds since 1970.
    package let published: Double
    /// The time at which the next version was published, in seconds since 1970.
    package let superseded: Double
    /// The number of items.
    package let count: Int
    package let details: VersionDetails
    /// The content, encoded by ``KeptContent``; empty in a list of versions.
    package var content: [UInt8]

    /// Makes a kept version.
    package init(
        version: Int,
        next: Int,
        published: Double,
        superseded: Double,
        count: Int,
        details: VersionDetails,
        content: [UInt8]
    ) {
        self.version = version
        self.next = next
        self.published = published
        self.superseded = superseded
        self.count = count
        self.details = details
        self.content = content
    }

    /// Whether ``content`` has the whole version.
    package var isWhole: Bool { KeptContent.isWhole(content) }
}

/// A query for the kept older versions of a feed.
package enum KeptQuery: Sendable {
    /// The last versions before a number, the newest first, without content.
    case list(before: Int, limit: Int)
    /// A version and the versions after it, the oldest first, with content. The list ends with the
    /// first whole version from `through` on, or with the last one before `before`.
    case content(of: Int, through: Int, before: Int)
}

/// An order to a journal to forget an older version of a feed.
package struct ForgetOrder: Sendable {
    package let feed: FeedName
    /// The version to forget.
    let token: Token
    /// The version after it, if the version is a kept one; otherwise `nil`.
    package let next: Int?
    /// The kept version before it with new content, which leads back from ``next`` directly; `nil`:
    /// there is none.
    package internal(set) var replacement: KeptVersion?

    /// The epoch of the feed.
    package var epoch: String { token.epoch }

    /// The number of the version to forget.
    package var version: Int { token.version }
}

extension ForgetOrder {
    /// Returns the changes of the kept versions that carry the order out.
    ///
    /// - Parameter found: The last two kept versions up to ``version``, the newest first.
    /// - Returns: Whether the version is a kept one and must be removed, and the row that must
    ///   replace the version before it; `nil`: the kept versions have changed since the order was
    ///   made.
    package func change(
        of found: [KeptVersion]
    ) -> (isKept: Bool, replacement: KeptVersion?)? {
        guard let own = found.first, own.version == version else {
            return next == nil ? (false, nil) : nil
        }
        guard own.next == next else { return nil }
        guard found.count > 1, found[1].next == version else { return (true, nil) }
        guard let replacement, replacement.version == found[1].version else { return nil }
        return (true, replacement)
    }
}
