import FeedDiff
import FeedModel
import FeedStore

/// What is sent for a feed: which document, of which versions, through which view.
struct FeedAnswer: Sendable {
    /// The version it leads to.
    let version: Version
    /// The version it starts from, where the server remembers it.
    let old: Version?
    let kind: AnswerKey.Kind
    let view: FeedView

    /// Decides which document answers a query.
    ///
    /// - Parameters:
    ///   - query: What was asked.
    ///   - old: The version that `since` names, if the server remembers it.
    ///   - version: The current one, or the one that the query asks for.
    init(_ query: FeedQuery, old: Version?, version: Version) {
        self.version = version
        view = query.view
        let known = old?.token.epoch == version.token.epoch ? old : nil
        self.old = known
        if query.isPatch {
            kind = .patch(since: known?.token.version ?? 0)
        } else if let since = query.since {
            kind = FeedAnswer.kind(since: since, isKnown: known != nil, now: version.token)
        } else {
            kind = .snapshot
        }
    }

    private static func kind(since: Token, isKnown: Bool, now: Token) -> AnswerKey.Kind {
        if since == now { return .unchanged }
        if since.epoch != now.epoch { return .snapshotForEpoch }
        return isKnown ? .changes(since: since.version) : .snapshotForExpired
    }

    /// Whether it is the same document.
    func isSame(as other: FeedAnswer) -> Bool {
        version === other.version && kind == other.kind && view == other.view
    }

    /// Whether it can be waited for.
    var canBeHeld: Bool { kind != .outline }

    /// Whether it says that there is nothing new.
    var isUnchanged: Bool {
        switch kind {
        case .unchanged: true
        case .patch(let since): since == version.token.version
        default: false
        }
    }
}

extension FeedAnswer {
    /// Makes the document; `delta` are the changes of the whole feed from ``old``, where they are
    /// known.
    func document(delta: Changes? = nil) -> Composer.Document {
        var document = content(delta)
        document.canBeHeld = canBeHeld
        return document
    }

    private func content(_ delta: Changes?) -> Composer.Document {
        let encoder = DocumentEncoder(feed: version.feed)
        let now = view(version.snapshot)
        switch kind {
        case .snapshot:
            return .init(body: encoder.snapshot(now, token: version.token))
        case .snapshotForEpoch:
            return .init(body: encoder.snapshot(now, token: version.token, reason: "epoch"))
        case .snapshotForExpired:
            return .init(body: encoder.snapshot(now, token: version.token, reason: "expired"))
        case .unchanged:
            return .init(body: encoder.unchanged(token: version.token, now: now), isUnchanged: true)
        case .changes:
            return .init(body: changes(encoder, now, delta))
        case .patch:
            return .init(
                body: encoder.patch(from: old.map { view($0.snapshot) }, to: now),
                mediaType: "application/json-patch+json",
                isUnchanged: isUnchanged
            )
        case .outline:
            return .init(body: RowDocuments.outline(version))
        }
    }

    /// The changes, or the snapshot where that is shorter.
    private func changes(
        _ encoder: DocumentEncoder,
        _ now: ViewedSnapshot,
        _ delta: Changes?
    ) -> [UInt8] {
        guard let old else {
            return encoder.snapshot(now, token: version.token, reason: "expired")
        }
        let known = view.isWhole ? delta : nil
        let changes = encoder.changes(
            known ?? Changes(from: view(old.snapshot), to: now),
            since: old.token,
            token: version.token,
            now: now
        )
        // Only a feed that may be shorter is written out to be measured.
        guard now.snapshot.itemByteCount <= changes.count,
            encoder.snapshot(now, token: version.token).count < changes.count
        else { return changes }
        return encoder.snapshot(now, token: version.token, reason: "smaller")
    }
}
