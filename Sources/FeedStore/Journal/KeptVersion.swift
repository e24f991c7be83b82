package import FeedModel

/// The facts about a version beside its content, as the list of versions has them.
package struct VersionDetails: Sendable, Equatable {
    /// Who published it; `nil`: not known.
    package var origin: VersionOrigin?
    /// How many items came, went, moved and changed since the version before; `nil`: not known.
    package var itemCounts: ChangeCounts.Tally?

    /// Makes details; without arguments, those of a version of which nothing is known.
    package init(origin: VersionOrigin? = nil, itemCounts: ChangeCounts.Tally? = nil) {
        self.origin = origin
        self.itemCounts = itemCounts
    }
}

/// How many older versions of a feed are kept (docs/OPERATIONS.md, "Kept versions").
package enum Retention: Sendable, Equatable {
    /// The newest ones, so many.
    case count(Int)
    /// Versions that were current within so many seconds.
    case age(Double)

    /// The most versions of a feed that are kept.
    package static let countLimit = 10_000

    /// The most versions that are kept.
    package var limit: Int {
        switch self {
        case .count(let limit): min(limit, Retention.countLimit)
        case .age: Retention.countLimit
        }
    }

    /// Whether the oldest kept version stays.
    ///
    /// - Parameters:
    ///   - count: The number of kept versions, this one included.
    ///   - superseded: When another version followed it, in seconds since 1970.
    ///   - now: Seconds since 1970.
    package func keeps(count: Int, superseded: Double, at now: Double) -> Bool {
        count <= limit && isYoung(superseded, at: now)
    }

    /// Whether a version that was superseded then counts at all.
    package func isYoung(_ superseded: Double, at now: Double) -> Bool {
        guard case .age(let age) = self else { return true }
        return now - superseded <= age
    }
}

/// An older version that a journal keeps, so that a feed can be taken back to it after a restart.
///
/// The content of most kept versions is the change from the version that followed back to them; now
/// and then it is the whole version. A version is rebuilt from the oldest version in memory, or from
/// a whole one, through the versions between.
package struct KeptVersion: Sendable, Equatable {
    package let version: Int
    /// The version that followed it, from which ``content`` leads back.
    package var next: Int
    /// When it was published, in seconds since 1970.
    package let published: Double
    /// When the next version was published, in seconds since 1970.
    package let superseded: Double
    /// The number of items.
    package let count: Int
    package let details: VersionDetails
    /// The bytes of a ``KeptContent``; empty in a list of versions.
    package var content: [UInt8]

    /// Puts a version together.
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

    /// Whether its content is the whole version.
    package var isWhole: Bool { KeptContent.isWhole(content) }
}

/// A question about the older versions of a feed that are kept.
package enum KeptQuery: Sendable {
    /// The versions before one, the newest first, without their content.
    case list(before: Int, limit: Int)
    /// A version with its content, and those that followed it, the oldest first: up to the first
    /// whole one that is not before `through`, or to the last one before `end`.
    case content(of: Int, through: Int, before: Int)
}

/// An order to forget an older version of a feed.
package struct ForgetOrder: Sendable {
    package let feed: FeedName
    /// The epoch of the feed.
    package let epoch: String
    package let version: Int
    /// The version that followed it, if it is among the kept ones.
    package let next: Int?
    /// The kept version before it, which leads back from the version after it from now on.
    package let replacement: KeptVersion?

    /// Puts an order together.
    package init(
        feed: FeedName,
        epoch: String,
        version: Int,
        next: Int?,
        replacement: KeptVersion?
    ) {
        self.feed = feed
        self.epoch = epoch
        self.version = version
        self.next = next
        self.replacement = replacement
    }
}

extension ForgetOrder {
    /// Returns how the kept versions change when the order is carried out; `nil` where they are not
    /// those that the order was made of.
    ///
    /// - Parameter found: The last two kept versions up to the order's own, the newest first.
    /// - Returns: Whether the version is among them, and is removed; and the version that then leads
    ///   past it, in place of the one of its number.
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
