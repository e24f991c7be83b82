import FeedDiff
public import FeedModel
public import Foundation

/// A feed, or a view of it, as a client holds it; knows no network.
public struct FeedCopy: Sendable {
    /// The feed.
    public let feed: FeedName

    /// The part of it that is held.
    public internal(set) var view: FeedView

    /// The version that is held; `nil` before the first one, and when there is no such feed.
    public private(set) var token: Token?

    /// Whether the server has said that there is no such feed.
    public private(set) var isMissing = false

    /// Since when the server has not had the feed whose content is still held; `nil`: it has the
    /// feed, or nothing is held.
    ///
    /// Content that was read without a key stays for 24 hours (docs/READING.md, "When a feed is
    /// gone").
    public private(set) var missingSince: Date?

    /// Whether the last answer depended on a key; `nil`: not known.
    var isPrivate: Bool?

    /// For how long the content of a feed that is gone stays.
    static let missingTime = 24.0 * 3600

    /// The content that is held.
    public internal(set) var snapshot = Snapshot()

    /// The whole feed's number of items, in a view by section or limit.
    public private(set) var total: Int?

    /// The numbers of items that the server states for sections shown in part.
    private var fullCounts: [ExactString: Int] = [:]

    /// When the version that is held was taken.
    private var taken: ContinuousClock.Instant?

    /// Holds nothing yet.
    public init(_ feed: FeedName, view: FeedView = FeedView()) {
        self.feed = feed
        self.view = view
    }

    /// A section's number of items in the whole feed, where a limit or sections show a part of it;
    /// `nil` where there is no such section in the view.
    public func count(ofSection id: ExactString) -> Int? {
        fullCounts[id] ?? snapshot.sections.first { $0.id == id }?.items.count
    }

    /// Whether there are rows after those that are held, which a limit leaves out.
    public var hasMore: Bool {
        guard view.limit != nil, let total, missingSince == nil else { return false }
        guard view.sections != nil else { return snapshot.count < total }
        // Rows are left out at the end, so it is soon found.
        return snapshot.sections.reversed().contains { section in
            (fullCounts[section.id] ?? 0) > section.items.count
        }
    }

    /// Takes what a server says of the feed through the same view.
    ///
    /// A late document changes nothing: one of an earlier version, that answers a request which was
    /// sent before this version was taken. Any other document of an earlier version tells that the
    /// server has lost later ones, and a snapshot is taken whatever its version.
    ///
    /// - Parameter document: An answer, or an event.
    /// - Returns: The news of the feed.
    /// - Throws: ``FeedMismatch`` when it does not fit what is held, which stays as it was; the
    ///   snapshot is then to be fetched.
    public mutating func take(_ document: ServedDocument) throws -> FeedNews {
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

    /// Notes that the server does not have the feed; what was read without a key stays for a while.
    private mutating func forget(at now: Date) -> FeedNews {
        let wasMissing = isMissing
        let since = missingSince ?? now
        let isHeld = token != nil || missingSince != nil
        if isHeld, isPrivate == false, now.timeIntervalSince(since) < FeedCopy.missingTime {
            markMissing(since: since)
            return wasMissing ? .nothing : .gone
        }
        guard isHeld || !wasMissing else { return .nothing }
        self = FeedCopy(feed, view: view)
        isMissing = true
        return .gone
    }

    /// Keeps the content of a feed that is gone, and asks for it as from nothing.
    mutating func markMissing(since: Date) {
        (token, isMissing, missingSince) = (nil, true, since)
    }

    /// Whether the content of a feed that is gone has stayed long enough.
    func isOutdated(at now: Date) -> Bool {
        missingSince.map { now.timeIntervalSince($0) >= FeedCopy.missingTime } ?? false
    }

    private mutating func confirm(_ document: ServedDocument) throws -> FeedNews {
        if isLate(document) { return .nothing }
        guard document.token == token else {
            throw FeedMismatch(reason: "another version is current", isOfVersions: true)
        }
        try FeedCopy.check(snapshot, document)
        isPrivate = document.isPrivate ?? isPrivate
        return .nothing
    }

    private mutating func apply(
        _ changes: Changes,
        _ since: Token,
        _ document: ServedDocument
    ) throws -> FeedNews {
        if isLate(document) || document.token == token { return .nothing }
        guard since == token else {
            throw FeedMismatch(reason: "the changes start from another version", isOfVersions: true)
        }
        // Where ids are is found out once, so that changes do not cost as much as the feed is long.
        if !changes.isLong(for: snapshot) { snapshot = snapshot.indexed() }
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
    ) throws -> FeedNews {
        if isLate(document) { return .nothing }
        try FeedCopy.check(snapshot, document)
        // What is equal is kept as it is: less memory, and what compares both later is quick.
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

    /// In a view, sections keep the counts that they are told; elsewhere they have what they come
    /// to.
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

    /// Whether it answers a request that was sent before a later version was taken.
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

extension Changes {
    /// Whether there are so many that a list is made anew sooner than each is applied.
    fileprivate func isLong(for snapshot: Snapshot) -> Bool {
        let count = insertedItems.count + removedItems.count + movedItems.count + updatedItems.count
        return count > snapshot.count / 8
    }
}

/// The news of a feed.
public enum FeedNews: Sendable {
    /// Nothing.
    case nothing

    /// These changes lead from what was held to what is.
    case changes(Changes)

    /// A snapshot took the place of what was held; the reason in the server's words, if changes
    /// were asked for.
    case replaced(reason: String?)

    /// There is no such feed any more, or none that may be read.
    case gone
}

/// Why what a server sent does not fit what is held.
public struct FeedMismatch: Error, Equatable, Sendable {
    /// In words.
    public let reason: String

    /// Whether what is held may be as it should, and only another version than the server took
    /// it for.
    var isOfVersions = false
}
