import Dispatch
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// Answers reads of one feed: of its items, or of its outline.
extension FeedAPI {
    /// `GET /feeds/{feed}`: the snapshot, or the changes since a version, in a view.
    func readFeed(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        let lookup = try lookUp(request)
        if lookup.isHidden { return .cached(noFeed) }
        let read = try FeedRead(request)
        guard let current = lookup.version else { return .cached(noFeed) }
        var version = current
        if let token = read.version {
            version = try self.version(token, after: current, request.lookUps?.journalVersion)
        }
        let context = VersionRead(version, request, self)
        guard let wait = read.wait, read.version == nil, context.isUnchanged(since: read.since)
        else {
            return respond(read, context)
        }
        let (feed, parts) = (version.feed, ReadParts(request))
        let topic = service.topics.topic(of: feed)
        return waiting(for: [topic], wait, parts) { api, parts, isLast throws(Problem) in
            try api.access.checkRead(feed, parts.caller)
            guard let version = api.store.current(feed) else { throw .noFeed }
            let context = VersionRead(version, parts, api)
            return !isLast && context.isUnchanged(since: read.since)
                ? nil : api.respond(read, context)
        }
    }

    /// Returns a reply that waits until there is news for a read, or until the time in the request
    /// is over.
    ///
    /// - Parameters:
    ///   - wait: The time in the request; the limit of the configuration and the end of the
    ///     caller's key or token may shorten it.
    ///   - byteCount: The approximate number of bytes of memory that the request takes.
    ///   - attempt: Answers the read by the newest configuration and the caller's rights in it;
    ///     returns `nil` if nothing is new, but not if its last argument says that the time is
    ///     over.
    func waiting(
        for topics: [Topic],
        _ wait: WaitPreference,
        _ parts: ReadParts,
        byteCount: Int = 0,
        _ attempt: @escaping @Sendable (FeedAPI, ReadParts, Bool) throws(Problem) -> Reply?
    ) -> Reply {
        let limit = min(.seconds(wait.seconds), configuration.longestWait)
        let time = min(limit, access.timeLeft(of: parts.caller) ?? limit)
        return .wait(
            LongPoll(for: topics, time: time, byteCount: byteCount) { isLast in
                let api = self.service.newestAPI ?? self
                var parts = parts
                do throws(Problem) {
                    parts.caller = try api.access.renewed(parts.caller, isLast: isLast)
                    return try attempt(api, parts, isLast)
                } catch {
                    return .response(error.response)
                }
            }
        )
    }

    /// `GET /feeds/{feed}/outline`: the sections without their items.
    func readOutline(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        guard let version = try lookUp(request).version else { return .cached(noFeed) }
        return respond(.outline, version, request)
    }
}

/// Looks up feeds and versions.
extension FeedAPI {
    /// Looks up the feed in the path.
    ///
    /// - Returns: The current version; `nil` if the feed does not exist, or is hidden: the caller
    ///   may not know whether there is such a feed, or no feed can have that name. Both get `404`,
    ///   but a caller that may know gets the errors of its query first.
    /// - Throws: `401` if a key is needed and none was sent.
    func lookUp(
        _ request: borrowing RoutedRequest
    ) throws(Problem) -> (version: Version?, isHidden: Bool) {
        let name = request.route.feed
        guard name.isEncoded else {
            return try lookUp(request.head.bytes.span.extracting(name.range), request.caller)
        }
        let decoded = Array(request.head.text(name).utf8)
        return try lookUp(decoded.span, request.caller)
    }

    /// Looks up a feed by the bytes of its name; see ``lookUp(_:)`` for the result.
    func lookUp(
        _ name: Span<UInt8>,
        _ caller: AccessKey?
    ) throws(Problem) -> (version: Version?, isHidden: Bool) {
        let version = store.current(named: name)
        guard version != nil || FeedName.isValid(name), try access.mayKnow(name, caller) else {
            return (nil, isHidden: true)
        }
        return (version, isHidden: false)
    }

    /// Returns the version that a query asks for, or the current one.
    ///
    /// - Parameter kept: An older version that was read from the journal for this request; `nil` if
    ///   none was.
    /// - Throws: `410` if the version is neither in memory nor `kept`.
    func version(
        _ token: Token?,
        after current: Version,
        _ kept: Version? = nil
    ) throws(Problem) -> Version {
        guard let token, token != current.token else { return current }
        if let version = store.version(token, of: current.feed) { return version }
        if let kept, kept.token == token { return kept }
        throw Problem(
            .versionForgotten,
            .gone,
            "the version \(token) of this feed is not remembered"
        )
    }
}

/// The parsed request of `GET /feeds/{feed}`, without the feed's name and the conditions
/// (docs/PROTOCOL.md, "Reading").
///
/// It cannot be copied, because copies would cost time in reads that are answered at once.
struct FeedRead: ~Copyable, Sendable {
    let since: Token?
    let version: Token?
    let presentation: Presentation
    let coding: CodingChoice
    let wait: WaitPreference?

