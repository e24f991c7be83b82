import FeedDiff
import FeedFormats
import FeedModel
import FeedStore
import HTTPServer

/// Making what was chosen.
extension DocumentChoice {
    /// Makes the document.
    ///
    /// - Parameters:
    ///   - responses: The responses about ``version``, with what is known of the changes that lead
    ///     to it.
    ///   - builder: The settings that documents depend on.
    func document(
        with responses: VersionResponses,
        by builder: ResponseBuilder
    ) -> ResponseBuilder.Document {
        described(content(responses, builder))
    }

    /// The link to the next page (RFC 8288).
    private var link: String? {
        let next: String?
        switch kind {
        case .rows(let page): next = RowDocuments.next(page, version)
        case .syndication(let syndication): next = syndication.links(in: version.snapshot).next
        default: next = nil
        }
        return next.map { "<\($0)>; rel=\"next\"" }
    }

    /// Returns the document with these bytes.
    func described(_ body: [UInt8]) -> ResponseBuilder.Document {
        var document = ResponseBuilder.Document(body: body)
        document.traits = traits
        document.savedByteCount = saved(with: body)
        document.link = link
        document.mediaType = mediaType
        document.deltaBase = news == nil ? nil : sent?.tag
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

    private var mediaType: String {
        switch kind {
        case .patch: "application/json-patch+json"
        case .syndication(let syndication), .news(let syndication, _): syndication.format.mediaType
        default: "application/json"
        }
    }

    private func content(_ responses: VersionResponses, _ builder: ResponseBuilder) -> [UInt8] {
        let encoder = DocumentEncoder(feed: version.feed)
        switch kind {
        case .snapshot: return snapshot(encoder)
        case .snapshotForEpoch: return snapshot(encoder, reason: "epoch")
        case .snapshotForExpired: return snapshot(encoder, reason: "expired")
        case .unchanged:
            let checks = view(version.snapshot).checks
            return encoder.unchanged(token: version.token, now: checks)
        case .changes(_, let isLong): return changes(encoder, responses, atAnyLength: isLong)
        case .patch(_, let isLong):
            if isUnchanged { return Array("[]".utf8) }
            return encoder.patch(
                from: old.map { view($0.snapshot) },
                to: view(version.snapshot),
                changes: old.map { versions(from: $0, responses).placedChanges(through: view) },
                atAnyLength: isLong
            )
        case .outline: return RowDocuments.outline(version)
        case .rows(let page): return RowDocuments.page(page, version)
        case .item(let id): return version.snapshot.item(id)?.json.bytes ?? []
        case .items(let ids): return RowDocuments.items(ids, version)
        case .syndication(let syndication), .news(let syndication, _):
            return builder.document(syndication, version, news: news)
        case .notModified: preconditionFailure("a 304 has no document")
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
