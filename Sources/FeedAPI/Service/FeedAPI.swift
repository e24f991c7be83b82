import Dispatch
import FeedModel
package import FeedStore
package import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization

/// The parts of the API that live as long as the server and survive reloads of the configuration.
final class Service: Sendable {
    let store: FeedStore
    /// The topics that wake the requests that wait for a change of a feed.
    let topics: FeedTopics
    /// The names of the feeds that changed last, for streams that follow very many feeds.
    let changes: ChangeLog
    /// The threads for all work of more than microseconds.
    let work: WorkScheduler
    /// The queues of publishes, one for each feed.
    let feedQueues: FeedQueues
    let idempotency: IdempotencyMemory
    let publishes = Mutex(PublishCounts())
    /// The origin of this server's feeds: the server that it mirrors, or the database that it
    /// shares with other servers; `nil` if it has neither.
    let upstream: (any Upstream)?
    /// The questions to the upstream about newer versions; `nil` without an upstream.
    let freshness: FreshnessQueue?
    /// The handler of all other paths; `nil`: they are `404`.
    let fallback: (any RequestHandler)?
    private let newest = Mutex(WeakReference<FeedAPI>())
    private let newestCount = Atomic(0)

    init(
        _ store: FeedStore,
        _ configuration: APIConfiguration,
        fallback: (any RequestHandler)?,
        upstream: (any Upstream)?
    ) {
        self.store = store
        self.fallback = fallback
        self.upstream = upstream ?? store.sharedJournal.map { JournalUpstream($0) }
        freshness = self.upstream.map { FreshnessQueue($0) }
        work = WorkScheduler(configuration)
        feedQueues = FeedQueues(work, limits: configuration.waitingPublishes)
        idempotency = IdempotencyMemory(counter: store.answerBytes, clock: configuration.clock)
        topics = FeedTopics(store)
        changes = ChangeLog(store)
        DispatchQueue.global(qos: .utility).async { _ = FeedAPI.codedSpecification }
    }

    /// The API by the newest configuration, for long polls and streams, which outlive a
    /// configuration; `nil` after the server has stopped.
    var newestAPI: FeedAPI? { newest.withLock(\.object) }

    /// The number of the newest API: a stream compares it to see whether its API is outdated.
    var generation: Int { newestCount.load(ordering: .acquiring) }

    /// Makes `api` the newest API.
    func setNewest(_ api: FeedAPI) {
        newest.withLock { $0.object = api }
        newestCount.add(1, ordering: .releasing)
    }
}

