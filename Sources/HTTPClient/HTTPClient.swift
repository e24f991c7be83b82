import CCurl
import Glibc
import HTTPTypes
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

    /// The longest body for which memory is reserved with its first part.
    private static let reserveLimit = 16 << 20

    /// Sends a request and waits for all of its response.
    ///
    /// - Throws: ``HTTPClientError``; ``HTTPClientError/cancelled`` with the calling task.
    package func response(to request: Request) async throws(HTTPClientError) -> Response {
        let (head, body) = try await send(request, StreamedResponse(byteLimit: .max))
        let length = head.fields[.contentLength].flatMap { Int($0) } ?? 0
        var parts = body.makeAsyncIterator()
        // Most bodies come in one part, which is not copied.
        var bytes = try await parts.next() ?? []
        if 0...HTTPClient.reserveLimit ~= length { bytes.reserveCapacity(length) }
        while let part = try await parts.next() { bytes += part }
        return Response(head: head, body: bytes)
    }

    /// Sends a request and waits for all of its response, or its failure.
    package func result(of request: Request) async -> Result<Response, HTTPClientError> {
        do throws(HTTPClientError) {
            return .success(try await response(to: request))
        } catch {
            return .failure(error)
        }
    }

    /// Sends a request and waits for the head of its response.
    ///
    /// - Returns: The head, and the body as it arrives; dropping the body ends the request.
    package func streamed(
        _ request: Request
    ) async throws(HTTPClientError) -> (head: Response.Head, body: ArrivingBody) {
        try await send(request, StreamedResponse())
    }

    private func send(
        _ request: Request,
        _ response: StreamedResponse
    ) async throws(HTTPClientError) -> (head: Response.Head, body: ArrivingBody) {
        let id = lastID.add(1, ordering: .relaxed).newValue
        loop.post(.start(id, request, response))
        let body = ArrivingBody(response, id, loop)
        let head = await withTaskCancellationHandler {
            await response.head()
        } onCancel: {
            loop.post(.cancel(id))
        }
        return (try head.get(), body)
    }
}
