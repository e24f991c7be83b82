package import FeedModel

/// A durable store of published versions: a database, for example.
///
/// Every version is appended to the journal before any reader can see it. A common suite of tests
/// checks the contract for every implementation.
package protocol Journal: AnyObject, Sendable {
    /// Reads all feeds, and returns the journal's content besides them; called once, before the
    /// first ``append(_:decided:)``.
    ///
    /// The feeds are durable, so the store may show them to readers.
    ///
    /// - Parameter body: Called with each feed, in no particular order.
    /// - Throws: ``JournalError`` if the journal is damaged; damage is never repaired
    ///   automatically.
    func recover(_ body: (RecoveredFeed) -> Void) throws(JournalError) -> RecoveredState

    /// Queues an entry to be stored durably.
    ///
    /// The call returns at once, does no I/O and may be made under a lock. The outcomes of a feed's
    /// entries come in the order in which they were appended.
    ///
    /// - Parameters:
    ///   - entry: The entry, which is stored as a whole or not at all.
    ///   - decided: Called with the outcome on a queue of the journal, never before `append`
    ///     returns. After ``JournalOutcome/unknown(_:)``, it is called once more when the outcome
    ///     is known.
    func append(_ entry: JournalEntry, decided: @escaping @Sendable (JournalOutcome) -> Void)

    /// Finds older versions of a feed that the journal stores (``KeptVersion``).
    ///
    /// - Parameters:
    ///   - feed: The feed, which need not exist.
    ///   - epoch: The feed's epoch. If the feed has another one, nothing is found.
    ///   - completion: Called once, on a queue of the journal, with the versions.
    func findKept(
        _ query: KeptQuery,
        of feed: FeedName,
        epoch: String,
        completion: @escaping @Sendable (Result<[KeptVersion], JournalError>) -> Void
    )

    /// Removes all data of a version that is not the newest.
    ///
    /// - Parameters:
    ///   - order: The version to remove. If the stored versions have changed since the order was
    ///     made, the outcome is ``JournalOutcome/late``.
    ///   - completion: Called once, on a queue of the journal.
    func forget(_ order: ForgetOrder, completion: @escaping @Sendable (JournalOutcome) -> Void)

    /// Stores states of sources, each under the name of its feed, in the order of the calls.
    ///
    /// The states share a transaction with entries that are queued.
    ///
    /// - Parameters:
    ///   - states: The changed states. An empty state is removed.
    ///   - completion: Called once, on a queue of the journal, with `true` if the states are
    ///     durable; `false`: they may be stored or not.
    func keep(_ states: SourceStates, completion: @escaping @Sendable (Bool) -> Void)

    /// Stores or refuses all appended entries, and releases all resources.
    ///
    /// Entries appended afterwards are refused.
    func close()

    /// The reason why entries cannot be stored at the moment; `nil` while they can.
    var trouble: String? { get }
}

/// The encoded states of sources, the external documents that the server fetches, by the names of
/// their feeds.
package typealias SourceStates = [String: [UInt8]]

/// The outcome of an entry.
package enum JournalOutcome: Sendable, Equatable {
    /// The entry is stored, and survives a crash of the process or the machine.
    case durable
    /// The entry was refused, for this reason, and had no effect.
    case refused(String)
    /// The entry may be stored or not, for this reason; no further entries are stored until the
    /// outcome is known.
    case unknown(String)
    /// The entry had no effect, since another server that shares the journal was first: the entry
    /// was not made from the newest version, or a request with the same Idempotency-Key was carried
    /// out.
    case late
}

/// An error of a journal.
package struct JournalError: Error, Equatable, CustomStringConvertible {
    /// The fault and the file or row that has it, for the operator.
    package let description: String

    /// Whether the disk is full.
    package let isFull: Bool

    /// Makes an error with a description.
    package init(_ description: String, isFull: Bool = false) {
        self.description = description
        self.isFull = isFull
    }
}

