import FeedDiff
public import FeedModel
public import Foundation

/// A client's copy of a feed or a view: its content at a version, to which the server's documents
/// are applied.
///
/// The copy itself sends no requests.
public struct FeedCopy: Sendable {
    /// The feed.
    public let feed: FeedName

    /// The part of the feed that is held.
    public internal(set) var view: FeedView

    /// The version of the content; `nil` before the first one, and when the feed does not exist.
    public private(set) var token: Token?

    /// Whether the server has said that the feed does not exist.
    public private(set) var isMissing = false

    /// The time since when the feed is missing while its content is still held; `nil`: the feed
    /// exists, or nothing is held.
    ///
    /// Content that was read without a key stays for 24 hours (docs/READING.md, "When a feed is
    /// gone").
    public private(set) var missingSince: Date?

    /// Whether the last response depended on the key; `nil`: unknown.
    var isPrivate: Bool?

    /// The time in seconds for which the content of a missing feed stays.
    static let missingTime = 24.0 * 3600

    /// The content that is held.
    public internal(set) var snapshot = Snapshot()

    /// The number of items of the whole feed, in a view by sections or limit; `nil`: the copy is of
    /// the whole feed.
    public private(set) var total: Int?

    /// The full number of items of sections that the view shows in part, by id.
    private(set) var fullCounts: [ExactString: Int] = [:]

    /// The time at which the current version was applied.
    private var taken: ContinuousClock.Instant?

    /// Makes an empty copy.
    public init(_ feed: FeedName, view: FeedView = FeedView()) {
        self.feed = feed
        self.view = view
    }

    /// Returns the number of items that a section has in the whole feed, which may be more than the
    /// view shows; `nil`: the view has no such section.
    public func count(ofSection id: ExactString) -> Int? {
        fullCounts[id] ?? snapshot.sections.first { $0.id == id }?.items.count
    }

    /// Whether the view's limit leaves out further rows.
    public var hasMore: Bool {
        guard view.limit != nil, let total, missingSince == nil else { return false }
        guard view.sections != nil else { return snapshot.count < total }
        // Rows are left out at the end, so the search begins there.
        return snapshot.sections.reversed().contains { section in
            (fullCounts[section.id] ?? 0) > section.items.count
        }
    }

    /// Applies a document of the server about this feed and view.
    ///
    /// A late document changes nothing: it has an earlier version, and answers a request that was
    /// sent before the current version was applied. Any other document of an earlier version shows
    /// that the server has lost later ones; then a snapshot is applied whatever its version.
    ///
    /// - Parameter document: A response, or an event.
    /// - Returns: The effect on the content.
    /// - Throws: ``FeedMismatch`` if the document does not fit; the copy is then unchanged, and the
    ///   snapshot should be fetched.
    public mutating func take(_ document: ServedDocument) throws -> FeedChange {
        guard document.feed == feed.rawValue else {
            throw FeedMismatch(reason: "it is about the feed \"\(document.feed)\"")
        }
        switch document.content {
        case .missing: return forget(at: Date())
        case .unchanged: return try confirm(document)
        case .changes(let changes, let since): return try apply(changes, since, document)
        case .snapshot(let snapshot): return try replace(snapshot, document)
        case .unreadable(let reason): throw FeedMismatch(reason: reason)
        }
    }

    /// Records that the feed is missing.
    ///
    /// Content that was read without a key stays for a while.
    private mutating func forget(at now: Date) -> FeedChange {
        let wasMissing = isMissing
        let since = missingSince ?? now
        let isHeld = token != nil || missingSince != nil
        if isHeld, isPrivate == false, now.timeIntervalSince(since) < FeedCopy.missingTime {
            markMissing(since: since)
            return wasMissing ? .unchanged : .gone
        }
        guard isHeld || !wasMissing else { return .unchanged }
        self = FeedCopy(feed, view: view)
        isMissing = true
        return .gone
    }

