import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The `URLSession` delegate that passes on a response as it arrives.
final class ArrivingResponse: NSObject, URLSessionDataDelegate, Sendable {
    private let parts: AsyncThrowingStream<ResponsePart, any Error>.Continuation

    private init(_ parts: AsyncThrowingStream<ResponsePart, any Error>.Continuation) {
        self.parts = parts
    }

    /// Sends a request, and returns the response's parts; dropping the sequence cancels the
    /// request.
    static func parts(
        of request: URLRequest,
        _ configuration: URLSessionConfiguration
    ) -> AsyncThrowingStream<ResponsePart, any Error> {
        let (stream, parts) = AsyncThrowingStream.makeStream(
            of: ResponsePart.self,
            throwing: (any Error).self
        )
        let session = URLSession(
            configuration: configuration,
            delegate: ArrivingResponse(parts),
            delegateQueue: nil
        )
        let task = session.dataTask(with: request)
        parts.onTermination = { _ in task.cancel() }
        task.resume()
        session.finishTasksAndInvalidate()
        return stream
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(request.redirected(from: response.url))
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { parts.yield(.head(response)) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        parts.yield(.body(data))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        guard let error = error as? URLError else {
            parts.finish(throwing: error)
            return
        }
        parts.finish(
            throwing: error.code == .cancelled
                ? CancellationError() : FeedServiceError.unreachable(error.localizedDescription)
        )
    }
}
