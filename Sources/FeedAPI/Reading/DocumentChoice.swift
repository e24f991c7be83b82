import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPWire

/// What is sent for a feed: which document, of which versions, through which view.
struct DocumentChoice: Sendable {
    /// The version it leads to.
    let version: Version
    /// The version it starts from, where the server remembers it.
    let old: Version?
    let kind: ResponseKey.Kind
    let view: FeedView

    /// Decides which document answers a query.
    ///
    /// - Parameters:
    ///   - query: What was asked.
    ///   - old: The version that `since` names, if the server remembers it.
    ///   - version: The current one, or the one that the query asks for.
    init(_ query: borrowing FeedQuery, old: Version?, version: Version) {
        self.version = version
        view = query.presentation.view
        let known = old?.token.epoch == version.token.epoch ? old : nil
        self.old = known
        switch DocumentChoice.kind(query, now: version.token) {
        case .changes where known == nil: kind = .snapshotForExpired
        case .patch where known == nil: kind = .patch(since: 0)
        case let other: kind = other
        }
    }

    /// Which document answers a query, if the version in `since` is remembered.
    static func kind(_ query: borrowing FeedQuery, now: Token) -> ResponseKey.Kind {
        let asksForOld = query.version != nil
        return kind(since: query.since, query.presentation, now: now, asksForOld: asksForOld)
    }

    /// The same; only from an old version that is asked for can there be a way back.
    static func kind(
        since: Token?,
        _ presentation: borrowing Presentation,
        now: Token,
        asksForOld: Bool = false
    ) -> ResponseKey.Kind {
        guard let since else {
            return presentation.isPatch ? .patch(since: 0) : .snapshot
        }
        let isPast = since.version <= now.version || asksForOld
        let canBeKnown = since.epoch == now.epoch && isPast
        let isLong = presentation.tellsChanges
        if presentation.isPatch {
            guard canBeKnown else { return .patch(since: 0) }
            return .patch(since: since.version, atAnyLength: isLong && since != now)
        }
        if since == now { return .unchanged }
        if since.epoch != now.epoch { return .snapshotForEpoch }
        guard canBeKnown else { return .snapshotForExpired }
        return .changes(since: since.version, atAnyLength: isLong)
    }

    /// Whether it is the same document.
    func isSame(as other: DocumentChoice) -> Bool {
        version === other.version && kind == other.kind && view == other.view
    }

    /// Whether it says that there is nothing new.
    var isUnchanged: Bool {
        switch kind {
        case .unchanged: true
        case .patch(let since, _): since == version.token.version
        default: false
        }
    }
}

/// What can be said of a document before it is made.
extension DocumentChoice {
    /// Its coding, where that can be told: what says that there is nothing new is short, and what has
    /// many items becomes smaller.
    func foreseenCoding(_ wish: CodingChoice) -> ContentCoding? {
        if wish.coding == .identity || wish.isForced { return wish.coding }
        if isUnchanged { return .identity }
        return isSurelyLong ? wish.coding : nil
    }

    /// Whether it has some kilobytes of items.
    var isSurelyLong: Bool {
        switch kind {
        case .outline:
            let least = DocumentChoice.leastOutlinedByteCount
            return version.snapshot.sections.count * least >= DocumentChoice.surelyLong
        case .snapshot, .snapshotForEpoch, .snapshotForExpired, .patch(since: 0, _): break
        default: return false
        }
        return view.isWhole
            ? version.snapshot.itemByteCount >= DocumentChoice.surelyLong
            : view.shows(more: DocumentChoice.surelyLong, of: version.snapshot)
    }

    /// Whether making it takes about as long as its own length lets expect, however long the feed is.
    ///
    /// - Parameter knowsDelta: Whether the changes are known that lead to the version.
    func isCheap(knowsDelta: Bool) -> Bool {
        switch kind {
        case .snapshot, .snapshotForEpoch, .snapshotForExpired: !isSurelyLong
        case .unchanged, .outline: true
        case .changes: knowsDelta && view.isWhole
        default: isUnchanged
        }
    }

    /// Bytes of `{"id":"a","count":0}`.
    private static let leastOutlinedByteCount = 20

