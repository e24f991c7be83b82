import CCurl
import Glibc
import Synchronization

/// An HTTP/1.1 client on libcurl, with one thread of its own; any thread may call it.
///
/// Its requests share connections, which are kept alive. Redirects and statuses are left to the
/// caller. A client ends with its last reference, and every request with it.
package final class HTTPClient: Sendable {
    private let loop: TransferLoop
    private let lastID = Atomic<UInt64>(0)

    /// Starts the thread.
    ///
    /// - Throws: ``HTTPClientError/unavailable`` when the system has no thread or descriptor left.
    package init(_ settings: Settings = Settings()) throws(HTTPClientError) {
        loop = try TransferLoop(settings)
        guard loop.start() else { throw .unavailable }
    }

    deinit { loop.post(.stop) }

    /// The version of libcurl that is loaded, such as "7.88.1".
    package static var libraryVersion: String {
        let text = String(cString: curl_version())
        return text.split { $0 == "/" || $0 == " " }.dropFirst().first.map(String.init) ?? text
    }

    /// Sends a request; `receiver` is called with the response on the client's thread.
    ///
    /// - Returns: A handle that can cancel the request; dropping it does not.
    @discardableResult
    package func start(_ request: Request, _ receiver: any ResponseReceiver) -> Transfer {
        let id = lastID.add(1, ordering: .relaxed).newValue
        loop.post(.start(id, request, receiver))
        return Transfer(id: id, loop: loop)
    }

    /// Sends a request and waits for all of its response.
    ///
    /// - Throws: ``HTTPClientError``; ``HTTPClientError/cancelled`` with the calling task.
    package func response(to request: Request) async throws(HTTPClientError) -> Response {
        let receiver = WholeResponse()
        let transfer = start(request, receiver)
        let result = await withTaskCancellationHandler {
            await receiver.result()
        } onCancel: {
            transfer.cancel()
        }
        return try result.get()
    }

    /// Sends a request and waits for the head of its response.
    ///
    /// - Returns: The head, and the body as it arrives; dropping the body ends the request.
    /// - Throws: The errors of ``response(to:)``.
    package func streamed(
        _ request: Request
    ) async throws(HTTPClientError) -> (head: Response.Head, body: ArrivingBody) {
        let receiver = StreamedResponse()
        let transfer = start(request, receiver)
        let body = ArrivingBody(receiver, transfer)
        let head = await withTaskCancellationHandler {
            await receiver.head()
        } onCancel: {
            transfer.cancel()
        }
        return (try head.get(), body)
    }
}

extension HTTPClient {
    /// A request that was started.
    package struct Transfer: Sendable {
        fileprivate let id: UInt64
        fileprivate let loop: TransferLoop

        /// Ends the request; its receiver is still called with the end.
        package func cancel() { loop.post(.cancel(id)) }

        /// Resumes a response that its receiver has paused.
        package func resume() { loop.post(.resume(id)) }
    }
}

/// The receiver of a response while it arrives, on the client's thread.
///
/// Calls must not block: all requests of the client would wait.
package protocol ResponseReceiver: AnyObject, Sendable {
    /// Takes the head; called at most once, before the body.
    func receive(_ head: HTTPClient.Response.Head)

    /// Takes or refuses a part of the body, decompressed.
    func receive(_ bytes: RawSpan) -> Acceptance

    /// Called when the response has ended, or failed with `error`; the last call.
    func end(_ error: HTTPClientError?)
}

/// A receiver's reply to a part of a body.
package enum Acceptance: Sendable {
    /// The receiver has taken the part.
    case taken
    /// The receiver has not taken the part, and gets it again after
    /// ``HTTPClient/Transfer/resume()``.
    case paused
    /// The receiver wants no more of this response.
    case refused
}
