import FeedModel
import FeedStore
import HTTPWire

/// The key of a cached response about a version of a feed: everything that its bytes depend on
/// besides the version and the configuration.
struct ResponseKey: Hashable, Sendable {
    /// The kind of the document in the response, or of the response itself.
    enum Kind: Hashable, Sendable {
        case snapshot
        /// The snapshot for a client whose version has another epoch: the feed was made anew.
        case snapshotForEpoch
        /// The snapshot for a client whose version is forgotten.
        case snapshotForExpired
        /// The snapshot for a client whose version does not exist, or not yet.
        case snapshotForUnknown
        /// The document that says that the client's version is the current one.
        case unchanged
        /// The changes since a version of the same epoch; unless `atAnyLength`, the snapshot if it
        /// is shorter.
        case changes(since: Int, atAnyLength: Bool = false)
        /// A JSON Patch (RFC 6902) since a version of the same epoch, since no version (0), or
        /// since ``unknownVersion``; `atAnyLength` as for changes.
        case patch(since: Int, atAnyLength: Bool = false)
        case outline
        /// A page of the feed in a format of feed readers.
        indirect case syndication(Syndication)
        /// The entries of such a page that are new since the page that the client has; `since` is
        /// the entity tag of that page as the client sent it.
        indirect case news(Syndication, since: String)
        /// A page of rows, of the whole feed or of a section.
        indirect case rows(RowPage)
        case item(ExactString)
        /// Rows by the ids of their items.
        case items([ExactString])
        /// A `304` for a document with these caching traits.
        case notModified(CachingTraits)

        /// Stands for all versions that do not exist, or not yet, since clients can name any number
        /// of them.
        static let unknownVersion = Int.max
    }

    /// The form of a cached document: a response, or a part of a pull or of an event stream.
    ///
    /// A part with a coding is a piece of a gzip stream.
    enum Form: UInt8, Hashable, Sendable {
        /// A whole response.
        case response
        /// The document alone.
        case document
        /// An event of a stream of one feed, with the token as its id.
        case event
        /// An event without its id and the empty line behind it, for streams whose ids differ.
        case eventStart
    }

    var kind: Kind
    var view = FeedView()
    var coding = CodingChoice.identity
    var form = Form.response
    /// The content of Preference-Applied; `nil` if the request could not wait for the response.
    var appliedPreference: WaitPreference.Applied?
}

extension ResponseKey {
    /// Whether the response or the part of one is compressed, if that makes it smaller.
    var isCoded: Bool { coding.coding != .identity }

    /// Hashes the parts with few values as one number, because each read of a feed hashes a key.
    func hash(into hasher: inout Hasher) {
        let isGzip = coding.coding == .gzip
        hasher.combine(form.rawValue << 2 | (isGzip ? 2 : 0) | (coding.isForced ? 1 : 0))
        hasher.combine(kind)
        if !view.isWhole { hasher.combine(view) }
    }

    /// The approximate number of bytes of memory that the ids and the query in the key take.
    var heldByteCount: Int {
        guard isOpenEnded else { return 0 }
        var (count, query) = (0, 0)
        if let sections = view.sections { count = sections.count }
        if case .items(let ids) = kind { count += ids.count }
        if case .rows(let page) = kind { query = page.query.string.utf8.count }
        return count * ResponseKey.heldByteCountOfID + query
    }

    /// The bytes of an id: its entry in a hash table, and the storage of its string.
    private static let heldByteCountOfID = 64

    /// Whether clients can make any number of such keys, with ids, offsets or views of their
    /// choice.
    var isOpenEnded: Bool {
        guard view.isWhole, appliedPreference == nil else { return true }
        switch kind {
        case .rows, .item, .items, .news: return true
        case .syndication(let syndication): return syndication.page != SyndicationPage()
        default: return false
        }
    }
}

extension ResponseKey {
    /// Makes the key of the document, in a form, that leads from `since` to `now`.
    init(
        since: Token?,
        _ presentation: Presentation,
        now: Token,
        _ form: Form,
        in coding: ContentCoding = .identity
    ) {
        self.init(
            kind: Kind(since: since, presentation, now: now),
            view: presentation.view,
            coding: CodingChoice(coding),
            form: form
        )
    }
}

extension ResponseKey.Kind {
    /// Makes the kind of the document that leads from `since` to `now`, provided that the store
    /// still has the version `since`.
    ///
    /// - Parameter asksForOld: Whether the query asks for an old version; `since` can then be
    ///   newer.
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
        let isLong = presentation.alwaysSendsChanges
        if presentation.isPatch {
            let other = since.hasSameEpoch(as: now) ? ResponseKey.Kind.unknownVersion : 0
            self = .patch(
                since: canBeKnown ? since.version : other,
                atAnyLength: canBeKnown && isLong && since != now
            )
        } else if since == now {
            self = .unchanged
        } else if !since.hasSameEpoch(as: now) {
            self = .snapshotForEpoch
        } else if canBeKnown {
            self = .changes(since: since.version, atAnyLength: isLong)
        } else {
            self = .snapshotForUnknown
        }
    }
}

/// The properties of a document that decide on its caching fields, which a `200` and its `304` have
/// in common.
struct CachingTraits: Hashable, Sendable {
    /// Whether caches may store the document.
    ///
    /// They must not if it says that nothing is new; if the client's version does not exist yet,
    /// because those who have it later would get an older one; and if a feed reader also takes new
    /// entries alone, because a cache would ask with the tag of what it stored, and pass on what is
    /// new since that.
    let isStored: Bool
    /// Whether a request can wait for the document, which then depends on Prefer.
    let canWait: Bool
    /// The stamp of a page for feed readers; `nil` for all other documents.
    var stamp: Syndication.Stamp?

    /// Hashes the two properties without a stamp as one number, as ``ResponseKey`` does.
    func hash(into hasher: inout Hasher) {
        hasher.combine(UInt8((isStored ? 2 : 0) | (canWait ? 1 : 0)))
        if let stamp { hasher.combine(stamp) }
    }

    /// Returns the entity tag of a version's documents, without a coding.
    func tag(of version: Version) -> EntityTag {
        stamp?.tag(of: version) ?? EntityTag(version.token)
    }
}

extension CachingTraits {
    /// Makes the traits of a document that leads to a version.
    init(_ kind: ResponseKey.Kind, to token: Token) {
        switch kind {
        case .unchanged, .snapshotForUnknown: self.init(isStored: false, canWait: true)
        case .patch(let since, _):
            let isStored = since != token.version && since != ResponseKey.Kind.unknownVersion
            self.init(isStored: isStored, canWait: true)
        case .snapshot, .snapshotForEpoch, .snapshotForExpired, .changes:
            self.init(isStored: true, canWait: true)
        case .syndication(let page), .news(let page, _):
            self.init(isStored: !page.takesNews, canWait: false, stamp: page.stamp)
        default: self.init(isStored: true, canWait: false)
        }
    }
}

/// Makes the entity tags of documents (docs/PROTOCOL.md, "One validator for everything").
extension EntityTag {
    /// Makes the tag of a version, which is its token.
    init(_ token: Token) { self.init(token.description.utf8) }

    /// Makes the tag of a document without a token, from the first 128 bits of its SHA-256 digest.
    init(_ digest: SHA256Digest) { self.init(hash: digest.start.0, digest.start.1) }
}
