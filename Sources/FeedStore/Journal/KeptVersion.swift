package import FeedModel

/// The rule for how many older versions of a feed the journal stores (docs/OPERATIONS.md, "Kept
/// versions").
package enum Retention: Sendable, Equatable {
    /// A number: the newest older versions are kept.
    case count(Int)
    /// A time in seconds: versions that were current within that time are kept.
    case age(Double)

    /// The most older versions of a feed that any rule allows to store.
    package static let countLimit = 10_000

    /// The most older versions that this rule allows to store.
    package var limit: Int {
        switch self {
        case .count(let limit): min(limit, Retention.countLimit)
        case .age: Retention.countLimit
        }
    }

    /// Returns whether a version is within the rule's age; `true` if the rule is a count.
    ///
    /// Both times are in seconds since 1970.
    package func isYoung(_ superseded: Double, at now: Double) -> Bool {
        guard case .age(let age) = self else { return true }
        return now - superseded <= age
    }
}

/// An older version in a journal, to which a feed can be taken back, even after a restart.
///
/// Most stored versions consist of the changes that lead back from the next version; a few are
/// whole. A version is rebuilt from the next whole one, or from the oldest one in memory, by going
/// back version by version.
package struct KeptVersion: Sendable, Equatable {
    /// The number of the version.
    package let version: Int
    /// The number of the next version, from which the changes in ``content`` lead back.
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

    /// Whether ``content`` is the whole version.
    package var isWhole: Bool { content.first == KeptContent.wholeFormatByte }
}

/// A query for the kept older versions of a feed.
package enum KeptQuery: Sendable {
    /// At most `limit` versions before a number, the newest first, without content.
    case list(before: Int, limit: Int)
    /// A version and the versions after it, the oldest first, with content.
    ///
    /// The list ends with the first whole version, or with the last version before `before`.
    case content(of: Int, before: Int)
}

/// An order to a journal to forget an older version of a feed.
package struct ForgetOrder: Sendable {
    package let feed: FeedName
    /// The version to forget.
    let token: Token
    /// The number of the version after it; `nil`: the version to forget is not a kept one.
    package let next: Int?
    /// The kept version before it as a whole, which ``next`` follows then; `nil`: there is no
    /// version before it.
    package internal(set) var replacement: KeptVersion?

    /// The epoch of the feed.
    package var epoch: String { token.epoch }

    /// The number of the version to forget.
    package var version: Int { token.version }
}

extension ForgetOrder {
    /// Returns the changes of the journal's rows that carry the order out.
    ///
    /// - Parameter found: The last two kept versions up to ``version``, the newest first.
    /// - Returns: `isKept`: the row of the version must be removed; `replacement`: a row to replace
    ///   that of the version before. `nil`: the rows have changed since the order was made.
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
