package import FeedModel

/// Keeps published versions, so that they outlive the process.
///
/// The store has every version appended before any reader can see it. One suite of tests checks the
/// contract for every implementation.
package protocol Journal: AnyObject, Sendable {
    /// Reads the kept feeds; called once, before the first ``append(_:decided:)``.
    ///
    /// All feeds that it hands over are durable by then, so that readers may see them.
    ///
    /// - Parameter body: Gets each feed, in no particular order.
    /// - Returns: The state that is kept beside the feeds.
    /// - Throws: ``JournalError`` when something is damaged; nothing is repaired by itself.
    func recover(
        _ body: (RecoveredFeed) throws(JournalError) -> Void
    ) throws(JournalError) -> RecoveredState

    /// Puts an entry in line to be kept.
    ///
    /// It returns at once, does no I/O and may be called under a lock. Entries of one feed are
    /// decided in the order in which they were appended.
    ///
    /// - Parameters:
    ///   - entry: The entry to keep, all of it or nothing.
    ///   - decided: Called on a queue of the journal's, never before this returns: once; or with
    ///     ``JournalOutcome/unknown(_:)`` and then, when the journal has found out, once more.
    func append(_ entry: JournalEntry, decided: @escaping @Sendable (JournalOutcome) -> Void)

    /// Finds older versions of a feed that are kept.
    ///
    /// - Parameters:
    ///   - query: The versions to find.
    ///   - feed: The feed, which need not exist.
    ///   - epoch: Its epoch; of another one there is nothing.
    ///   - completion: Called once, on a queue of the journal's, with what was found.
    func findKept(
        _ query: KeptQuery,
        of feed: FeedName,
        epoch: String,
        completion: @escaping @Sendable (Result<[KeptVersion], JournalError>) -> Void
    )

    /// Forgets a version that is not the newest, wherever the journal has it.
    ///
    /// - Parameters:
    ///   - order: The version; where the kept versions differ from what the order says of them, the
    ///     outcome is ``JournalOutcome/late``.
    ///   - completion: Called once, on a queue of the journal's.
    func forget(_ order: ForgetOrder, completion: @escaping @Sendable (JournalOutcome) -> Void)

    /// Keeps states of sources, each under the name of its feed, in the order of the calls.
    ///
    /// They share a transaction with entries that wait.
    ///
    /// - Parameters:
    ///   - states: The states that have changed; an empty one is forgotten.
    ///   - completion: Called once, on a queue of the journal's, with whether the states are kept,
    ///     whatever happens to the process or the machine; otherwise that is not known.
    func keep(_ states: SourceStates, completion: @escaping @Sendable (Bool) -> Void)

    /// Decides all appended entries, and releases all resources; nothing can be appended
    /// afterwards.
    func close()

    /// The reason why nothing can be appended at the moment; `nil` while all is well.
    var trouble: String? { get }
}

/// The states of sources as their bytes, by the names of their feeds.
package typealias SourceStates = [String: [UInt8]]

/// The outcome of an entry.
package enum JournalOutcome: Sendable, Equatable {
    /// The entry is kept, whatever happens to the process or the machine.
    case durable
    /// The entry was refused, and nothing was done.
    case refused(String)
    /// The entry may be kept or not; nothing is appended until that is known.
    case unknown(String)
    /// Another server that shares the journal was first, and nothing was done: the entry was not
    /// made of the newest version, or a request with the same Idempotency-Key was carried out.
    case late
}

/// The error that a journal cannot be used.
package struct JournalError: Error, Equatable, CustomStringConvertible {
    /// The fault and its place, for people.
    package let description: String

    /// Whether there is no room on the disk.
    package let isFull: Bool

    /// Takes the words.
    package init(_ description: String, isFull: Bool = false) {
        self.description = description
        self.isFull = isFull
    }
}

/// A step of a feed that is to be kept.
package struct JournalEntry: Sendable {
    /// The change that the step makes.
    package enum Change: Sendable {
        /// The feed is created.
        case creation(FeedImage)
        /// A version follows another one: the bytes of a ``VersionDelta``.
        case version([UInt8])
        /// The feed is deleted.
        case deletion
        /// The feed stays as it is; only the answer is kept.
        case nothing
    }

    package let feed: FeedName

    /// The version that the entry makes, a later one than ``previous``; for ``Change/nothing`` the
    /// current one, for ``Change/deletion`` none.
    package let token: Token?

    /// The newest version before the entry, which must still be the newest; `nil`: there must be no
    /// feed.
    package let previous: Token?

    /// The number that tells the version which the entry makes, or leaves, from every other of this
    /// process.
    ///
    /// Two versions may have the same token while neither is kept.
    package let number: Int?

    /// The number of the version that the entry was made of, which must still be the newest; `nil`:
    /// the token says enough.
    package let base: Int?

    /// The time at which the version was published, in seconds since 1970.
    package let published: Double

    package let change: Change

    /// The older versions of a feed that are kept from this step on.
    package struct Keeping: Sendable {
        package let retention: Retention
        /// The version before this one.
        package let previous: KeptVersion

        package init(_ retention: Retention, _ previous: KeptVersion) {
            self.retention = retention
            self.previous = previous
        }
    }

    /// The retention of older versions, for ``Change/version(_:)``; `nil`: none is kept any more.
    package let keeping: Keeping?

    /// The response to be repeated, kept in the same transaction.
    package let answer: JournalAnswer?

    /// The content of the new version, for as long as it is held elsewhere; compaction starts from
    /// it.
    package let source: WeakContent

    /// Puts an entry together.
    package init(
        feed: FeedName,
        token: Token?,
        previous: Token?,
        number: Int? = nil,
        base: Int? = nil,
        published: Double,
        change: Change,
        keeping: Keeping? = nil,
        answer: JournalAnswer? = nil,
        source: VersionContent? = nil
    ) {
        self.feed = feed
        self.token = token
        self.previous = previous
        self.number = number
        self.base = base
        self.published = published
        self.change = change
        self.keeping = keeping
        self.answer = answer
        self.source = WeakContent(source)
    }
}

