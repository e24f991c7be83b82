import FeedModel
import FeedStore
import HTTPServer
import HTTPWire

/// The parsed request of a read of one feed, without the feed's name and the conditions.
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

/// The parts of a read request that do not depend on the feed, for an answer that is made later.
struct ReadParts: Sendable {
    let condition: Conditions
    let coding: CodingChoice
    private(set) var requester: Requester
    private(set) var caller: AccessKey?
    /// The value of the Origin field of a request that waits: a reload may list other origins.
    private let origin: String?

    /// - Parameter waits: Whether the request may wait, so that the configuration may change.
    init(_ request: borrowing RoutedRequest, waits: Bool = false) {
        condition = Conditions(request.head)
        coding = request.codings.choice
        requester = request.requester
        caller = request.caller
        origin = waits ? request.head.value(.origin) : nil
    }

    /// Takes the caller's rights, and the fields of its origin, from the newest configuration.
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

/// A read of one version: the version, its responses, and the outcome of the conditions; everything
/// that an answer depends on except the choice of a document.
struct VersionRead: Sendable {
    let version: Version
    /// The cached responses about the version.
    let responses: VersionResponses
    /// The outcome of the request's conditions.
    let outcome: Conditions.Outcome
    /// The client that asks.
    let requester: Requester

    @inline(__always)
    init(_ version: Version, _ request: borrowing RoutedRequest, _ api: FeedAPI) {
        self.version = version
        responses = api.cache.responses(for: version)
        outcome = request.outcome(Validators(responses.tag))
        requester = request.requester
    }

    /// Makes the read of a page for feed readers, whose validators also depend on settings.
    init(
        _ version: Version,
        _ request: borrowing RoutedRequest,
        _ api: FeedAPI,
        _ stamp: Syndication.Stamp
    ) {
        self.version = version
        responses = api.cache.responses(for: version)
        let validators = api.builder.validators(stamp, of: version)
        outcome = request.outcome(validators, now: api.store.wallSeconds)
        requester = request.requester
    }

    /// Makes the read of a request that has waited.
    init(_ version: Version, _ parts: ReadParts, _ api: FeedAPI) {
        self.version = version
        responses = api.cache.responses(for: version)
        outcome = parts.condition.outcome(responses.tag)
        requester = parts.requester
    }

    /// Returns whether nothing is new for a client with `since`: the answer is `304`, or a document
    /// that says so.
    func isStill(since: Token?) -> Bool {
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

    /// Makes a query for the current version.
    init(since: Token?, _ presentation: Presentation) {
        self.since = since
        version = nil
        self.presentation = presentation
    }

    /// - Throws: `400` for a parameter that is malformed or repeated.
    init(_ query: borrowing Query) throws(Problem) {
        guard query.hasAny else {
            (since, version, presentation) = (nil, nil, Presentation())
            return
        }
        var told = try Presentation(query)
        let (since, version) = (try query.token(.since), try query.token(.version))
        if let format = try query.value(.format) {
            guard ExactString(format) == "json-patch" else {
                throw Query.refusal(.format, "is not \"json-patch\"")
            }
            told.isPatch = true
        }
        (self.since, self.version, presentation) = (since, version, told)
    }
}

/// The part of a feed that is shown, and the form in which changes are sent.
struct Presentation: Sendable, Equatable {
    var view: FeedView
    /// Whether changes are sent even if they are longer than the snapshot.
    var tellsChanges = false
    /// Whether changes are sent as an RFC 6902 patch.
    var isPatch = false

    /// The whole feed, in the shorter of both forms.
    init() {
        view = FeedView()
    }

    /// Reads the parameters `section`, `limit` and `as`.
    ///
    /// - Throws: `400` for a parameter that is malformed or repeated.
    init(_ query: borrowing Query) throws(Problem) {
        view = try FeedView(query)
        guard let form = try query.value(.as) else { return }
        guard ExactString(form) == "changes" else {
            throw Query.refusal(.as, "is not \"changes\"")
        }
        tellsChanges = true
    }
}

extension FeedView {
    /// The most sections in a query.
    static let sectionLimit = 1000

    /// The view that `section` and `limit` ask for.
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
