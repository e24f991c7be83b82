import FeedDiff
import FeedModel
import FeedStore
import HTTPServer

/// Making what was chosen.
extension DocumentChoice {
    /// Makes the document.
    ///
    /// - Parameter responses: Those about ``version``, with what is known of the changes that lead
    ///   to it.
    func document(with responses: VersionResponses) -> ResponseBuilder.Document {
        var document = content(responses)
        document.traits = traits
        document.savedByteCount = saved(with: document.body)
        document.link = link
        return document
    }

    /// The link to the next page (RFC 8288).
    private var link: String? {
        guard case .rows(let page) = kind else { return nil }
        return RowDocuments.next(page, version).map { "<\($0)>; rel=\"next\"" }
    }

    /// The document whose bytes were made before.
    func described(_ body: [UInt8]) -> ResponseBuilder.Document {
        var document = ResponseBuilder.Document(body: body)
        document.traits = traits
        document.savedByteCount = saved(with: body)
        document.link = link
        if case .patch = kind { document.mediaType = DocumentChoice.patchType }
        return document
    }

    /// Returns about how many bytes less are sent than for a whole feed: the bytes of its items,
    /// less the document's.
    private func saved(with body: [UInt8]) -> Int {
        guard view.isWhole, old != nil, !isUnchanged else { return 0 }
        switch kind {
        case .changes, .patch: return max(0, version.snapshot.itemByteCount - body.count)
        default: return 0
        }
    }

    private var traits: CachingTraits { CachingTraits(kind, to: version.token) }

    private static let patchType = "application/json-patch+json"

    private func content(_ responses: VersionResponses) -> ResponseBuilder.Document {
        let encoder = DocumentEncoder(feed: version.feed)
        switch kind {
        case .snapshot: return .init(body: snapshot(encoder))
        case .snapshotForEpoch: return .init(body: snapshot(encoder, reason: "epoch"))
        case .snapshotForExpired: return .init(body: snapshot(encoder, reason: "expired"))
        case .unchanged:
            let checks = view(version.snapshot).checks
            return .init(body: encoder.unchanged(token: version.token, now: checks))
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
                mediaType: DocumentChoice.patchType
            )
        case .outline:
            return .init(body: RowDocuments.outline(version))
        case .rows(let page):
            return .init(body: RowDocuments.page(page, version))
        case .item(let id):
            return .init(body: version.snapshot.item(id)?.json.bytes ?? [])
        case .items(let ids):
            return .init(body: RowDocuments.items(ids, version))
        case .notModified, .syndication, .news:
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

    /// Returns the difference from an old version.
    ///
    /// Pairings found for the changes of a view are kept for other views.
    private func versions(from old: Version, _ responses: VersionResponses) -> VersionDifference {
        let since = old.token.version
        return VersionDifference(
            from: old.snapshot,
            to: version.snapshot,
            pairing: responses.pairing(since: since)
        ) { responses.keep($0, since: since) }
    }
}