    /// Keeps the content of a missing feed, but drops its version, so that the next request asks
    /// for a snapshot.
    mutating func markMissing(since: Date) {
        (token, isMissing, missingSince) = (nil, true, since)
    }

    /// Whether the time for which the content of a missing feed stays is over.
    func isOutdated(at now: Date) -> Bool {
        missingSince.map { now.timeIntervalSince($0) >= FeedCopy.missingTime } ?? false
    }

    private mutating func confirm(_ document: ServedDocument) throws -> FeedChange {
        if isLate(document) { return .unchanged }
        guard document.token == token else {
            throw FeedMismatch(reason: "another version is current", isOfVersions: true)
        }
        try FeedCopy.check(snapshot, document)
        isPrivate = document.isPrivate ?? isPrivate
        return .unchanged
    }

    private mutating func apply(
        _ changes: Changes,
        _ since: Token,
        _ document: ServedDocument
    ) throws -> FeedChange {
        if isLate(document) || document.token == token { return .unchanged }
        guard since == token else {
            throw FeedMismatch(reason: "the changes start from another version", isOfVersions: true)
        }
        let next: Snapshot
        do {
            next = try snapshot.applying(changes)
        } catch {
            throw FeedMismatch(reason: (error as? ChangesError)?.reason ?? "\(error)")
        }
        try FeedCopy.check(next, document)
        hold(next, document)
        count(changes)
        return .changes(changes)
    }

    private mutating func replace(
        _ snapshot: Snapshot,
        _ document: ServedDocument
    ) throws -> FeedChange {
        if isLate(document) { return .unchanged }
        try FeedCopy.check(snapshot, document)
        // Equal parts of the old snapshot are kept: that saves memory, and makes comparing both
        // fast.
        let isFirst = token == nil && missingSince == nil
        hold(isFirst ? snapshot : snapshot.sharing(with: self.snapshot), document)
        fullCounts = document.sectionCounts
        return .replaced(reason: document.reason)
    }

    private mutating func hold(_ snapshot: Snapshot, _ document: ServedDocument) {
        self.snapshot = snapshot
        token = document.token
        taken = .now
        total = document.total
        isPrivate = document.isPrivate ?? isPrivate
        (isMissing, missingSince) = (false, nil)
    }

    /// Applies changes of sections to ``fullCounts``.
    ///
    /// A copy of the whole feed needs none.
    private mutating func count(_ changes: Changes) {
        guard total != nil else {
            fullCounts = [:]
            return
        }
        for id in changes.removedSections { fullCounts[id] = nil }
        for section in changes.insertedSections { fullCounts[section.id] = section.fullCount }
        for section in changes.updatedSections where section.fullCount != nil {
            fullCounts[section.id] = section.fullCount
        }
    }

    /// Whether a document answers a request that was sent before a later version was applied.
    private func isLate(_ document: ServedDocument) -> Bool {
        guard let token, let other = document.token, let taken, let requested = document.requested
        else { return false }
        return other.hasSameEpoch(as: token) && other.version < token.version && requested < taken
    }

    static func check(_ snapshot: Snapshot, _ document: ServedDocument) throws {
        guard ServedDocument.Check(of: snapshot) == document.check else {
            throw FeedMismatch(reason: "it does not come to the items that it should")
        }
    }
}

/// The effect of a server's document on a feed's content.
public enum FeedChange: Sendable {
    /// The content is unchanged.
    case unchanged

    /// The content changed by these changes.
    case changes(Changes)

    /// A snapshot replaced the content; the server's reason, if changes were requested.
    case replaced(reason: String?)

    /// The feed does not exist any more, or may not be read any more.
    case gone
}

/// The error that a document does not fit the copy.
public struct FeedMismatch: Error, Equatable, Sendable {
    /// The reason in words.
    public let reason: String

    /// Whether only the versions differ, so that the copy may be correct and changes from its
    /// version can be requested.
    var isOfVersions = false
}
