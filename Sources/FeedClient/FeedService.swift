public import FeedModel
public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A feed server, for reading and publishing.
///
/// Each call sends one request.
///
/// HTTP caches are not used: a reader asks with the token of its version, and a cache that answered
/// in the server's place would hide what is new.
public struct FeedService: Sendable {
    let requests: FeedRequest
    let keys: KeyRing
    let transport: any FeedTransport
    /// The entity tag of the last pull.
    let pulls = PullTags()
    /// Whether the method `QUERY` reaches the server.
    let queries = QuerySupport()
    /// The current network conditions; followers react to changes.
    let monitor = ChangeMonitor(NetworkConditions())
    /// The number of the app's own requests that have succeeded.
    ///
    /// An increase ends the pause of followers after a failure.
    let works = ChangeMonitor(0)
    let gate = CacheGate()

    /// The address of the server.
    public var baseURL: URL { requests.baseURL }

    /// The cache of feeds on disk; `nil`: none.
    public let cache: FeedCache?

    /// The error of an address to which no request can be sent; `nil`: the address is valid.
    var addressProblem: FeedServiceError? {
        let isWeb = ["http", "https"].contains(baseURL.scheme?.lowercased())
        guard isWeb, baseURL.host?.isEmpty == false, baseURL.query == nil, baseURL.fragment == nil
        else {
            let address = baseURL.absoluteString
            return .unexpected(
                "no address of a server: \(address); one looks like https://feeds.example.org"
            )
        }
        return nil
    }

    /// The identifier of the key in the cache's files, which does not reveal the key.
    private let owner: String

    /// Makes a service; no connection is opened yet.
    ///
    /// - Parameters:
    ///   - baseURL: The address of the server, for example `https://feeds.example.org`. Each
    ///     request to an address without `http://` or `https://` fails at once.
    ///   - key: The bearer key for `Authorization`; `nil`: requests have none.
    ///   - cache: The cache of feeds on disk; `nil`: none.
    ///   - transport: Sends the requests.
    public init(
        baseURL: URL,
        key: String? = nil,
        cache: FeedCache? = nil,
        transport: any FeedTransport = FeedService.defaultTransport()
    ) {
        self.init(baseURL: baseURL, keys: FixedKey(key: key), cache: cache, transport: transport)
    }

    /// Returns the files of a feed in the cache; `nil`: there is no cache.
    func cached(_ feed: FeedName, _ view: FeedView) -> CachedFeed? {
        cache.map {
            CachedFeed(in: $0, server: baseURL, feed: feed, view: view, owner: owner, gate: gate)
        }
    }

    /// Makes a service that asks a provider for its key, when it is needed and when it was refused.
    ///
    /// - Parameters:
    ///   - baseURL: The address of the server.
    ///   - keys: Provides the key.
    ///   - cache: The cache of feeds on disk; `nil`: none.
    ///   - transport: Sends the requests.
    public init(
        baseURL: URL,
        keys: some KeyProvider,
        cache: FeedCache? = nil,
        transport: any FeedTransport = FeedService.defaultTransport()
    ) {
        requests = FeedRequest(baseURL: baseURL)
        owner = (keys as? FixedKey).map(\.mark) ?? "provided"
        self.keys = KeyRing(keys)
        self.cache = cache
        self.transport = transport
    }

    /// Sets the conditions of the network and of the app.
    ///
    /// Followed feeds adapt at once.
    public func networkChanged(to conditions: NetworkConditions) {
        let old = monitor.update { now in
            let session = now.session
            now = conditions
            now.session = session
        }
        if old.isSuspended, !conditions.isSuspended { transport.renew() }
    }

    /// Forgets the key, and removes all feeds from the cache, for when the user signs out.
    ///
    /// Streams and requests of followed feeds are closed, and opened again with the next key. Feeds
    /// that are still in use keep their content in memory, but are no longer written to the cache;
    /// the app should drop them.
    ///
    /// - Throws: The error of a file that could not be removed.
    public func signOut() async throws {
        await keys.forget()
        monitor.update { $0.session += 1 }
        transport.renew()
        await gate.close()
        try cache?.removeAll()
    }

