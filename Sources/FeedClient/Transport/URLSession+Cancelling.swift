import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSession {
    /// Sends a request, and waits for its whole response.
    ///
    /// It does the work of `data(for:)`, but is cancelled in another way
    /// (``URLSessionTask/cancelElsewhere()``).
    ///
    /// - Parameter session: The session that sends it; it must not be invalidated while a task is
    ///   made.
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

    /// A task that may be cancelled before it is begun.
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
    /// Cancels it on a queue.
    ///
    /// On Linux `cancel()` waits for a queue of the session's. There the response may be on its way
    /// to a Swift task, which waits for its cancellation to be over: called within that, `cancel()`
    /// would never return.
    func cancelElsewhere() {
        DispatchQueue.global().async { self.cancel() }
    }
}
