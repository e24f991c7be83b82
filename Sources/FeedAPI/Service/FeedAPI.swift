import FeedModel
package import FeedStore
package import HTTPServer
import HTTPTypes
package import HTTPWire
import Synchronization

/// The parts of the API that live as long as the server, whatever its configuration.
final class Service: Sendable {
    let store: FeedStore
    /// The topics that wake requests waiting for a feed.
    let topics: FeedTopics
    /// The changes of all feeds, for streams that follow very many.
    let changes: ChangeLog
    /// The threads for everything that takes more than microseconds.
    let work: WorkScheduler
    let feedQueues: FeedQueues
    let undecided: UndecidedPublishes
    let idempotency: IdempotencyMemory
    let publishes = PublishCounters()
    /// The upstream of this server, if it follows one.
    let upstream: (any Upstream)?
    /// The freshness checks that wait for the upstream.
    let freshness: FreshnessQueue?
    /// The description of the API, for tools.
    let specification = OpenAPIDocument()
    /// The handler of the paths that are not the API's; `nil`: they are `404`.
    let fallback: (any RequestHandler)?
    /// The API as it is configured now.
    let newest = NewestAPI()

    init(
        _ store: FeedStore,
        _ configuration: APIConfiguration,
        _ fallback: (any RequestHandler)?,
        _ upstream: (any Upstream)?
    ) {
        self.store = store
        self.fallback = fallback
        self.upstream = upstream ?? store.sharedJournal.map { JournalUpstream($0) }
        freshness = self.upstream.map { FreshnessQueue($0) }
        work = WorkScheduler(configuration)
        feedQueues = FeedQueues(work, limits: configuration.waitingPublishes)
        undecided = UndecidedPublishes(byteLimit: configuration.waitingPublishes.byteCount)
        idempotency = IdempotencyMemory(counter: store.answerBytes, clock: configuration.clock)
        topics = FeedTopics(store)
        changes = ChangeLog(store)
    }
}

