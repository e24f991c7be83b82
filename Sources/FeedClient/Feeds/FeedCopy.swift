import FeedDiff
public import FeedModel

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
        guard view.limit != nil, let total else { return false }
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
        case .missing: return forget()
        case .unchanged: return try confirm(document)
        case .changes(let changes, let since): return try apply(changes, since, document)
        case .snapshot(let snapshot): return try replace(snapshot, document)
        case .unreadable(let reason): throw FeedMismatch(reason: reason)
        }
    }

    private mutating func forget() -> FeedNews {
        guard !isMissing else { return .nothing }
        self = FeedCopy(feed, view: view)
        isMissing = true
        return .gone
    }

    private func confirm(_ document: ServedDocument) throws -> FeedNews {
        if isLate(document) { return .nothing }
        guard document.token == token else {
            throw FeedMismatch(reason: "another version is current", isOfVersions: true)
        }
        try FeedCopy.check(snapshot, document)
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
        hold(token == nil ? snapshot : snapshot.sharing(with: self.snapshot), document)
        fullCounts = document.sectionCounts
        return .replaced(reason: document.reason)
    }

    private mutating func hold(_ snapshot: Snapshot, _ document: ServedDocument) {
        self.snapshot = snapshot
        token = document.token
        taken = .now
        total = document.total
        isMissing = false
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
