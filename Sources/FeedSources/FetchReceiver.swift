import HTTPClient
import HTTPTypes
import Synchronization

/// Collects the response of a fetch.
final class FetchReceiver: ResponseReceiver {
    private struct Arrived {
        var head: HTTPClient.Response.Head?
        var body: [UInt8] = []
    }

    /// The most bytes that are reserved before a body comes; while unused, they take no memory.
    private static let reserveLimit = 16 << 20

    private let arrived = Mutex(Arrived())
    private let completion: @Sendable (Result<HTTPClient.Response, HTTPClientError>) -> Void

    init(_ completion: @escaping @Sendable (Result<HTTPClient.Response, HTTPClientError>) -> Void) {
        self.completion = completion
    }

    func receive(_ head: HTTPClient.Response.Head) {
        // A false length costs nothing: reserved pages that stay unused take no memory.
        let length = head.fields[.contentLength].flatMap { Int($0) } ?? 0
        arrived.withLock {
            $0.head = head
            $0.body.reserveCapacity(min(max(length, 0), FetchReceiver.reserveLimit))
        }
    }

    func receive(_ bytes: RawSpan) -> Acceptance {
        bytes.withUnsafeBytes { bytes in arrived.withLock { $0.body += bytes } }
        return .taken
    }

    func end(_ error: HTTPClientError?) {
        let (head, body) = arrived.withLock { ($0.head, $0.body) }
        if let error {
            completion(.failure(error))
        } else if let head {
            completion(.success(HTTPClient.Response(head: head, body: body)))
        } else {
            completion(.failure(.broken("there is no response")))
        }
    }
}
