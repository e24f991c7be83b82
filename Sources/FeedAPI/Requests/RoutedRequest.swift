import FeedModel
import HTTPServer
import HTTPTypes
import HTTPWire

/// A request, and what it asks for; nothing of it is copied.
struct RoutedRequest: ~Copyable, Sendable {
    let head: RequestHead
    let route: Route
    let query: Query
    /// Where it comes from.
    let origin: RequestOrigin
    /// Who sent it, where that matters.
    let caller: Access.Caller

    /// Reads the head of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - access: Knows the keys.
    ///   - cors: Knows the origins.
    ///   - limiter: Counts the requests of each client; `nil`: nothing is limited.
    ///   - label: Is told what is asked for, and who asks.
    /// - Throws: `400` for a malformed target, `401` for a key that is not known, `429`.
    init(
        _ request: Request,
        _ access: Access,
        cors: CORS,
        limiter: RateLimiter? = nil,
        _ label: inout RequestLabel
    ) throws(Problem) {
        // Copied once: a closure that uses a part of a request copies all of it.
        let (head, peer) = (request.head, request.peer)
        let (route, query) = try RoutedRequest.target(of: head)
        label.route = route.name.rawValue
        // OPTIONS is answered without a key (the Fetch standard sends none).
        let needsCaller = route.isGuarded && head.method != .options
        let caller: Access.Caller
        var standing: RateLimiter.Standing?
        if needsCaller, let limiter {
            let isPublish = RoutedRequest.isPublish(route, head.method)
            (caller, standing) = try limiter.caller(
                head,
                from: peer,
                access,
                isPublish: isPublish,
                &label
            )
        } else {
            caller =
                needsCaller
                ? try access.caller(head, from: ClientID(.anyone, peer)) : .anyone
        }
        if case .key(let key) = caller { label.user = key.name }
        self.head = head
        self.route = route
        self.query = query
        self.caller = caller
        origin = RequestOrigin(
            listed: cors.listedOrigin(head),
            client: ClientID(caller, peer),
            standing: standing,
            isHead: head.method == .head
        )
    }

    private static func target(of head: RequestHead) throws(Problem) -> (Route, Query) {
        let places: TargetPlaces
        let route: Route
        do {
            places = try TargetPlaces(head)
        } catch {
            throw Problem(error)
        }
        do {
            route = try Route(head, places)
        } catch {
            throw .malformed("the path has a malformed percent-escape, or is not UTF-8")
        }
        return (route, try Query(head.bytes, places.query))
    }

    var method: RequestHead.Method { head.method }

    /// Whether it is GET or HEAD, which are answered alike.
    var isRead: Bool { method == .get || method == .head }
}