/// The protocol of docs/PROTOCOL.md as a request handler: takes requests and returns replies.
///
/// An object has one configuration, and everything that depends on it. A reload of the
/// configuration makes another object for the same ``Service``.
package final class FeedAPI: RequestHandler {
    let service: Service
    let store: FeedStore
    let configuration: APIConfiguration
    let access: Access
    let cors: CORS
    /// The second, since 1970, in which this configuration was applied.
    let configuredSecond: Int
    let cache: ResponseCache
    /// The number of documents that were written: each should be once for the same response,
    /// however many clients ask.
    let written = Atomic(0)
    /// The number of bodies that were compressed.
    let compressed = Atomic(0)
    /// The cached `404` for a feed that does not exist.
    let noFeed: Payload
    /// The limiter of requests; `nil` if nothing is limited.
    let limiter: RateLimiter?
    /// The beginnings of the heads of responses to pulls.
    let pullStarts: (ok: [UInt8], notModified: [UInt8])

    /// Makes the API of a store.
    ///
    /// - Parameters:
    ///   - fallback: The handler of all other paths; without it they are `404`.
    ///   - upstream: The origin of the feeds; `nil`: the journal, if several servers share it.
    package convenience init(
        store: FeedStore,
        configuration: APIConfiguration = APIConfiguration(),
        fallback: (any RequestHandler)? = nil,
        upstream: (any Upstream)? = nil
    ) {
        let service = Service(store, configuration, fallback: fallback, upstream: upstream)
        self.init(
            service,
            configuration,
            Access(configuration),
            limiter: RateLimiter(configuration.rateLimits, clock: configuration.clock)
        )
    }

    private init(
        _ service: Service,
        _ configuration: APIConfiguration,
        _ access: Access,
        limiter: RateLimiter?
    ) {
        self.service = service
        store = service.store
        self.configuration = configuration
        self.access = access
        self.limiter = limiter
        cors = CORS(configuration)
        configuredSecond = store.wallSeconds
        cache = ResponseCache(store)
        pullStarts = FeedAPI.pullStarts(cors)
        var missing = Problem.noFeed.response
        if !access.isOpen { missing.fields.addVary("Authorization") }
        cors.add(to: &missing)
        noFeed = Payload(missing)
        service.setNewest(self)
    }

    /// Makes the API of the same service by another configuration.
    ///
    /// Cached responses depend on the configuration, so the new API has a cache of its own.
    /// Requests that have begun are answered by their old configuration; long polls and streams
    /// change to the new one.
    ///
    /// - Parameter new: The operator's new settings. Their clock is ignored, because the times that
    ///   are stored come from the old clock.
    package func reconfigured(_ new: APIConfiguration) -> FeedAPI {
        var configuration = new
        configuration.clock = self.configuration.clock
        // These settings are not part of a reload; the objects behind them update themselves.
        configuration.sources = self.configuration.sources
        configuration.derivationFailure = self.configuration.derivationFailure
        configuration.metrics = self.configuration.metrics
        configuration.reportPublish = self.configuration.reportPublish
        configuration.reportRefusedOrigin = self.configuration.reportRefusedOrigin
        // If the limits are the same, the new API has the old limiter, so that a reload does not
        // give clients a new quota.
        let isSame = self.configuration.rateLimits == configuration.rateLimits
        let api = FeedAPI(
            service,
            configuration,
            Access(configuration, keeping: access),
            limiter: isSame
                ? limiter : RateLimiter(configuration.rateLimits, clock: configuration.clock)
        )
        // Long polls and streams check what they may read by the new configuration.
        service.topics.notifyAll()
        service.changes.topic.notify()
        return api
    }

    /// Stops the service: small work is still done, and large work that has not begun is refused.
    package func stop() {
        service.work.endLargeWork()
    }

    /// The results of look-ups for a request, which is received again with them.
    struct LookUps {
        /// The feeds in the body of a `QUERY`; `nil` for other methods, whose query names them.
        var names: [FeedSelection.Entry]?
        /// Whether the upstream was asked about newer versions, or need not be.
        var skipsUpstream = false
        /// Whether the journal was asked for the older version that the request names.
        var skipsJournal = false
        /// The version from the journal; `nil` if it does not have it, or was not asked.
        var journalVersion: Version?
    }

    /// Returns a reply that waits until something was looked up for a request, which is then
    /// received again by the newest configuration.
    ///
    /// - Parameter begin: Begins the look-up; its argument must be called once, on any thread, with
    ///   the results, or with the error to answer.
    func lookingUp(
        for routed: borrowing RoutedRequest,
        within time: Duration,
        orElse late: Problem,
        _ begin: (@escaping @Sendable (Result<LookUps, Problem>) -> Void) -> Void
    ) -> Reply {
        let topic = Topic()
        let found = Mutex<Result<LookUps, Problem>?>(nil)
        begin { result in
            found.withLock { $0 = result }
            topic.notify()
        }
        let request = Request(head: routed.head, peer: routed.peer)
        return .wait(
            LongPoll(for: [topic], time: time, byteCount: request.head.bytes.count) { isLast in
                switch found.withLock(\.self) {
                case .success(let found)?:
                    return (self.service.newestAPI ?? self).answer(request, found)
                case .failure(let problem)?: return .response(problem.response)
                case nil: return isLast ? .response(late.response) : nil
                }
            }
        )
    }

    package func receive(_ request: Request, _ label: inout RequestLabel) -> Reply {
        var asker = Asker(origin: nil, quota: nil, asksForFile: false)
        let reply = answer(request, nil, asker: &asker, label: &label)
        asker.origin = cors.listedOrigin(request.head, reports: !asker.asksForFile)
        // Nearly all cached responses need no more fields, and are sent as they are.
        if let status = reply.encodedStatus, asker.addsNothing(to: status) { return reply }
        return addressed(reply, to: asker, of: request.head)
    }

    /// Answers a request again, after something was looked up for it.
    func answer(_ request: Request, _ found: LookUps) -> Reply {
        var asker = Asker(origin: nil, quota: nil, asksForFile: false)
        var label = RequestLabel()
        return answer(request, found, asker: &asker, label: &label)
    }

    /// Answers a request, without the fields that depend on who asks.
    ///
    /// - Parameters:
    ///   - found: The results of earlier look-ups for the request; `nil` when it is received
    ///     first.
    ///   - asker: Receives the client's quota.
    ///   - label: Receives the route and the caller, for the log.
    private func answer(
        _ request: Request,
        _ found: LookUps?,
        asker: inout Asker,
        label: inout RequestLabel
    ) -> Reply {
        do throws(Problem) {
            if let names = configuration.hostNames, !names.includes(hostOf: request.head) {
                throw .otherHost
            }
            if let upstream = service.upstream, !upstream.takesPublishes {
                try refusePublish(request.head)
            }
            let route = try Route(request.head)
            let query = try Query(request.head.bytes, request.head.targetParts.query)
            label.route = route.index
            label.isEssential = route.resource.isEssential
            if route.index == Resource.files, let fallback = service.fallback {
                asker.asksForFile = true
                return fallback.receive(request)
            }
            let routed = try RoutedRequest(
                request,
                route,
                query,
                by: self,
                found: found,
                quota: &asker.quota,
                label: &label
            )
            return try answer(routed)
        } catch {
            return .response(error.response)
        }
    }

    /// Answers a request; if it names versions that the upstream or the journal may have, the reply
    /// waits until these were asked.
    private func answer(_ routed: borrowing RoutedRequest) throws(Problem) -> Reply {
        if let questions = service.freshness, routed.lookUps?.skipsUpstream != true,
            let wait = try checkingFreshness(routed, questions)
        {
            return wait
        }
        if routed.query.has(.version), routed.lookUps?.skipsJournal != true,
            let wait = recalling(routed)
        {
            return wait
        }
        return try route(routed)
    }

    package var routeNames: [String] { Resource.table.map(\.name) }

    package func response(to refusal: RequestRefusal, origin: [UInt8]?) -> Response {
        guard let problem = FeedAPI.problem(of: refusal) else { return Response(refusal) }
        let listed = origin.flatMap { cors.listedOrigin($0.span) }
        let asker = Asker(origin: listed, quota: nil, asksForFile: false)
        return addressed(problem.response, to: asker)
    }

    /// Returns the error of a request that the engine refuses; `nil`: the engine has the words.
    static func problem(of refusal: RequestRefusal) -> Problem? {
        switch refusal {
        case .malformed(let error): Problem(error)
        case .late: Problem(.timeout, .requestTimeout, "the request did not arrive in time")
        case .unmetExpectation:
            Problem(
                .expectation,
                .expectationFailed,
                "the only expectation that can be met is 100-continue"
            )
        case .overloaded: .overloaded("there are as many connections as there can be")
        case .unencrypted: nil
        }
    }
}

