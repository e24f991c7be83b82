public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends requests and receives responses: ``URLSessionTransport``, on Linux `CurlTransport`, or an
/// app's own transport, for tests or for another HTTP library.
///
/// Redirects may be followed, but to another scheme, host or port only without the field
/// Authorization. Responses must not come from a cache. Failures are thrown as
/// ``FeedServiceError/unreachable(_:)``, and a cancellation as `CancellationError`.
public protocol FeedTransport: Sendable {
    /// Sends a request, and waits for its whole response.
    ///
    /// - Parameter request: The request; its `timeoutInterval` limits the time without any byte.
    func response(to request: URLRequest) async throws -> (Data, HTTPURLResponse)

    /// Sends a request, and returns its response as it arrives: the head first.
    ///
    /// - Parameter request: The request; its `timeoutInterval` limits the time without any byte.
    /// - Returns: The parts of the response. Dropping the sequence cancels the request.
    func parts(of request: URLRequest) -> AsyncThrowingStream<ResponsePart, any Error>

    /// Drops connections that may be dead, such as after the app was suspended.
    func renew()
}

/// A part of a response that is read as it arrives.
public enum ResponsePart: Sendable {
    /// The head.
    case head(HTTPURLResponse)
    /// Some bytes of the body.
    case body(Data)
}
