import Dispatch
import FeedModel
package import FeedStore
package import HTTPServer
import HTTPTypes
package import HTTPWire

/// The protocol's routes: a request in, a response out (docs/PROTOCOL.md).
package final class FeedAPI: RequestHandler {
    let store: FeedStore
    let configuration: APIConfiguration
    let access: Access
    let composer: Composer
    let pullsAtHand = PullsAtHand()
    let bakery: Bakery
    let lanes: PublishLanes
    let idempotency: IdempotencyMemory
    /// What wakes those who wait for a feed.
    let topics: FeedTopics
    /// The newest of those that share all this.
    let live: Live
    /// Where reads run that take more than microseconds.
    let workQueue: DispatchQueue
    /// Where publishes run, apart from reads: neither waits behind a crowd of the other.
    let publishQueue: DispatchQueue
    /// Where documents for streams are made, one after the other.
    ///
    /// A stream has one made at a time, and waits for it. A crowd of streams that come back, each
    /// with another version, holds up nobody who waits for an answer.
    let streamQueue: DispatchQueue
    /// How much may wait for the first two.
    let waitingReads: Admission
    let waitingPublishes: Admission
    /// Whether common reads are answered without looking at keys and origins.
    let isHot: Bool
    private let fallback: (any RequestHandler)?

    /// Makes the API of a store.
    ///
    /// - Parameters:
    ///   - store: The feeds.
    ///   - configuration: What the operator decided.
    ///   - fallback: Answers the paths that are not the API's; without it they are `404`.
    package init(
        store: FeedStore,
        configuration: APIConfiguration = APIConfiguration(),
        fallback: (any RequestHandler)? = nil
    ) {
        self.store = store
        self.configuration = configuration
        self.fallback = fallback
        access = Access(configuration)
        composer = Composer(
            access: access,
            cors: CORS(origins: configuration.origins),
            pacing: Pacing(store)
        )
        bakery = Bakery(composer, store: store)
        workQueue = DispatchQueue(label: "freshet.work", attributes: .concurrent)
        publishQueue = DispatchQueue(label: "freshet.publish", attributes: .concurrent)
        streamQueue = DispatchQueue(label: "freshet.streams")
        waitingReads = Admission(configuration.waitingReads, clock: configuration.clock)
        waitingPublishes = Admission(configuration.waitingPublishes, clock: configuration.clock)
        lanes = PublishLanes(queue: publishQueue)
        idempotency = IdempotencyMemory(clock: configuration.clock)
        topics = FeedTopics(store)
        live = Live()
        isHot = access.isOpen && composer.cors.isSameForAll
        live.become(self)
    }

    /// The API of the same store by another configuration, for the requests that come from now on.
    ///
    /// It has everything in common but what depends on the configuration; baked answers do, so
    /// it bakes its own. Requests that were begun go on by the configuration they were begun by,
    /// but waits and streams, which last, by the new one.
    ///
    /// - Parameter configuration: Its clock counts for nothing: what is remembered keeps its own.
    /// - Returns: What to receive requests by from now on.
    package func reconfigured(_ configuration: APIConfiguration) -> FeedAPI {
        FeedAPI(self, configuration)
    }

    private init(_ other: FeedAPI, _ configuration: APIConfiguration) {
        self.configuration = configuration
        store = other.store
        fallback = other.fallback
        access = Access(configuration)
        composer = Composer(
            access: access,
            cors: CORS(origins: configuration.origins),
            pacing: Pacing(store)
        )
        bakery = Bakery(composer, store: store)
        workQueue = other.workQueue
        publishQueue = other.publishQueue
        streamQueue = other.streamQueue
        waitingReads = other.waitingReads
        waitingPublishes = other.waitingPublishes
        lanes = other.lanes
        idempotency = other.idempotency
        topics = other.topics
        live = other.live
        isHot = access.isOpen && composer.cors.isSameForAll
        live.become(self)
        // Whoever waits may see more or less now.
        topics.notifyAll()
    }

    package func baked(_ head: RequestHead) -> ReadyAnswer? {
        hotRead(head) ?? hotPull(head)
    }

    package func receive(_ request: Request) -> Reception {
        do {
            let call = try Call(request, access, cors: composer.cors)
            if call.resource == .outside, let fallback { return fallback.receive(request) }
            return try route(call)
        } catch {
            return .answer(composer.response(error, origin: composer.cors.origin(request.head)))
        }
    }

    package func overloaded() -> Response {
        composer.response(.overloaded("there are as many connections as there can be"), origin: nil)
    }

    package func unmetExpectation() -> Response {
        let problem = Problem(
            .expectation,
            .expectationFailed,
            "the only expectation that can be met is 100-continue"
        )
        return composer.response(problem, origin: nil)
    }

    /// Those who watch over the server get through when it is full.
    package func isEssential(_ request: Request) -> Bool {
        guard let target = try? RequestTarget(request.head) else { return false }
        let resource = Resource(target)
        return resource == .health || resource == .readiness
    }

    package func refusal(_ error: RequestError) -> Response {
        composer.response(Problem(error), origin: nil)
    }

    package func timedOut() -> Response {
        let problem = Problem(.timeout, .requestTimeout, "the request did not arrive in time")
        return composer.response(problem, origin: nil)
    }
}
