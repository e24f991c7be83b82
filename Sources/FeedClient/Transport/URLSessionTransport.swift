public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends requests by `URLSession`.
public final class URLSessionTransport: FeedTransport {
    private let configuration: URLSessionConfiguration
    private let session: Mutex<URLSession>

    /// Makes a transport; opens no connection yet.
    ///
    /// - Parameter configuration: Of the sessions; its cache is not used. A cache that answered in
    ///   the server's place would hide what is new.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        self.configuration = configuration
        session = Mutex(URLSession(configuration: configuration))
    }

    /// Sends a request, and waits for its whole response.
    public func response(
        to request: URLRequest,
        isHeld: Bool
    ) async throws -> (Data, HTTPURLResponse) {
        do {
            if isHeld, let first = usedConnection(for: request) {
                _ = try await URLSession.response(to: first, by: session)
            }
            let (body, response) = try await URLSession.response(to: request, by: session)
            guard let response = response as? HTTPURLResponse else {
                throw FeedServiceError.unexpected("the address is not one of HTTP")
            }
            return (body, response)
        } catch let error as URLError where error.code == .cancelled {
            throw CancellationError()
        } catch let error as URLError {
            throw FeedServiceError.unreachable(error.localizedDescription)
        }
    }

    /// Sends a request, and gives its response as it arrives.
    public func parts(of request: URLRequest) -> AsyncThrowingStream<ResponsePart, any Error> {
        ArrivingResponse.parts(of: request, after: usedConnection(for: request), configuration)
    }

    /// Takes a new session: the old one's connections may be dead.
    public func renew() {
        let old = session.withLock { session in
            let old = session
            session = URLSession(configuration: configuration)
            return old
        }
        old.finishTasksAndInvalidate()
    }

    /// Returns the request to send first where a request that lasts needs a connection that was
    /// used before.
    ///
    /// Without Apple's frameworks, Foundation asks of a socket that it has connected whether it
    /// can be written to, again and again for as long as the request lasts: a whole core's work.
    /// For a connection that it takes up again it does not.
    private func usedConnection(for request: URLRequest) -> URLRequest? {
        #if canImport(FoundationNetworking)
        guard let url = request.url,
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return nil }
        parts.path = "/healthz"
        parts.query = nil
        return parts.url.map { URLRequest(url: $0) }
        #else
        return nil
        #endif
    }
}
