public import FeedModel
public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A feed server as its publishers and readers see it: one request a call, nothing remembered.
///
/// No HTTP cache stands between it and the server: whoever keeps a token asks with it, and a
/// cache that answered in the server's place would hide what is new.
public struct FeedService: Sendable {
    let requests: FeedRequest
    /// What the last pull was about.
    let pulls = PullTags()
    private let session: URLSession

    /// Makes a service; opens no connection yet.
    ///
    /// - Parameters:
    ///   - baseURL: Where the server is, for example `https://feeds.example.org`.
    ///   - key: What `Authorization` carries, where reading or writing needs a key.
    public init(baseURL: URL, key: String? = nil) {
        requests = FeedRequest(baseURL: baseURL, key: key)
        session = URLSession(configuration: FeedService.configuration)
    }

    /// Without a cache of its own.
    static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        return configuration
    }

    /// Replaces a whole feed; the server works out what changed.
    ///
    /// - Parameters:
    ///   - document: `{"title": …, "sections": [{"id": …, "items": […]}]}`, or `"items"` alone.
    ///   - feed: The feed, which comes to be if it is not there.
    ///   - ifMatch: Publish only when this is still the current version; else the problem has
    ///     the status 412.
    ///   - dryRun: Only count what would change.
    /// - Returns: The version that there is now, and what changed.
    /// - Throws: ``FeedServiceError``.
    public func publish(
        _ document: Data,
        to feed: FeedName,
        ifMatch: Token? = nil,
        dryRun: Bool = false
    ) async throws -> PublishResult {
        let request = requests.publish(document, to: feed, ifMatch: ifMatch, dryRun: dryRun)
        return try await send(request).published()
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
        return try await send(request, isHeld: wait != nil).document(format.mediaType)
    }

    /// Asks whether the server is ready for traffic.
    ///
    /// - Throws: ``FeedServiceError`` when it is not, or cannot be reached.
    public func checkReadiness() async throws {
        let result = try await send(requests.ready())
        guard result.status == 200 else {
            throw FeedServiceError.unexpected("the server answered \(result.status)")
        }
    }

    /// Whether a request that lasts needs a connection that was used before.
    ///
    /// Without Apple's frameworks, Foundation asks of a socket that it has connected whether it
    /// can be written to, again and again for as long as the request lasts: a whole core's work.
    /// Of one that it takes up again it does not.
    static var needsUsedConnections: Bool {
        #if canImport(FoundationNetworking)
        true
        #else
        false
        #endif
    }

    /// Sends a request, and takes its answer whatever it is.
    ///
    /// - Parameters:
    ///   - request: What to ask for.
    ///   - isHeld: Whether the answer may take long.
    /// - Returns: The answer, a refusal too.
    /// - Throws: ``FeedServiceError`` when none comes, and `CancellationError`.
    func send(_ request: URLRequest, isHeld: Bool = false) async throws -> FeedResult {
        do {
            if isHeld, FeedService.needsUsedConnections {
                _ = try await session.response(to: requests.alive())
            }
            let (body, response) = try await session.response(to: request)
            guard let response = response as? HTTPURLResponse else {
                throw FeedServiceError.unexpected("the address is not one of HTTP")
            }
            return FeedResult(head: response, body: body)
        } catch let error as URLError where error.code == .cancelled {
            throw CancellationError()
        } catch let error as URLError {
            throw FeedServiceError.unreachable(error.localizedDescription)
        }
    }
}
