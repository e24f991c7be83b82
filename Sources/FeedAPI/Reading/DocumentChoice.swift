import FeedDiff
import FeedFormats
import FeedModel
import FeedStore
import HTTPServer
import HTTPWire

/// A document about a feed in a form, chosen to be made: its key, its versions, and its place in
/// the cache.
///
/// Documents are made from the kind and the view in the key, and from the versions.
final class DocumentChoice: Sendable {
    /// The key of the response or of the part of one.
    let key: ResponseKey
    /// The version that the document leads to.
    let version: Version
    /// The cached responses about ``version``.
    let responses: VersionResponses
    /// The version that the document starts from; `nil` if the document does not depend on an older
    /// version, or the server does not remember it.
    let old: Version?
    /// The page that a feed reader already has, if the document is the difference from it (RFC
    /// 3229); `nil`: it is no difference.
    let sent: SentPage?
    /// The entries that are new since ``sent``; `nil` until they were found.
    let news: [FeedItem]?

    /// Chooses a document about a version.
    ///
    /// If `old` is `nil` or has another epoch, the kind `changes` becomes the snapshot, and `patch`
    /// becomes the patch of an empty document.
    ///
    /// - Parameter old: The version that the client has; `nil` if the server does not remember it.
    init(
        _ asked: ResponseKey,
        of version: Version,
        since old: Version? = nil,
        in responses: VersionResponses
    ) {
        self.version = version
        self.responses = responses
        (sent, news) = (nil, nil)
        var known = old?.token.hasSameEpoch(as: version.token) == true ? old : nil
        var key = asked
        switch key.kind {
        case .changes where known == nil: key.kind = .snapshotForExpired
        // The version may have come to be since.
        case .patch(since: ResponseKey.Kind.unknownVersion, _): known = nil
        case .patch where known == nil: key.kind = .patch(since: 0)
        default: break
        }
        (self.key, self.old) = (key, known)
    }

    /// Chooses a page for feed readers, or the difference from a page that a reader has.
    ///
    /// - Parameters:
    ///   - sent: The page that the reader has; `nil`: the whole page is sent.
    ///   - news: The entries that are new since `sent`; `nil` until they were found.
    init(
        _ syndication: Syndication,
        coding: CodingChoice,
        of version: Version,
        since sent: SentPage?,
        news: [FeedItem]? = nil,
        in responses: VersionResponses
    ) {
        let kind = sent.map { ResponseKey.Kind.news(syndication, since: $0.tag) }
        key = ResponseKey(kind: kind ?? .syndication(syndication), coding: coding)
        self.version = version
        self.responses = responses
        old = nil
        self.sent = sent
        self.news = news
    }

    /// Returns this choice with the new entries of a difference, or the choice of the whole page if
    /// a difference cannot be made; a choice that is no difference stays as it is.
    func resolved(by api: FeedAPI) -> DocumentChoice {
        guard case .news(let syndication, _) = key.kind, let sent else { return self }
        let news = api.news(syndication, version, since: sent)
        return DocumentChoice(
            syndication,
            coding: key.coding,
            of: version,
            since: news == nil ? nil : sent,
            news: news,
            in: responses
        )
    }

    /// Returns whether `other` describes the same document.
    func isSame(as other: DocumentChoice) -> Bool {
        version === other.version && key == other.key
    }

    /// The properties that decide on the caching fields of the response.
    var traits: CachingTraits { CachingTraits(key.kind, to: version.token) }

    /// Whether the document only says that the client has the current version.
    var isUnchanged: Bool { old === version }
}

/// Estimates the cost of a document.
extension DocumentChoice {
    /// Whether making the document, and compressing it if it is coded, takes only microseconds,
    /// because its versions take little memory.
    var isInstant: Bool {
        switch key.kind {
        case .syndication, .news: return false
        default: break
        }
        let byteCount = max(version.memoryByteCount, old?.memoryByteCount ?? 0)
        return byteCount <= (key.isCoded ? 8 << 10 : 128 << 10)
    }