    /// Reads the query and the preference for waiting.
    ///
    /// - Throws: `400` for a parameter that is malformed or repeated.
    init(_ request: borrowing RoutedRequest) throws(Problem) {
        // A local copy is made once; reading a part of the request's would copy it each time.
        let query = request.query
        guard query.hasAny || request.head.has(.prefer) else {
            (since, version, presentation, wait) = (nil, nil, Presentation(), nil)
            coding = request.codings.choice
            return
        }
        let wait = try WaitPreference(request)
        var presentation = try Presentation(query)
        let since = try query.token(.since)
        let version = try query.token(.version)
        if let format = try query.value(.format) {
            guard ExactString(format) == "json-patch" else {
                throw Query.refusal(.format, "is not \"json-patch\"")
            }
            presentation.isPatch = true
        }
        // These are set last: after a throw, properties that were already set could not be
        // released.
        (self.since, self.version, self.presentation) = (since, version, presentation)
        self.wait = wait
        coding = request.codings.choice
    }
}

/// The parts of a read request that do not depend on the feed, for a response that is made later.
struct ReadParts: Sendable {
    let condition: Conditions
    let coding: CodingChoice
    let client: ClientID
    /// The caller's key, with the rights that it has in the configuration that answers.
    var caller: AccessKey?

    /// Copies the parts from a request.
    init(_ request: borrowing RoutedRequest) {
        condition = Conditions(request.head)
        coding = request.codings.choice
        client = request.client
        caller = request.caller
    }
}

/// A read of one version: everything that a response depends on except the choice of a document.
struct VersionRead: Sendable {
    let version: Version
    /// The cached responses about the version.
    let responses: VersionResponses
    /// The outcome of the request's conditions.
    let outcome: Conditions.Outcome
    /// The client that asks.
    let client: ClientID

    /// Makes the read of a request that is answered at once.
    ///
    /// - Parameter stamp: The part of the validators of a page for feed readers that depends on
    ///   settings; `nil` for all other documents.
    @inline(__always)
    init(
        _ version: Version,
        _ request: borrowing RoutedRequest,
        _ api: FeedAPI,
        stamp: Syndication.Stamp? = nil
    ) {
        self.version = version
        responses = api.cache.responses(for: version)
        let validators =
            stamp.map { api.validators($0, of: version) } ?? Validators(responses.tag)
        outcome = request.head.outcome(
            validators,
            accepting: request.codings,
            now: api.store.wallSeconds
        )
        client = request.client
    }

    /// Makes the read of a request that has waited.
    init(_ version: Version, _ parts: ReadParts, _ api: FeedAPI) {
        self.version = version
        responses = api.cache.responses(for: version)
        outcome = parts.condition.outcome(responses.tag)
        client = parts.client
    }

    /// Returns whether nothing is new for a client that has the version `since`: the response is
    /// `304`, or a document that says that nothing has changed.
    func isUnchanged(since: Token?) -> Bool {
        switch outcome {
        case .notModified: true
        case .send: since == version.token
        case .failed: false
        }
    }
}

/// The part of a feed that is sent, and the format in which changes are sent.
struct Presentation: Sendable, Equatable {
    /// The sections that are sent, and the most items in all.
    var view: FeedView
    /// Whether changes are sent even if they are longer than the snapshot.
    var alwaysSendsChanges: Bool
    /// Whether changes are sent as an RFC 6902 patch.
    var isPatch: Bool

    /// Makes the presentation of the whole feed, as the changes or as the snapshot, whichever is
    /// shorter.
    init() { (view, alwaysSendsChanges, isPatch) = (FeedView(), false, false) }

    /// Reads the parameters `section`, `limit` and `as`.
    ///
    /// - Throws: `400` for a parameter that is malformed or repeated.
    init(_ query: borrowing Query) throws(Problem) {
        self.init()
        view = try FeedView(query)
        guard let form = try query.value(.as) else { return }
        guard ExactString(form) == "changes" else {
            throw Query.refusal(.as, "is not \"changes\"")
        }
        alwaysSendsChanges = true
    }
}

extension FeedView {
    /// The most sections in a query.
    static let sectionLimit = 1000

    /// Reads the view from the parameters `section` and `limit`.
    ///
    /// - Throws: `400` for a parameter that is malformed or repeated.
    init(_ query: borrowing Query) throws(Problem) {
        let sections =
            query.has(.section)
            ? try query.values(.section, atMost: FeedView.sectionLimit) : []
        self.init(
            sections: sections.isEmpty ? nil : Set(sections.map(ExactString.init(_:))),
            limit: try query.number(.limit)
        )
    }
}