/// The properties of a request's client that fields of its responses depend on.
struct Asker: Sendable {
    /// The origin of the page that sent the request, if the operator lists it (the Fetch standard,
    /// "CORS protocol"); `nil` for any other origin, and if any origin is allowed.
    var origin: CORS.ListedOrigin?
    /// The client's quota, for RateLimit; `nil` if its requests are not limited.
    var quota: RateLimiter.Quota?
    /// Whether the path may be a file's; files have no fields of the API, and their errors do.
    var asksForFile: Bool

    /// Returns the quota that a response states; `nil` for a read that succeeds.
    fileprivate func statedQuota(_ status: Int) -> RateLimiter.Quota? {
        guard let quota, quota.isPublish || status >= 400 else { return nil }
        return quota
    }

    /// Returns whether a response of this status, which has the fields that all clients get, needs
    /// no others.
    fileprivate func addsNothing(to status: Int) -> Bool {
        if asksForFile, status < 400 { return true }
        guard origin == nil else { return false }
        return statedQuota(status) == nil
    }
}

/// Adds the fields that depend on who asks to all responses: those of CORS, Vary and RateLimit.
extension FeedAPI {
    /// Returns a reply whose responses have the fields for their client.
    ///
    /// Responses that wait, or that come after a body, have those of the newest configuration.
    func addressed(_ reply: Reply, to asker: Asker, of head: borrowing RequestHead) -> Reply {
        switch reply {
        case .response(let response): return .response(addressed(response, to: asker))
        case .later: return reply.mapping { self.addressed($0, to: asker) }
        case .wait, .body:
            let origin = head.value(.origin)
            return reply.mapping { response in
                let api = self.service.newestAPI ?? self
                var asker = asker
                asker.origin = origin.flatMap { api.cors.listedOrigin($0.utf8.span) }
                // A payload from before a reload may allow any origin already.
                if api !== self, response.decoded.fields.contains(.accessControlAllowOrigin) {
                    asker.origin = nil
                }
                return api.addressed(response, to: asker)
            }
        }
    }

    /// Returns a response with the fields for its client.
    func addressed(_ response: Response, to asker: Asker) -> Response {
        let status = response.status.code
        if asker.asksForFile, status < 400 { return response }
        let quota = asker.statedQuota(status)
        if let payload = response.payload {
            // The payload has the fields that all clients get.
            var (own, fields) = (response.own, HTTPFields())
            own.lines += asker.origin?.lines ?? []
            quota?.add(to: &fields)
            ResponseHeadEncoder.append(fields: fields, to: &own.lines)
            return Response(payload, own)
        }
        var response = response
        if status >= 400, !access.isOpen { response.fields.addVary("Authorization") }
        cors.add(to: &response, for: asker.origin)
        quota?.add(to: &response.fields)
        return response
    }
}
