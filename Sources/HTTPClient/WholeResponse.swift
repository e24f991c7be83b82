import HTTPTypes
import Synchronization

/// Collects a whole response.
final class WholeResponse: ResponseReceiver {
    private struct State {
        var head: HTTPClient.Response.Head?
        var body: [UInt8] = []
        var result: Result<HTTPClient.Response, HTTPClientError>?
        var waiting: CheckedContinuation<Result<HTTPClient.Response, HTTPClientError>, Never>?
    }

    /// The most bytes that are reserved before a body comes; while unused, they take no memory.
    private static let reserveLimit = 16 << 20

    private let state = Mutex(State())

    func receive(_ head: HTTPClient.Response.Head) {
        let length = head.fields[.contentLength].flatMap { Int($0) } ?? 0
        state.withLock {
            $0.head = head
            $0.body.reserveCapacity(min(max(length, 0), WholeResponse.reserveLimit))
        }
    }

    func receive(_ bytes: RawSpan) -> Acceptance {
        bytes.withUnsafeBytes { bytes in state.withLock { $0.body += bytes } }
        return .taken
    }

    func end(_ error: HTTPClientError?) {
        let (waiting, result) = state.withLock { state in
            let result: Result<HTTPClient.Response, HTTPClientError> =
                if let error {
                    .failure(error)
                } else if let head = state.head {
                    .success(HTTPClient.Response(head: head, body: state.body))
                } else {
                    .failure(.broken("there is no response"))
                }
            state.result = result
            defer { state.waiting = nil }
            return (state.waiting, result)
        }
        waiting?.resume(returning: result)
    }

    /// Waits for the end of the response; to be called once.
    func result() async -> Result<HTTPClient.Response, HTTPClientError> {
        await withCheckedContinuation { continuation in
            let result = state.withLock { state in
                if state.result == nil { state.waiting = continuation }
                return state.result
            }
            if let result { continuation.resume(returning: result) }
        }
    }
}
