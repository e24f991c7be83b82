import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSession {
    /// Sends a request, and waits for its whole response.
    ///
    /// The function works like `data(for:)`, but is cancelled by
    /// ``URLSessionTask/cancelElsewhere()``.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: The session that sends it. The lock keeps it from being invalidated while a
    ///     task is made.
    static func response(
        to request: URLRequest,
        by session: borrowing Mutex<URLSession>
    ) async throws -> (Data, URLResponse) {
        let sending = Sending()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let task = session.withLock {
                    $0.dataTask(with: request) { data, response, error in
                        if let data, let response {
                            continuation.resume(returning: (data, response))
                        } else {
                            continuation.resume(throwing: error ?? URLError(.unknown))
                        }
                    }
                }
                task.delegate = RedirectGuard()
                sending.begin(task)
            }
        } onCancel: {
            sending.cancel()
        }
    }

    /// A task that may be cancelled before it has begun.
    private final class Sending: Sendable {
        private struct State {
            var task: URLSessionTask?
            var isCancelled = false
        }

        private let state = Mutex(State())

        func begin(_ task: URLSessionTask) {
            let isCancelled = state.withLock { state in
                state.task = task
                return state.isCancelled
            }
            task.resume()
            if isCancelled { task.cancelElsewhere() }
        }

        func cancel() {
            let task = state.withLock { state in
                state.isCancelled = true
                return state.task
            }
            task?.cancelElsewhere()
        }
    }
}

extension URLSessionTask {
    /// Cancels the task from another queue.
    ///
    /// On Linux `cancel()` waits for a queue of the session. On that queue, the response may be
    /// resuming a Swift task, which waits until its cancellation handler has returned. Called in
    /// that handler, `cancel()` would never return.
    func cancelElsewhere() {
        DispatchQueue.global().async { self.cancel() }
    }
}