    /// Fetches a feed, or the changes since a version.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - since: The version that the caller has; `nil` asks for the snapshot.
    ///   - view: The part of the feed to fetch.
    ///   - format: The format of the response.
    ///   - wait: With `since`, the time that the server may wait for a change before it answers, up
    ///     to 60 seconds; `nil`: it answers at once.
    /// - Returns: The document as the server sent it.
    /// - Throws: ``FeedServiceError``.
    public func get(
        _ feed: FeedName,
        since: Token? = nil,
        view: FeedView = FeedView(),
        format: FeedFormat = .json,
        wait: Duration? = nil
    ) async throws -> Data {
        let request = requests.get(feed, since: since, view: view, format: format, wait: wait)
        let result = try await send(request)
        return Data(try result.document(format.mediaType))
    }

    /// Asks whether the server is ready for traffic.
    ///
    /// - Throws: ``FeedServiceError`` when the server is not ready or cannot be reached.
    public func checkReadiness() async throws {
        let result = try await send(requests.make("GET", ["readyz"]))
        guard result.status == 200 else { throw result.refusal }
        let words = String(decoding: try result.document("text/plain"), as: UTF8.self)
        guard ["ready", "degraded"].contains(where: words.hasPrefix) else {
            throw FeedServiceError.unexpected("it is no feed server that answers there")
        }
    }
}

extension FeedService {
    /// An iterator over the parts of a response that have not been read yet.
    typealias Parts = AsyncThrowingStream<ResponsePart, any Error>.Iterator

    /// Sends a request, and waits for its whole response, of any status.
    ///
    /// - Throws: ``FeedServiceError`` when no response comes, and `CancellationError`.
    func send(_ request: URLRequest) async throws -> FeedResult {
        try await authorized(request) { request in
            let (body, head) = try await transport.response(to: request)
            // The conversion frees the data early: a long document is not in memory twice.
            return (head, Array(body), ())
        }.head
    }

    /// Sends a request whose response is read as it arrives.
    ///
    /// - Parameter silence: The time without any byte after which the connection is given up.
    /// - Returns: The head, of any status, and the parts of the body; `nil`: the response ended
    ///   before its head.
    /// - Throws: The errors of ``send(_:)``.
    func open(
        _ request: URLRequest,
        silence: Duration
    ) async throws -> (head: FeedResult, parts: Parts)? {
        struct NoHead: Error {}
        var request = request
        request.timeoutInterval = silence / .seconds(1)
        do {
            return try await authorized(request) { request in
                var parts = transport.parts(of: request).makeAsyncIterator()
                guard case .head(let head)? = try await parts.next() else {
                    try Task.checkCancellation()
                    throw NoHead()
                }
                return (head, [], parts)
            }
        } catch is NoHead {
            return nil
        }
    }

    /// Sends a request with the current key.
    ///
    /// If the server refuses the key, the request is sent again with a replacement, if there is
    /// one.
    private func authorized<Rest>(
        _ request: URLRequest,
        _ send: (URLRequest) async throws -> (HTTPURLResponse, body: [UInt8], parts: Rest)
    ) async throws -> (head: FeedResult, parts: Rest) {
        func exchange(_ key: String?) async throws -> (head: FeedResult, parts: Rest) {
            let requested = ContinuousClock.now
            let (head, body, parts) = try await send(request.authorized(by: key))
            let hasKey = key != nil
            return (FeedResult(head: head, body: body, hasKey: hasKey, requested: requested), parts)
        }
        if let addressProblem { throw addressProblem }
        let key = try await keys.current()
        let response = try await exchange(key)
        guard response.head.status == 401, let fresh = try await keys.replacement(for: key) else {
            return response
        }
        return try await exchange(fresh)
    }
}

extension URLRequest {
    fileprivate func authorized(by key: String?) -> URLRequest {
        guard let key else { return self }
        var request = self
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        return request
    }
}
