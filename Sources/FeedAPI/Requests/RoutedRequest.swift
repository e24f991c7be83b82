import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// A request, and what it asks for; nothing of it is copied.
struct RoutedRequest: ~Copyable, Sendable {
    private(set) var head: RequestHead
    let route: Route
    let query: Query
    /// Where it comes from.
    let requester: Requester
    /// Who sent it, where that matters.
    let caller: Access.Caller
    /// The address that it comes from.
    let peer: PeerAddress?
    /// The feeds that the body of a `QUERY` names; `nil`: the query has them.
    var names: [FeedSelection.Entry]?
    /// The older version that the query asks for, where it is not remembered but kept.
    var kept: Version?

    /// Takes the head of a request, which is to be given back by ``giveBack(_:)``.
    ///
    /// - Parameters:
    ///   - lent: The head; it stays where this throws.
    ///   - peer: Who sent it.
    ///   - target: The route and the query that its target names.
    ///   - access: Knows the keys.
    ///   - cors: Knows the origins.
    ///   - limiter: Counts the requests of each client; `nil`: nothing is limited.
    ///   - label: Is told who asks.
    /// - Throws: `401` for a key that is not known, `429`.
    init(
        taking lent: inout RequestHead,
        from peer: PeerAddress?,
        _ target: consuming Target,
        _ access: Access,
        cors: CORS,
        limiter: RateLimiter? = nil,
        _ label: inout RequestLabel
    ) throws(Problem) {
        let method = lent.method
        // OPTIONS is answered without a key (the Fetch standard sends none).
        let needsCaller = target.route.resource.isGuarded && !method.isOptions
        let caller: Access.Caller
        var standing: RateLimiter.Standing?
        if needsCaller, let limiter {
            (caller, standing) = try limiter.caller(
                lent,
                from: peer,
                access,
                isPublish: RoutedRequest.isPublish(target.route, method),
                &label
            )
        } else {
            caller =
                needsCaller
                ? try access.caller(lent, from: ClientID(.anyone, peer)) : .anyone
        }
        if case .key(let key) = caller { label.user = key.name }
        self.caller = caller
        self.peer = peer
        requester = Requester(
            listedOrigin: cors.listedOrigin(lent),
            client: ClientID(caller, peer),
            standing: standing,
            isHead: method.isHead
        )
        route = target.route
        query = target.query
        head = .empty
        swap(&head, &lent)
    }

    /// Gives the head back: this is not used after that.
    mutating func giveBack(_ lent: inout RequestHead) {
        swap(&head, &lent)
    }

    var method: RequestHead.Method { head.method }

    /// The id of an item or a section in the path.
    var id: ExactString { ExactString(head.text(route.id)) }

    /// Whether it is GET or HEAD, or a QUERY whose body was read, which are answered alike.
    var isRead: Bool { method.isRead || names != nil }
}

extension RoutedRequest {
    /// The resource and the query that the target of a request names.
    struct Target: Sendable {
        let route: Route
        let query: Query

        /// Reads the target of a request.
        ///
        /// - Throws: `400` for one that is malformed.
        init(_ head: borrowing RequestHead) throws(Problem) {
            let places: TargetPlaces
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
            query = try Query(head.bytes, places.query)
        }
    }
}

/// The client that asks, as far as the code that answers must know it.
struct Requester: Sendable {
    /// The listed origin of the page that asks (the Fetch standard, "CORS protocol"); `nil` for any
    /// other, and where any origin is allowed.
    var listedOrigin: CORS.ListedOrigin?
    /// Whose work it is.
    var client = ClientID.local
    /// The level of its bucket; `nil` where its requests are not limited.
    var standing: RateLimiter.Standing?
    /// Whether only the head of the answer is asked for.
    var isHead = false

    /// The requester of a request that could not be read.
    static let unknown = Requester()

    /// The lines of a response that differ from origin to origin.
    var originLines: [UInt8] { listedOrigin?.lines ?? [] }

    /// Returns the requester as a newer configuration sees it.
    ///
    /// - Parameter origin: The value of its Origin field, if it has one.
    func renewed(_ origin: String?, by cors: CORS) -> Requester {
        var requester = self
        requester.listedOrigin = origin.flatMap { cors.listedOrigin($0.utf8.span) }
        return requester
    }
}

/// A client, which has a fair share of what is computed for all.
enum ClientID: Hashable, Sendable {
    /// The clients that send this key, from any address: the first bytes of its digest.
    case key(UInt64)
    /// An address; of IPv6 the network of 64 bits, for one client may have all of it.
    case address(high: UInt64, low: UInt64)
    /// A caller in the same program.
    case local

    /// Makes the id of a request's client.
    ///
    /// - Parameters:
    ///   - caller: The owner of the rights that the request uses.
    ///   - peer: The address that the request comes from.
    init(_ caller: Access.Caller, _ peer: PeerAddress?) {
        if case .key(let key) = caller {
            let digest = key.digest
            self = .key(digest.span.bytes.unsafeLoadUnaligned(as: UInt64.self))
        } else if let peer {
            self = .address(high: peer.network.high, low: peer.network.low)
        } else {
            self = .local
        }
    }
}
