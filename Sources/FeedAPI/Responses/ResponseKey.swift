import FeedModel
import FeedStore
import HTTPWire

/// Names one response about a version of a feed, by all that selects it.
struct ResponseKey: Hashable, Sendable {
    /// Which document it has, or which it stands for.
    enum Kind: Hashable, Sendable {
        case snapshot
        case snapshotForEpoch
        case snapshotForExpired
        case unchanged
        /// Since this version of the same epoch; where the changes are not asked for at any length,
        /// the document is a snapshot if that is shorter.
        case changes(since: Int, atAnyLength: Bool = false)
        /// An RFC 6902 patch since this version of the same epoch, with `atAnyLength` as for
        /// changes; 0: since none.
        case patch(since: Int, atAnyLength: Bool = false)
        case outline
        /// A page of the feed in a format of feed readers.
        indirect case syndication(Syndication)
        /// The entries of such a page that are new since the page with a tag, as it was sent.
        indirect case news(Syndication, since: String)
        /// A page of rows, of the whole feed or of a section.
        indirect case rows(RowPage)
        case item(ExactString)
        /// Rows by the ids of their items.
        case items([ExactString])
        /// A `304` in the place of one of the above.
        case notModified(CachingTraits)
    }

    /// The form in which a document is used.
    enum Form: UInt8, Hashable, Sendable {
        /// A response.
        case response
        /// A piece of a gzip stream.
        case gzipPart
        /// An event of a stream of one feed, with the token as its id.
        case event
        /// An event of a stream of one feed, as a piece of a gzip stream.
        case gzipEvent
        /// An event without its id and the empty line behind it, for streams whose ids differ.
        case eventStart
        /// An event without its id and the empty line behind it, as a piece of a gzip stream.
        case gzipEventStart

        /// Whether it is compressed.
        var isCoded: Bool {
            switch self {
            case .response, .event, .eventStart: false
            case .gzipPart, .gzipEvent, .gzipEventStart: true
            }
        }
    }

    var kind: Kind
    var view = FeedView()
    var coding = CodingChoice.identity
    var form = Form.response
    /// The mark for clients that were ready to wait for the response.
    var waitMark: WaitPreference.Mark?
}

extension ResponseKey {
    /// About the bytes of memory that its ids take.
    var heldByteCount: Int {
        var count = view.sections?.count ?? 0
        if case .items(let ids) = kind { count += ids.count }
        var rest = 0
        if case .rows(let page) = kind { rest = page.rest?.utf8.count ?? 0 }
        return count * ResponseKey.heldByteCountOfID + rest
    }

    /// Of a table's place, and of a string that is not within it.
    private static let heldByteCountOfID = 64

    /// Whether clients can ask for any number of such responses, by ids, offsets or views of their
    /// own.
    var isOpenEnded: Bool {
        if !view.isWhole || waitMark != nil { return true }
        switch kind {
        case .rows, .item, .items, .news: return true
        case .syndication(let syndication): return syndication.page != SyndicationPage()
        default: return false
        }
    }
}

extension ResponseKey.Kind {
    /// Finds the document that answers a query, if the version in `since` is remembered.
    init(_ query: borrowing FeedQuery, now: Token) {
        let asksForOld = query.version != nil
        self.init(since: query.since, query.presentation, now: now, asksForOld: asksForOld)
    }

    /// Finds the document that leads from `since` to `now`.
    ///
    /// `since` may be the newer one only where the query asks for an old version.
    init(
        since: Token?,
        _ presentation: borrowing Presentation,
        now: Token,
        asksForOld: Bool = false
    ) {
        guard let since else {
            self = presentation.isPatch ? .patch(since: 0) : .snapshot
            return
        }
        let isPast = since.version <= now.version || asksForOld
        let canBeKnown = since.hasSameEpoch(as: now) && isPast
        let isLong = presentation.tellsChanges
        if presentation.isPatch {
            let known = canBeKnown ? since.version : 0
            self = .patch(since: known, atAnyLength: canBeKnown && isLong && since != now)
        } else if since == now {
            self = .unchanged
        } else if !since.hasSameEpoch(as: now) {
            self = .snapshotForEpoch
        } else if canBeKnown {
            self = .changes(since: since.version, atAnyLength: isLong)
        } else {
            self = .snapshotForExpired
        }
    }
}

/// The properties of a document that set the fields for caching: the same in a `200` and in the
/// `304` in its place.
struct CachingTraits: Hashable, Sendable {
    /// Whether the document says that there is nothing new, and so is not to be stored.
    let isUnchanged: Bool
    /// Whether it can be waited for, so that it may depend on Prefer.
    let canWait: Bool
    /// The stamp of a page for feed readers; `nil` for all other documents.
    var stamp: Syndication.Stamp?

    /// The traits of a document that cannot be waited for, and never says that there is nothing
    /// new.
    static let withoutWait = CachingTraits(isUnchanged: false, canWait: false)

    /// Returns the entity tag of a version's documents, without a coding.
    func tag(of version: Version) -> EntityTag {
        stamp?.tag(of: version) ?? EntityTag(version.token)
    }
}

extension CachingTraits {
    /// Makes the traits of a document that leads to the version with that token.
    init(_ kind: ResponseKey.Kind, to token: Token) {
        switch kind {
        case .unchanged: self.init(isUnchanged: true, canWait: true)
        case .patch(let since, _): self.init(isUnchanged: since == token.version, canWait: true)
        case .outline, .rows, .item, .items: self = .withoutWait
        case .syndication(let syndication), .news(let syndication, _):
            self.init(isUnchanged: false, canWait: false, stamp: syndication.stamp)
        default: self.init(isUnchanged: false, canWait: true)
        }
    }
}
