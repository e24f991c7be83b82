public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends requests by `URLSession`.
public final class URLSessionTransport: FeedTransport {
    private let configuration: URLSessionConfiguration
    private let session: Mutex<URLSession>

    /// Makes a transport; no connection is opened yet.
    ///
    /// - Parameter configuration: The configuration of the sessions. Its cache is not used: a cache
    ///   that answered in the server's place would hide what is new.
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

    /// Sends a request, and returns its response as it arrives.
    public func parts(of request: URLRequest) -> AsyncThrowingStream<ResponsePart, any Error> {
        ArrivingResponse.parts(of: request, after: usedConnection(for: request), configuration)
    }

    /// Makes a new session, since connections of the old one may be dead.
    public func renew() {
        let old = session.withLock { session in
            let old = session
            session = URLSession(configuration: configuration)
            return old
        }
        old.finishTasksAndInvalidate()
    }

    /// Returns a short request to send before a long one, so that the long one uses an existing
    /// connection; `nil`: not needed.
    ///
    /// The open-source Foundation polls a newly connected socket for writability for as long as the
    /// request lasts, which takes a whole core. It does not do so for a reused connection.
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
