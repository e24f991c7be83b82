import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An answer that is read while it arrives.
final class ArrivingResponse: NSObject, URLSessionDataDelegate, Sendable {
    /// What arrives.
    enum Part: Sendable {
        /// The head, with no body yet.
        case head(FeedResult)
        case bytes(Data)
    }

    private let parts: AsyncThrowingStream<Part, any Error>.Continuation

    private init(_ parts: AsyncThrowingStream<Part, any Error>.Continuation) {
        self.parts = parts
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: What to ask for.
    ///   - first: What to ask for before, where ``FeedService/needsUsedConnections``.
    ///   - silence: After which a connection is given up.
    /// - Returns: The answer's parts; whoever drops them ends the request.
    static func parts(
        of request: URLRequest,
        after first: URLRequest,
        silence: Duration
    ) -> AsyncThrowingStream<Part, any Error> {
        var request = request
        request.timeoutInterval = silence / .seconds(1)
        let (stream, parts) = AsyncThrowingStream.makeStream(
            of: Part.self,
            throwing: (any Error).self
        )
        let session = URLSession(
            configuration: FeedService.configuration,
            delegate: ArrivingResponse(parts),
            delegateQueue: nil
        )
        let task = session.dataTask(with: request)
        parts.onTermination = { _ in task.cancelElsewhere() }
        if FeedService.needsUsedConnections {
            session.dataTask(with: first) { _, _, _ in task.resume() }.resume()
        } else {
            task.resume()
        }
        session.finishTasksAndInvalidate()
        return stream
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse {
            parts.yield(.head(FeedResult(head: response)))
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        parts.yield(.bytes(data))
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
