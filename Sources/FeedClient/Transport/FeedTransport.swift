public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A transport of requests to a server and of responses back: ``URLSessionTransport``, on Linux
/// `CurlTransport`, or one of an app's own, for tests or for another HTTP library.
///
/// Redirects may be followed, to another scheme, host or port only without the field Authorization;
/// nothing may be answered from a cache. A failure is thrown as
/// ``FeedServiceError/unreachable(_:)``, and as `CancellationError` where the task was cancelled.
public protocol FeedTransport: Sendable {
    /// Sends a request, and waits for its whole response.
    ///
    /// - Parameters:
    ///   - request: Its `timeoutInterval` bounds the time without any byte.
    ///   - isHeld: Whether the server may hold the response for up to a minute.
    func response(to request: URLRequest, isHeld: Bool) async throws -> (Data, HTTPURLResponse)

    /// Sends a request, and gives its response as it arrives: the head first.
    ///
    /// - Parameter request: Its `timeoutInterval` bounds the time without any byte.
    /// - Returns: The parts; dropping them ends the request.
    func parts(of request: URLRequest) -> AsyncThrowingStream<ResponsePart, any Error>

    /// Forgets connections that may be dead, as after the app was suspended.
    func renew()
}

/// A piece of a response that is read while it arrives.
public enum ResponsePart: Sendable {
    /// The head.
    case head(HTTPURLResponse)
    /// Some bytes of the body.
    case body(Data)
}