extension JournalEntry {
    /// Whether the entry was made of the newest version.
    ///
    /// - Parameters:
    ///   - token: The token of the newest version; `nil`: there is no feed.
    ///   - number: The number of the newest version; `nil`: it was kept before the process began,
    ///     when there was one version of each token.
    package func follows(_ token: Token?, number: Int?) -> Bool {
        guard token == previous else { return false }
        guard let base, let number else { return true }
        return base == number
    }
}

/// The content of a version, as the journal keeps it.
package final class VersionContent: Sendable {
    package let snapshot: Snapshot
    package let details: VersionDetails

    package init(_ snapshot: Snapshot, _ details: VersionDetails) {
        self.snapshot = snapshot
        self.details = details
    }
}

/// A reference that does not keep a version's content alive.
///
/// It refers to the content and not to the version, since the references to an object are counted
/// slowly once a weak one exists, and every read takes and drops references to a version.
package struct WeakContent: Sendable {
    private final class Box: Sendable {
        weak let content: VersionContent?

        init(_ content: VersionContent?) {
            self.content = content
        }
    }

    private let box: Box

    /// Refers to a content; `nil`: to none.
    package init(_ content: VersionContent?) {
        box = Box(content)
    }

    /// The content, if it is still held.
    package var content: VersionContent? { box.content }
}

/// The response to a request with an Idempotency-Key (docs/PUBLISHING.md, "The requests").
package struct JournalAnswer: Sendable, Equatable {
    /// The digest of the bearer key.
    package let owner: [UInt8]
    /// The bytes that tell the requests of one owner apart.
    package let key: [UInt8]
    /// The bytes that tell bodies with their media types apart.
    package let fingerprint: [UInt8]
    /// The response, in a form of the caller's.
    package let response: [UInt8]
    /// The time at which the answer was given, in seconds since 1970.
    package let time: Double

    /// The time for which answers are kept, in seconds.
    package static let lifetime = 600.0

    /// The most answers that are kept for each owner.
    package static let countLimit = 10_000

    /// Puts an answer together.
    package init(
        owner: [UInt8],
        key: [UInt8],
        fingerprint: [UInt8],
        response: [UInt8],
        time: Double
    ) {
        self.owner = owner
        self.key = key
        self.fingerprint = fingerprint
        self.response = response
        self.time = time
    }
}

/// A feed as it was kept.
package struct RecoveredFeed: Sendable {
    /// A version of the feed.
    package struct Version: Sendable {
        package let token: Token
        package let snapshot: Snapshot
        /// Seconds since 1970.
        package let published: Double
        /// The number that tells the version from every other of this process (``VersionNumber``);
        /// `nil`: it was kept before the process began, when there was one version of each token.
        package let number: Int?
        package let details: VersionDetails

        package init(
            token: Token,
            snapshot: Snapshot,
            published: Double,
            number: Int? = nil,
            details: VersionDetails = VersionDetails()
        ) {
            self.token = token
            self.snapshot = snapshot
            self.published = published
            self.number = number
            self.details = details
        }
    }

    package let feed: FeedName

    /// The versions, at least one, the oldest first; each was made of the one before it.
    package let versions: [Version]

    /// The times at which the last versions were published, the oldest first; they may begin before
    /// ``versions`` do.
    package let times: [Double]

    /// The time after which no version of an earlier feed of that name was published, in seconds
    /// since 1970.
    package let floor: Double

    package init(feed: FeedName, versions: [Version], times: [Double], floor: Double) {
        self.feed = feed
        self.versions = versions
        self.times = times
        self.floor = floor
    }
}

/// The kept state beside the feeds.
package struct RecoveredState: Sendable {
    /// The answers that are younger than their lifetime, the oldest first.
    package var answers: [JournalAnswer] = []

    /// The latest time of a publish of a feed that is deleted now, in seconds since 1970.
    package var latestDeleted: Double?

    /// The states of sources.
    package var sources: SourceStates = [:]

    /// The states of sources in the form of servers that kept them in a file; the journal lets go
    /// of it with the first call of ``Journal/keep(_:completion:)``.
    package var oldSources: (place: String, text: [UInt8])?

    /// Warnings about a journal that can be used nevertheless.
    package var warnings: [String] = []

    package init() {}
}
