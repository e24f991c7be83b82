import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import Platform

/// A request with its route, its query and its caller; it cannot be copied, because copies cost
/// time.
struct RoutedRequest: ~Copyable, Sendable {
    let head: RequestHead
    /// The address of the sender.
    let peer: IPAddress?
    let route: Route
    let query: Query
    /// The client that work is charged to.
    let client: ClientID
    /// The caller's key; `nil` without one, and for resources that need none.
    let caller: AccessKey?
    /// The codings that the client accepts.
    let codings: AcceptEncoding
    /// The results of earlier look-ups for the request; `nil` when it is received first.
    let lookUps: FeedAPI.LookUps?
    /// The source of the metrics, for a request to the operator's listener; `nil` for all others.
    let operatorMetrics: (any MetricsSource)?

    /// Takes a request to the operator's listener, which needs no key and is not limited.
    ///
    /// - Throws: `400` for a malformed query.
    init(
        _ request: Request,
        _ route: Route,
        forOperatorOf metrics: any MetricsSource
    ) throws(Problem) {
        query = try Query(request.head.bytes, request.head.targetParts.query)
        client = .local
        (caller, lookUps, operatorMetrics) = (nil, nil, metrics)
        codings = request.head.acceptEncoding
        (head, self.route, peer) = (request.head, route, request.peer)
    }

    /// Finds the caller of a request, and counts the request for the caller's rate limit.
    ///
    /// - Parameters:
    ///   - found: The results of earlier look-ups for the request; `nil` when it is received
    ///     first, and only then counted for the rate limit.
    ///   - quota: Receives the client's quota, if the request is counted.
    ///   - label: Receives the name of the key's owner, for the log.
    /// - Throws: `401` for an unknown key, `429` beyond the rate limit.
    init(
        _ request: Request,
        _ route: Route,
        _ query: Query,
        by api: FeedAPI,
        found: FeedAPI.LookUps? = nil,
        quota: inout RateLimiter.Quota?,
        label: inout RequestLabel
    ) throws(Problem) {
        // OPTIONS is answered without a key (the Fetch standard sends none).
        let needsCaller = route.resource.isGuarded && !request.head.method.isOptions
        let caller =
            needsCaller
            ? try RoutedRequest.caller(of: request, to: route, by: api, found, &quota, &label) : nil
        self.caller = caller
        client = caller.map { ClientID($0) } ?? ClientID(request.peer)
        self.route = route
        self.query = query
        codings = request.head.acceptEncoding
        (lookUps, operatorMetrics) = (found, nil)
        // These are set last: after a throw, properties that were already set could not be
        // released.
        head = request.head
        peer = request.peer
    }

    /// Finds the caller of a request, and counts the request: for the caller's key, or else for its
    /// address.
    ///
    /// The label gets the name of the key's owner even if the request is beyond the limit, and the
    /// quota is set even if the key is unknown.
    private static func caller(
        of request: Request,
        to route: Route,
        by api: FeedAPI,
        _ found: FeedAPI.LookUps?,
        _ quota: inout RateLimiter.Quota?,
        _ label: inout RequestLabel
    ) throws(Problem) -> AccessKey? {
        let address = ClientID(request.peer)
        let isPublish = isPublish(route, request.head.method)
        let caller: AccessKey?
        do throws(Problem) {
            caller = try api.access.caller(request.head, from: address)
        } catch {
            // A key opens nothing that is not there.
            guard api.has(route.resource) else { return nil }
            // Requests with unknown keys count too, so that guessing keys is limited.
            if found == nil { quota = try api.limiter?.count(address, isPublish: isPublish) }
            throw error
        }
        if let key = caller { label.user = key.name }
        guard found == nil, let limiter = api.limiter else { return caller }
        let client = caller.map { RateLimiter.client($0) } ?? address
        quota = try limiter.count(client, isPublish: isPublish)
        return caller
    }

    /// Returns whether a request counts as a publish.
    private static func isPublish(_ route: Route, _ method: RequestHead.Method) -> Bool {
        if method.isRead || method == .query { return false }
        return !route.resource.changes.contains { $0.method == method && $0.isRead }
    }

    var method: RequestHead.Method { head.method }

    /// The id of an item or section in the path.
    var id: ExactString { ExactString(head.text(route.id)) }

    /// Whether the request is a GET, a HEAD, or a QUERY whose body was read; all three are answered
    /// alike.
    var isRead: Bool { method.isRead || lookUps?.names != nil }
}

/// A client, among which threads and quotas are shared fairly.
enum ClientID: Hashable, Sendable {
    /// The clients with one key, from any address: a hash, such as the first bytes of the key's
    /// digest.
    case key(UInt64)
    /// An IPv4 address, or the first 64 bits of an IPv6 address, because one client may have all
    /// addresses with these bits.
    case address(high: UInt64, low: UInt64)
    /// A caller in the same process.
    case local

    /// Makes the id of a client without a key; `nil` is a caller in the same process.
    init(_ address: IPAddress?) {
        guard let network = address?.network else {
            self = .local
            return
        }
        self = .address(high: network.high, low: network.low)
    }

    /// Makes the id of the clients with a key.
    init(_ key: AccessKey) { self = .key(key.digest.start.0) }
}