/// A change of a feed that the journal is to store.
package struct JournalEntry: Sendable {
    /// The kind of change, with its record.
    package enum Change: Sendable {
        /// The feed is created with this version; the image is of its content.
        case creation(VersionContent, FeedImage)
        /// A version follows another one; the bytes encode a ``DeltaRecord``.
        case version(VersionContent, [UInt8])
        /// The feed is deleted.
        case deletion
        /// The feed is unchanged; only ``JournalEntry/answer`` is stored.
        case nothing
    }

    package let feed: FeedName

    /// The version from which the entry was made, which must still be the newest; `nil`: the feed
    /// must not exist.
    package let previous: Token?

    /// The ``VersionNumber`` of the version from which the entry was made, which must still be the
    /// newest; `nil`: the token is enough.
    ///
    /// A token does not identify a version in this process: two versions may have the same token
    /// while neither is stored.
    package let base: Int?

    package let change: Change

    /// The retention of older versions, and the version that the entry adds to them.
    package struct Keeping: Sendable {
        package let retention: Retention
        /// The version that the entry supersedes.
        package let previous: KeptVersion

        package init(_ retention: Retention, _ previous: KeptVersion) {
            self.retention = retention
            self.previous = previous
        }
    }

    /// The older version to go on storing, for ``Change/version(_:_:)``; `nil`: all stored older
    /// versions are removed.
    package let keeping: Keeping?

    /// The response for repeated requests, stored in the same transaction; `nil`: none.
    package let answer: JournalAnswer?

    /// Makes an entry.
    package init(
        feed: FeedName,
        previous: Token?,
        base: Int? = nil,
        change: Change,
        keeping: Keeping? = nil,
        answer: JournalAnswer? = nil
    ) {
        self.feed = feed
        self.previous = previous
        self.base = base
        self.change = change
        self.keeping = keeping
        self.answer = answer
    }
}

extension JournalEntry {
    /// Returns whether the entry was made from the newest version.
    ///
    /// - Parameters:
    ///   - token: The token of the newest version; `nil`: the feed does not exist.
    ///   - number: The ``VersionNumber`` of the newest version; `nil`: the version was stored
    ///     before the process began, so that its token identifies it.
    package func follows(_ token: Token?, number: Int?) -> Bool {
        guard token == previous else { return false }
        guard let base, let number else { return true }
        return base == number
    }
}

/// The parts of a version that a journal stores: an object of its own, to which a journal may refer
/// weakly.
package final class VersionContent: Sendable {
    package let token: Token
    package let snapshot: Snapshot
    /// The time of the publish, in seconds since 1970.
    package let published: Double
    /// The ``VersionNumber`` of the version; `nil`: the version was stored before the process
    /// began, or was rebuilt from a ``KeptVersion``, so that its token identifies it.
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

    /// Returns the content with the numbers of items that were changed since the version before;
    /// one that has them is returned itself, since the journal may refer to it weakly.
    func counting(_ counts: ChangeCounts.Tally) -> VersionContent {
        guard details.itemCounts == nil else { return self }
        return VersionContent(
            token: token,
            snapshot: snapshot,
            published: published,
            number: number,
            details: VersionDetails(origin: details.origin, itemCounts: counts)
        )
    }
}

/// The response to a request with an Idempotency-Key (docs/PUBLISHING.md, "The requests").
package struct JournalAnswer: Sendable, Equatable {
    /// The digest of the requester's bearer key.
    package let owner: [UInt8]
    /// The bytes that identify the request among those of its owner.
    package let key: [UInt8]
    /// The digest of the body with its media type, by which a repeated request is compared.
    package let fingerprint: [UInt8]
    /// The response, encoded by the caller.
    package let response: [UInt8]
    /// The time of the response, in seconds since 1970.
    package let time: Double

    /// The time for which answers are stored, in seconds.
    package static let lifetime = 600.0

    /// The most answers of each owner that repeated requests may get.
    package static let countLimit = 10_000

    /// Makes an answer.
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

/// A feed that was read from a journal.
package struct RecoveredFeed: Sendable {
    package let feed: FeedName

    /// The versions, at least one, the oldest first; each was made from the one before it.
    package let versions: [VersionContent]

    /// The publish times of the last versions in seconds since 1970, the oldest first.
    ///
    /// There may be more times than ``versions``.
    package let times: [Double]

    /// A time in seconds since 1970; no version of an earlier, deleted feed of the same name was
    /// published after it.
    package let floor: Double

    package init(feed: FeedName, versions: [VersionContent], times: [Double], floor: Double) {
        self.feed = feed
        self.versions = versions
        self.times = times
        self.floor = floor
    }
}

/// The content of a journal besides the feeds.
package struct RecoveredState: Sendable {
    /// The answers that are younger than their lifetime, the oldest first.
    package var answers: [JournalAnswer] = []

    /// The latest time at which a feed that is deleted now was published, in seconds since 1970;
    /// `nil`: no deletion is recorded.
    package var latestDeleted: Double?

    /// The states of sources.
    package var sources: SourceStates = [:]

    /// The states of sources as an earlier release of the server wrote them, and the path of their
    /// file; `nil`: there is no such file.
    ///
    /// The first call of ``Journal/keep(_:completion:)`` replaces the file.
    package var oldSources: (path: String, text: [UInt8])?

    package init() {}
}
