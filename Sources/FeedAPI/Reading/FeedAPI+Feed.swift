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
        if lookup.isHidden { return notFound(request.requester) }
        let read = try FeedRead(request)
        guard let current = lookup.version else { return notFound(request.requester) }
        var version = current
        if let token = read.query.version {
            version = try self.version(token, after: current, request.stage.journalVersion)
        }
        let context = VersionRead(version, request, self)
        if read.wait != nil, read.query.version == nil,
            context.isUnchanged(since: read.query.since)
        {
            return wait(read, version, request)
        }
        return respond(read, context)
    }

    /// Returns a reply that waits until the feed changes, or until the time in the request is over.
    private func wait(
        _ read: consuming FeedRead,
        _ version: Version,
        _ request: borrowing RoutedRequest
    ) -> Reply {
        let seconds = read.wait?.seconds ?? 0
        let (feed, parts) = (version.feed, ReadParts(request, waits: true))
        let read = read
        return .wait(
            LongPoll(
                for: [service.topics.topic(of: version.feed)],
                time: time(ofWait: seconds, request.caller)
            ) {
                [newest = service.newest] isLast in
                (newest.api ?? self).attempt(read, of: feed, parts, isLast: isLast)
            }
        )
    }

    /// Returns the longest time for which a request may wait: at most the limit of the
    /// configuration, and not beyond the end of the caller's key or token.
    ///
    /// - Parameters:
    ///   - seconds: The time that the request states.
    ///   - caller: The caller.
    func time(ofWait seconds: Int, _ caller: AccessKey?) -> Duration {
        let time = min(.seconds(seconds), configuration.longestWait)
        return min(time, access.timeLeft(of: caller) ?? time)
    }

    /// Answers a read that has waited, by the caller's current rights.
    ///
    /// - Parameters:
    ///   - read: The request.
    ///   - feed: The feed.
    ///   - parts: The parts of the request that do not depend on the feed.
    ///   - isLast: Whether the read must be answered now, because its time is over.
    /// - Returns: `nil` if nothing is new and the read waits on.
    private func attempt(
        _ read: borrowing FeedRead,
        of feed: FeedName,
        _ parts: ReadParts,
        isLast: Bool
    ) -> Reply? {
        var parts = parts
        do throws(Problem) {
            try parts.renew(by: self, isLast: isLast)
            try access.checkRead(feed, parts.caller)
            guard let version = store.current(feed) else { throw .noFeed }
            let context = VersionRead(version, parts, self)
            if !isLast, context.isUnchanged(since: read.query.since) { return nil }
            return respond(read, context)
        } catch {
            return .response(builder.response(error, for: parts.requester))
        }
    }

    /// `GET /feeds/{feed}/outline`: the sections without their items.
    func readOutline(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        guard let version = try lookUp(request).version else {
            return notFound(request.requester)
        }
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

    /// Returns the `404` for a missing feed.
    func notFound(_ requester: Requester) -> Reply {
        .cached(noFeed, Response.OwnFields(lines: requester.originLines))
    }

    /// Returns the version that a query asks for, or the current one.
    ///
    /// - Parameters:
    ///   - token: The token in the query; `nil` for the current version.
    ///   - current: The current version of the feed.
    ///   - kept: An older version that was read from the journal for this request; `nil` if none
    ///     was.
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

/// The parsed request for one feed, without the feed's name and the conditions.
///
/// It cannot be copied, because copies would cost time in reads that are answered at once.
struct FeedRead: ~Copyable, Sendable {
    let query: FeedQuery
    let coding: CodingChoice
    let wait: WaitPreference?

    init(_ request: borrowing RoutedRequest) throws(Problem) {
        let canWait = request.query.hasAny || request.head.has(.prefer)
        let wait = canWait ? try WaitPreference(request) : nil
        // The query is set last: after a throw, properties that were already set could not be
        // released.
        query = try FeedQuery(request.query)
        self.wait = wait
        coding = request.codings.choice
    }
}

/// The parts of a read request that do not depend on the feed, for a response that is made later.
struct ReadParts: Sendable {
    let condition: Conditions
    let coding: CodingChoice
    private(set) var requester: Requester
    private(set) var caller: AccessKey?
    /// The value of Origin, stored for a request that may wait: a reload of the configuration may
    /// list other origins for CORS meanwhile.
    private let origin: String?

    /// Copies the parts from a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - waits: Whether the request may wait, so that the configuration may change meanwhile.
    init(_ request: borrowing RoutedRequest, waits: Bool = false) {
        condition = Conditions(request.head)
        coding = request.codings.choice
        requester = request.requester
        caller = request.caller
        origin = waits ? request.head.value(.origin) : nil
    }

    /// Takes the caller's rights, and the CORS fields for its origin, from the newest
    /// configuration.
    ///
    /// - Parameters:
    ///   - api: The API by the newest configuration.
    ///   - isLast: Whether an expired key or token is still accepted.
    /// - Throws: `401` for a key that is not known any more.
    mutating func renew(by api: FeedAPI, isLast: Bool) throws(Problem) {
        requester = requester.renewed(origin, by: api.builder.cors)
        caller = try api.access.renewed(caller, isLast: isLast)
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
    let requester: Requester

    /// Makes the read of a request that is answered at once.
    @inline(__always)
    init(_ version: Version, _ request: borrowing RoutedRequest, _ api: FeedAPI) {
        self.version = version
        responses = api.cache.responses(for: version)
        let validators = Validators(responses.tag)
        outcome = request.head.outcome(validators, accepting: request.codings)
        requester = request.requester
    }

    /// Makes the read of a page for feed readers, whose validators also depend on settings.
    init(
        _ version: Version,
        _ request: borrowing RoutedRequest,
        _ api: FeedAPI,
        stamp: Syndication.Stamp
    ) {
        self.version = version
        responses = api.cache.responses(for: version)
        let validators = api.builder.validators(stamp, of: version)
        outcome = request.head.outcome(
            validators,
            accepting: request.codings,
            now: api.store.wallSeconds
        )
        requester = request.requester
    }

    /// Makes the read of a request that has waited.
    init(_ version: Version, _ parts: ReadParts, _ api: FeedAPI) {
        self.version = version
        responses = api.cache.responses(for: version)
        outcome = parts.condition.outcome(responses.tag)
        requester = parts.requester
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

/// The query of `GET /feeds/{feed}` (docs/PROTOCOL.md, "Reading").
///
/// It cannot be copied, because reading one part of a copyable value would copy all of it.
struct FeedQuery: ~Copyable, Sendable {
    let since: Token?
    let version: Token?
    let presentation: Presentation

    /// Reads the parameters of the query.
    ///
    /// - Throws: `400` for a parameter that is malformed or repeated.
    init(_ query: borrowing Query) throws(Problem) {
        guard query.hasAny else {
            (since, version, presentation) = (nil, nil, Presentation())
            return
        }
        var parsed = try Presentation(query)
        let (since, version) = (try query.token(.since), try query.token(.version))
        if let format = try query.value(.format) {
            guard ExactString(format) == "json-patch" else {
                throw Query.refusal(.format, "is not \"json-patch\"")
            }
            parsed.isPatch = true
        }
        (self.since, self.version, presentation) = (since, version, parsed)
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