/// The protocol's routes: a request in, a response out (docs/PROTOCOL.md).
///
/// It has a configuration, and what depends on it. A reload makes another one of the same
/// ``Service``.
package final class FeedAPI: RequestHandler {
    let service: Service
    let store: FeedStore
    let configuration: APIConfiguration
    let access: Access
    let builder: ResponseBuilder
    let cache: ResponseCache
    /// `404` for a feed that is not there, for all who ask.
    let noFeed: Payload
    /// Counts requests, where they are limited.
    let limiter: RateLimiter?

    /// Makes the API of a store.
    ///
    /// - Parameters:
    ///   - store: The feeds.
    ///   - configuration: The operator's settings.
    ///   - fallback: Answers the paths that are not the API's; without it they are `404`.
    ///   - upstream: The server's upstream; without it, the journal if others publish there, too.
    package convenience init(
        store: FeedStore,
        configuration: APIConfiguration = APIConfiguration(),
        fallback: (any RequestHandler)? = nil,
        upstream: (any Upstream)? = nil
    ) {
        let service = Service(store, configuration, fallback, upstream)
        self.init(
            service,
            configuration,
            Access(configuration),
            RateLimiter(configuration.rateLimits, clock: configuration.clock)
        )
    }

    private init(
        _ service: Service,
        _ configuration: APIConfiguration,
        _ access: Access,
        _ limiter: RateLimiter?
    ) {
        self.service = service
        store = service.store
        self.configuration = configuration
        self.access = access
        self.limiter = limiter
        builder = ResponseBuilder(access, configuration, service.store)
        cache = ResponseCache(service.store)
        noFeed = builder.cached(.noFeed)
        service.newest.become(self)
    }

    /// The API of the same service by another configuration, for the requests that come from now
    /// on.
    ///
    /// Cached responses depend on the configuration, so it makes its own. Requests that were begun
    /// go on by the configuration they were begun by, but waits and streams, which last, by the new
    /// one.
    ///
    /// - Parameter new: The settings of the operator. Its clock counts for nothing: what is
    ///   remembered keeps its own.
    /// - Returns: The API that receives requests from now on.
    package func reconfigured(_ new: APIConfiguration) -> FeedAPI {
        var configuration = new
        // They change by themselves.
        configuration.sources = self.configuration.sources
        configuration.derivationFailure = self.configuration.derivationFailure
        configuration.metrics = self.configuration.metrics
        configuration.reportPublish = self.configuration.reportPublish
        configuration.reportRefusedOrigin = self.configuration.reportRefusedOrigin
        // A client that has used up its quota gets no new one by a reload of other settings.
        let isSame = self.configuration.rateLimits == configuration.rateLimits
        let api = FeedAPI(
            service,
            configuration,
            Access(configuration, keeping: access.uses),
            isSame
                ? limiter
                : RateLimiter(configuration.rateLimits, clock: self.configuration.clock)
        )
        // The clients that wait may see more or less now.
        service.topics.notifyAll()
        service.changes.topic.notify()
        return api
    }

    /// The server stops: what is small is still answered, and large reads and publishes that have
    /// not begun are refused.
    package func stop() {
        service.work.endLargeWork()
    }

    /// How far a request has come when it is received.
    enum Look {
        case first
        /// The names in the body of a `QUERY` were read. It is not counted against its limit again.
        case named([FeedSelection.Entry])
        /// The upstream was asked, and is not asked again. A `QUERY` has the names of its body.
        case last([FeedSelection.Entry]?)
        /// The version that it names was looked for among those that are kept.
        case keptVersion(Version?)
    }

    /// Receives a request that has come so far.
    func receive(_ request: Request, _ look: Look) -> Reply {
        var (head, label) = (request.head, RequestLabel())
        return receiveHead(&head, from: request.peer, &label, look)
    }

    package func receive(
        _ head: inout RequestHead,
        from peer: PeerAddress?,
        _ label: inout RequestLabel
    ) -> Reply {
        receiveHead(&head, from: peer, &label, .first)
    }

    /// Receives a request.
    ///
    /// - Parameters:
    ///   - head: The head, which is taken for the call, since a copy costs time.
    ///   - peer: Who sent it.
    ///   - label: Is told what it asks for, and who asks.
    ///   - look: How far it has come.
    private func receiveHead(
        _ head: inout RequestHead,
        from peer: PeerAddress?,
        _ label: inout RequestLabel,
        _ look: Look
    ) -> Reply {
        if let names = configuration.hostNames, !names.include(head) {
            return refusal(.otherHost, to: head)
        }
        do {
            if let upstream = service.upstream, !upstream.takesPublishes { try refusePublish(head) }
            let target = try RoutedRequest.Target(head)
            label.route = target.route.index
            label.isEssential = target.route.resource.isEssential
            if target.route.index == Resource.files, let fallback = service.fallback {
                return outside(Request(head: head, peer: peer), fallback)
            }
            var routed = try RoutedRequest(
                taking: &head,
                from: peer,
                target,
                access,
                cors: builder.cors,
                limiter: look.isCounted ? limiter : nil,
                &label
            )
            defer { routed.giveBack(&head) }
            routed.names = look.names
            if look.mayAsk, let questions = service.freshness,
                let wait = checkingFreshness(routed, questions)
            {
                return wait
            }
            if case .keptVersion(let version) = look {
                routed.kept = version
            } else if routed.query.has(.version), let wait = recalling(routed) {
                return wait
            }
            do throws(Problem) {
                return try route(routed)
            } catch {
                return .response(refusal(error, routed.requester))
            }
        } catch {
            return refusal(error, to: head)
        }
    }

    /// The answer to an error of a request that was not routed.
    private func refusal(_ problem: Problem, to head: borrowing RequestHead) -> Reply {
        let requester = Requester(listedOrigin: builder.cors.listedOrigin(head))
        return .response(builder.response(problem, for: requester))
    }

    /// The answer to an error of a request that was counted, where requests are limited.
    private func refusal(_ problem: Problem, _ requester: Requester) -> Response {
        var response = builder.response(problem, for: requester)
        if let standing = requester.standing { limiter?.add(standing, to: &response.fields) }
        return response
    }

    package var routeNames: [String] { Resource.table.map(\.name) }

    package func response(to refusal: RequestRefusal, origin: [UInt8]?) -> Response {
        let problem: Problem
        switch refusal {
        case .malformed(let error): problem = Problem(error)
        case .late:
            let words = "the request did not arrive in time"
            problem = Problem(.timeout, .requestTimeout, words)
        case .unmetExpectation:
            let words = "the only expectation that can be met is 100-continue"
            problem = Problem(.expectation, .expectationFailed, words)
        case .overloaded: problem = .overloaded("there are as many connections as there can be")
        case .unencrypted: return Response(refusal)
        }
        var response = builder.response(problem, for: .unknown)
        if let origin { builder.cors.add(to: &response.fields, forOriginIn: origin) }
        return response
    }
}

extension FeedAPI.Look {
    /// Whether the request counts against its client's limit.
    var isCounted: Bool { if case .first = self { true } else { false } }

    /// Whether what the server follows may be asked.
    var mayAsk: Bool {
        switch self {
        case .first, .named: true
        case .last, .keptVersion: false
        }
    }

    /// The feeds that the body of a `QUERY` names.
    var names: [FeedSelection.Entry]? {
        switch self {
        case .first, .keptVersion: nil
        case .named(let names): names
        case .last(let names): names
        }
    }
}

/// The API by the newest configuration, for answers that last longer than one.
final class NewestAPI: Sendable {
    private struct Reference {
        weak var api: FeedAPI?
    }

    private let newest = Mutex(Reference())
    private let count = Atomic(0)

    /// The number of the newest one, for those who know an older one to see that quickly.
    var generation: Int { count.load(ordering: .acquiring) }

    /// The API as it is configured now; `nil` when it is gone.
    var api: FeedAPI? { newest.withLock(\.api) }

    func become(_ api: FeedAPI) {
        newest.withLock { $0.api = api }
        count.add(1, ordering: .releasing)
    }
}
