import FeedModel
import FeedStore
import HTTPServer
import HTTPWire

/// A request to read one feed, without the feed's name and the conditions.
///
/// It cannot be copied: reads that are answered at once cost no copies of it.
struct FeedRead: ~Copyable, Sendable {
    let query: FeedQuery
    let coding: CodingChoice
    let requester: Requester
    let wait: WaitPreference?

    init(_ request: borrowing RoutedRequest) throws(Problem) {
        let canWait = request.query.hasAny || request.head.has(.prefer)
        let wait = canWait ? try WaitPreference(request) : nil
        // The last that can throw: what was set before cannot be given up again.
        query = try FeedQuery(request.query)
        self.wait = wait
        coding = request.head.codingChoice
        requester = request.requester
    }
}

/// A read that waits for the next change, with all that it takes to answer it later.
final class WaitingRead: Sendable {
    let read: FeedRead
    let feed: FeedName
    let caller: Access.Caller
    let condition: Conditions
    /// The value of the Origin field: a reload may list other origins.
    let origin: String?

    init(_ read: consuming FeedRead, _ feed: FeedName, _ request: borrowing RoutedRequest) {
        origin = request.head.value(.origin)
        self.read = read
        self.feed = feed
        caller = request.caller
        condition = Conditions(request.head)
    }
}

/// The parts of a read request that do not depend on the feed.
struct ReadParts: Sendable {
    let condition: Conditions
    let coding: CodingChoice
    var requester: Requester

    init(_ request: borrowing RoutedRequest) {
        condition = Conditions(request.head)
        coding = request.head.codingChoice
        requester = request.requester
    }
}

/// A read that has come to one version of a feed: all that its answer depends on but which document
/// it asks for.
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
        outcome = request.head.outcome(Validators(responses.tag))
        requester = request.requester
    }

    /// Makes the read of a page for feed readers, whose validators depend on settings, too.
    init(
        _ version: Version,
        _ request: borrowing RoutedRequest,
        _ api: FeedAPI,
        _ stamp: Syndication.Stamp
    ) {
        self.version = version
        responses = api.cache.responses(for: version)
        let validators = api.builder.validators(stamp, of: version)
        outcome = request.head.outcome(validators, now: api.store.wallSeconds)
        requester = request.requester
    }

    /// Makes the read of one that has waited.
    ///
    /// - Parameters:
    ///   - version: The version that is there now.
    ///   - waiting: The request.
    ///   - requester: The client that asks, by the newest configuration.
    ///   - api: The API by the newest configuration.
    init(_ version: Version, _ waiting: WaitingRead, _ requester: Requester, _ api: FeedAPI) {
        self.version = version
        responses = api.cache.responses(for: version)
        outcome = waiting.condition.outcome(responses.tag)
        self.requester = requester
    }

    /// Whether there is nothing new for a client with `since`: `304`, or a document that says so.
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
/// It cannot be copied: otherwise a look at one of its parts would copy all of it.
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

/// How the state of a feed is told, and what of it.
struct Presentation: Sendable, Equatable {
    var view: FeedView
    /// Whether changes are told also where they are longer than the snapshot.
    var tellsChanges = false
    /// Whether changes are told as an RFC 6902 patch.
    var isPatch = false

    /// All of it, in the shortest way.
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
    /// Sections that a query can name.
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