    /// The estimated cost of making the document, and of compressing it if it is coded, in the
    /// bytes that ``WorkSize`` counts.
    var cost: Int {
        let snapshot = version.snapshot
        switch key.kind {
        case .rows, .item, .items, .syndication:
            // All items are assumed to be of average length, and a page to be as long as it can be.
            let itemByteCount = snapshot.itemByteCount / max(1, version.count)
            let page = itemByteCount * min(max(1, version.count), RowQuery.maximumLimit)
            return page * (key.isCoded ? 20 : 1)
        case .news: return snapshot.itemByteCount + version.count * 200
        default: break
        }
        let whole = max(snapshot.itemByteCount, old?.snapshot.itemByteCount ?? 0)
        let count = max(1, snapshot.count, old?.snapshot.count ?? 0)
        // Hidden items are not read.
        let shown = min(count, max(0, key.view.limit ?? .max))
        let shownByteCount = Int(Double(whole) / Double(count) * Double(shown))
        // A difference costs time for each item.
        let items = old == nil ? 0 : shown
        // All sections are listed, even if the view hides their items.
        let sections = snapshot.sections.count * 100
        return (shownByteCount + sections) * (key.isCoded ? 20 : 1) + items * 200
    }
}

/// Makes the document, and values of the header fields of its response.
extension DocumentChoice {
    /// The reference to the next page, for Link (RFC 8288).
    var link: String? {
        let next: String?
        switch key.kind {
        case .rows(let page): next = RowDocuments.next(page, version)
        case .syndication(let syndication): next = syndication.links(in: version.snapshot).next
        default: next = nil
        }
        return next.map { "<\($0)>; rel=\"next\"" }
    }

    /// The value of Delta-Base in a `226` (RFC 3229 §10.5.1): the tag of the page that the client
    /// has; `nil` if the document is whole.
    var deltaBase: String? { news == nil ? nil : sent?.tag }

    /// Returns the approximate number of bytes saved by not sending the whole feed: the bytes of
    /// its items, less the document's.
    func savedByteCount(of document: [UInt8]) -> Int {
        guard key.view.isWhole, old != nil, !isUnchanged else { return 0 }
        switch key.kind {
        case .changes, .patch: return max(0, version.snapshot.itemByteCount - document.count)
        default: return 0
        }
    }

    var mediaType: String {
        switch key.kind {
        case .patch: "application/json-patch+json"
        case .syndication(let syndication), .news(let syndication, _): syndication.format.mediaType
        default: "application/json"
        }
    }

    /// Returns the bytes of the document.
    func content(by api: FeedAPI) -> [UInt8] {
        let encoder = DocumentEncoder(feed: version.feed)
        switch key.kind {
        case .snapshot: return snapshot(encoder)
        case .snapshotForEpoch: return snapshot(encoder, reason: "epoch")
        case .snapshotForExpired, .snapshotForUnknown:
            return snapshot(encoder, reason: "expired")
        case .unchanged:
            return encoder.unchanged(token: version.token, now: key.view(version.snapshot))
        case .changes(_, let isLong): return changes(encoder, atAnyLength: isLong)
        case .patch(_, let isLong):
            if isUnchanged { return Array("[]".utf8) }
            return encoder.patch(
                from: old.map { key.view($0.snapshot) },
                to: key.view(version.snapshot),
                atAnyLength: isLong
            )
        case .outline: return RowDocuments.outline(version)
        case .rows(let page): return RowDocuments.page(page, version)
        case .item(let id): return version.snapshot.item(id)?.json.bytes ?? []
        case .items(let ids): return RowDocuments.items(ids, version)
        case .syndication(let syndication), .news(let syndication, _):
            return api.document(syndication, version, news: news)
        case .notModified: preconditionFailure("a 304 has no document")
        }
    }

    private func snapshot(_ encoder: DocumentEncoder, reason: String? = nil) -> [UInt8] {
        encoder.snapshot(key.view(version.snapshot), token: version.token, reason: reason)
    }

    /// Returns the changes, or the snapshot if it is shorter and changes are not required.
    private func changes(_ encoder: DocumentEncoder, atAnyLength: Bool) -> [UInt8] {
        guard let old else { return snapshot(encoder, reason: "expired") }
        let now = key.view(version.snapshot)
        let changes = encoder.changes(
            Changes(from: key.view(old.snapshot), to: now),
            since: old.token,
            token: version.token,
            now: now
        )
        // The items are shorter than the snapshot, so most changes need not be compared with it.
        if atAnyLength || changes.count < now.itemByteCount { return changes }
        let snapshot = encoder.snapshot(now, token: version.token, reason: "smaller")
        // The reason itself does not count.
        let isSmaller = snapshot.count - #""reason":"smaller","#.utf8.count < changes.count
        return isSmaller ? snapshot : changes
    }
}
