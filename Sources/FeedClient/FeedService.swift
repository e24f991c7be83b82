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
    private let requests: FeedRequest
    private let session: URLSession

    /// Makes a service; opens no connection yet.
    ///
    /// - Parameters:
    ///   - baseURL: Where the server is, for example `https://feeds.example.org`.
    ///   - key: What `Authorization` carries, where reading or writing needs a key.
    public init(baseURL: URL, key: String? = nil) {
        requests = FeedRequest(baseURL: baseURL, key: key)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration)
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
    ) async throws -> PublishedAnswer {
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
    /// - Returns: The document as the server sent it.
    /// - Throws: ``FeedServiceError``.
    public func get(
        _ feed: FeedName,
        since: Token? = nil,
        view: View = View(),
        format: FeedFormat = .json
    ) async throws -> Data {
        let request = requests.get(feed, since: since, view: view, format: format)
        return try await send(request).document(format.mediaType)
    }

    /// Asks whether the server is ready for traffic.
    ///
    /// - Throws: ``FeedServiceError`` when it is not, or cannot be reached.
    public func checkReadiness() async throws {
        let answer = try await send(requests.ready())
        guard answer.status == 200 else {
            throw FeedServiceError.unexpected("the server answered \(answer.status)")
        }
    }

    private func send(_ request: URLRequest) async throws -> FeedAnswer {
        do {
            let (body, response) = try await session.data(for: request)
            guard let response = response as? HTTPURLResponse else {
                throw FeedServiceError.unexpected("the address is not one of HTTP")
            }
            return FeedAnswer(
                status: response.statusCode,
                mediaType: response.value(forHTTPHeaderField: "Content-Type"),
                body: body
            )
        } catch let error as URLError {
            throw FeedServiceError.unreachable(error.localizedDescription)
        }
    }
}
