public import FeedModel
public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A feed server as its publishers and readers see it: one request a call.
///
/// No HTTP cache stands between it and the server: a reader asks with the token that it keeps, and
/// a cache that answered in the server's place would hide what is new.
public struct FeedService: Sendable {
    let requests: FeedRequest
    let keys: KeyRing
    let transport: any FeedTransport
    /// The tag of the last pull.
    let pulls = PullTags()
    let queries = QuerySupport()
    let monitor = ChangeMonitor(NetworkConditions())
    /// The number of a caller's own requests that have worked: followers that wait for the server
    /// try again.
    let works = ChangeMonitor(0)
    let gate = CacheGate()

    /// Where the server is.
    public var baseURL: URL { requests.baseURL }

    /// Where feeds are kept on disk; `nil`: nowhere.
    public let cache: FeedCache?

    /// Why the server's address cannot be asked; `nil`: it can.
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

    /// Tells fixed keys apart, beside what is kept on disk.
    private let owner: String

    /// Makes a service; opens no connection yet.
    ///
    /// - Parameters:
    ///   - baseURL: Where the server is, for example `https://feeds.example.org`. Each request to an
    ///     address without `http://` or `https://` fails at once.
    ///   - key: The key that `Authorization` carries, where reading or writing needs a key.
    ///   - cache: Where feeds are kept on disk.
    ///   - transport: The transport, which carries requests.
    public init(
        baseURL: URL,
        key: String? = nil,
        cache: FeedCache? = nil,
        transport: any FeedTransport = FeedService.defaultTransport()
    ) {
        self.init(baseURL: baseURL, keys: FixedKey(key: key), cache: cache, transport: transport)
    }

    /// The file of a feed.
    func cacheKey(of feed: FeedName, _ view: FeedView) -> FeedCache.Key {
        FeedCache.Key(server: baseURL, feed: feed, view: view, owner: owner)
    }

    /// Makes a service whose key is asked for when it is needed, and again when it is refused.
    ///
    /// - Parameters:
    ///   - baseURL: Where the server is.
    ///   - keys: Gives the key.
    ///   - cache: Where feeds are kept on disk.
    ///   - transport: The transport, which carries requests.
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

    /// Says how the network is, and whether the app is on the screen; followed feeds go by it at
    /// once.
    public func networkChanged(to conditions: NetworkConditions) {
        let old = monitor.update { now in
            let session = now.session
            now = conditions
            now.session = session
        }
        if old.isSuspended, !conditions.isSuspended { transport.renew() }
    }

    /// Forgets the key and everything that was kept on disk, as when a person signs out.
    ///
    /// Streams and requests of followed feeds that were opened with the key end, and are opened
    /// anew with the next one. Feeds that are still in use keep what they show, and are no longer
    /// kept on disk; drop them.
    ///
    /// - Throws: Why files could not be removed.
    public func signOut() async throws {
        await keys.forget()
        monitor.update { $0.session += 1 }
        transport.renew()
        await gate.close()
        try cache?.removeAll()
    }

    /// Fetches a feed, or what is new in it.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - since: The version that the caller has; `nil` asks for the snapshot.
    ///   - view: The part of the feed to see.
    ///   - format: The form of the answer.
    ///   - wait: For how long the server may hold an answer that there is nothing new, up to 60
    ///     seconds; with `since`.
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
        let result = try await send(request, isHeld: wait != nil)
        return Data(try result.document(format.mediaType))
    }

    /// Asks whether the server is ready for traffic.
    ///
    /// - Throws: ``FeedServiceError`` when it is not, or cannot be reached.
    public func checkReadiness() async throws {
        let result = try await send(requests.ready())
        guard result.status == 200 else { throw result.refusal }
        let words = String(decoding: try result.document("text/plain"), as: UTF8.self)
        guard ["ready", "degraded"].contains(where: words.hasPrefix) else {
            throw FeedServiceError.unexpected("it is no feed server that answers there")
        }
    }
}

extension FeedService {
    /// Sends a request, and takes its answer whatever it is; with another key where the server
    /// refuses the one that there was.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - isHeld: Whether the answer may take long.
    /// - Returns: The answer, a refusal too.
    /// - Throws: ``FeedServiceError`` when none comes, and `CancellationError`.
    func send(_ request: URLRequest, isHeld: Bool = false) async throws -> FeedResult {
        if let addressProblem { throw addressProblem }
        let key = try await keys.current()
        let result = try await exchange(request, key, isHeld)
        guard result.status == 401, let fresh = try await keys.replacement(for: key) else {
            return result
        }
        return try await exchange(request, fresh, isHeld)
    }

    private func exchange(
        _ request: URLRequest,
        _ key: String?,
        _ isHeld: Bool
    ) async throws -> FeedResult {
        let requested = ContinuousClock.now
        let (body, head) = try await transport.response(
            to: request.authorized(by: key),
            isHeld: isHeld
        )
        // An array at once, so that a long document is not held twice while it is read.
        var result = FeedResult(head: head, body: Array(body))
        result.requested = requested
        result.isPrivate = key != nil && result.variesByKey
        return result
    }

    /// Sends a request whose response is read while it arrives.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - silence: After which a connection is given up.
    /// - Returns: The key that it was sent with, and the response's parts.
    /// - Throws: ``FeedServiceError`` where it is not sent.
    func parts(
        of request: URLRequest,
        silence: Duration
    ) async throws -> (key: String?, parts: AsyncThrowingStream<ResponsePart, any Error>) {
        if let addressProblem { throw addressProblem }
        let key = try await keys.current()
        var request = request.authorized(by: key)
        request.timeoutInterval = silence / .seconds(1)
        return (key, transport.parts(of: request))
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
