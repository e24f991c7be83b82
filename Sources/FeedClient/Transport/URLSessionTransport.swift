public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends requests by `URLSession`: the transport on Apple's systems.
public final class URLSessionTransport: FeedTransport {
    private let session: URLSession

    /// Makes a transport; no connection is opened yet.
    ///
    /// - Parameter configuration: The configuration of the sessions. Its cache is not used: a cache
    ///   that answered in the server's place would hide what is new.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration)
    }

    /// Sends a request, and waits for its whole response.
    public func response(to request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        do {
            let (body, response) = try await session.data(for: request, delegate: RedirectGuard())
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
        ArrivingResponse.parts(of: request, session.configuration)
    }

    /// Has later requests use new connections.
    public func renew() { session.flush {} }
}