    /// Bytes of JSON that no coding makes longer.
    static let surelyLong = 4096
}

extension DocumentChoice {
    /// Makes the document.
    ///
    /// - Parameter responses: Those about ``version``, with what is known of the changes that lead
    ///   to it.
    func document(with responses: VersionResponses) -> ResponseBuilder.Document {
        var document = content(responses)
        document.canWait = canWait
        document.savedByteCount = saved(with: document.body)
        return document
    }

    /// The document whose bytes were made before.
    func described(_ body: [UInt8]) -> ResponseBuilder.Document {
        var document = ResponseBuilder.Document(body: body, isUnchanged: isUnchanged)
        document.canWait = canWait
        document.savedByteCount = saved(with: body)
        if case .patch = kind { document.mediaType = DocumentChoice.patchType }
        return document
    }

    /// What is left out of a whole feed, about: the bytes of its items, less the document's.
    private func saved(with body: [UInt8]) -> Int {
        guard view.isWhole, old != nil, !isUnchanged else { return 0 }
        switch kind {
        case .changes, .patch: return max(0, version.snapshot.itemByteCount - body.count)
        default: return 0
        }
    }

    /// Whether it can be waited for.
    private var canWait: Bool { kind != .outline }

    private static let patchType = "application/json-patch+json"

    private func content(_ responses: VersionResponses) -> ResponseBuilder.Document {
        let encoder = DocumentEncoder(feed: version.feed)
        switch kind {
        case .snapshot: return .init(body: snapshot(encoder))
        case .snapshotForEpoch: return .init(body: snapshot(encoder, reason: "epoch"))
        case .snapshotForExpired: return .init(body: snapshot(encoder, reason: "expired"))
        case .unchanged:
            let checks = view(version.snapshot).checks
            return .init(
                body: encoder.unchanged(token: version.token, now: checks),
                isUnchanged: true
            )
        case .changes(_, let isLong):
            return .init(body: changes(encoder, responses, atAnyLength: isLong))
        case .patch(_, let isLong):
            return .init(
                body: isUnchanged
                    ? Array("[]".utf8)
                    : encoder.patch(
                        from: old.map { view($0.snapshot) },
                        to: view(version.snapshot),
                        changes: old.map {
                            versions(from: $0, responses).placedChanges(through: view)
                        },
                        atAnyLength: isLong
                    ),
                mediaType: DocumentChoice.patchType,
                isUnchanged: isUnchanged
            )
        case .outline:
            return .init(body: RowDocuments.outline(version))
        case .rows, .item, .items, .notModified, .syndication, .news:
            preconditionFailure("made where they are asked for")
        }
    }

    private func snapshot(_ encoder: DocumentEncoder, reason: String? = nil) -> [UInt8] {
        encoder.snapshot(view(version.snapshot), token: version.token, reason: reason)
    }

    /// The changes, or the snapshot where that is shorter and will do.
    private func changes(
        _ encoder: DocumentEncoder,
        _ responses: VersionResponses,
        atAnyLength: Bool
    ) -> [UInt8] {
        guard let old else { return snapshot(encoder, reason: "expired") }
        let now = view(version.snapshot)
        let known = view.isWhole ? responses.delta(since: old.token.version) : nil
        let difference = known ?? versions(from: old, responses).changes(through: view)
        /// Whether the feed is shorter; only one that may be is measured.
        func isShorter(than byteCount: Int) -> Bool {
            !atAnyLength && now.itemByteCount <= byteCount
                && encoder.snapshotByteCount(now, token: version.token) < byteCount
        }
        if !isShorter(than: difference.leastByteCount) {
            let changes = encoder.changes(
                difference,
                since: old.token,
                token: version.token,
                now: now
            )
            if !isShorter(than: changes.count) { return changes }
        }
        return encoder.snapshot(now, token: version.token, reason: "smaller")
    }

    /// What differs; what is found out on the way to the changes of a view is kept for other views.
    private func versions(
        from old: Version,
        _ responses: VersionResponses
    ) -> VersionDifference {
        let since = old.token.version
        return VersionDifference(
            from: old.snapshot,
            to: version.snapshot,
            pairing: responses.pairing(since: since)
        ) { responses.keep($0, since: since) }
    }
}
