import FeedModel
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An answer of a server in memory; refusals are thrown.
struct InMemoryAnswer: Error {
    var status = 200
    var type = "application/json"
    var body = Data()
    /// Whether there are no changes for the reader, so that the answer to a long poll waits for
    /// some.
    var isUnchanged = false
    var retryAfter: Duration?

    static func missing(_ what: String) -> InMemoryAnswer {
        InMemoryAnswer(refusing: 404, "/problems/not-found", "there is no \(what)")
    }
}

extension InMemoryAnswer {
    /// Makes a problem document (RFC 9457).
    init(refusing status: Int, _ problem: String, _ detail: String) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("type", problem)
        writer.member("status", status)
        writer.member("detail", detail)
        writer.endObject()
        self.init(status: status, type: "application/problem+json", body: Data(writer.finish()))
    }

    /// Makes the refusal of a publish for an error.
    init(refusing error: any Error) {
        switch error {
        case let refusal as InMemoryAnswer: self = refusal
        case let error as DocumentError:
            let problem = error.kind == .duplicateID ? "duplicate-id" : "malformed"
            self.init(refusing: 400, "/problems/" + problem, "\(error.path) \(error.reason)")
        default: self.init(refusing: 500, "about:blank", "\(error)")
        }
    }

    /// Returns the head of the response to a request.
    ///
    /// - Throws: ``FeedServiceError/unexpected(_:)`` for a request without an address.
    func head(for request: URLRequest) throws -> HTTPURLResponse {
        var fields = ["Content-Type": type]
        fields["Retry-After"] = retryAfter.map { String($0.components.seconds) }
        guard let url = request.url,
            let head = HTTPURLResponse(
                url: url,
                statusCode: status,
                httpVersion: "HTTP/1.1",
                headerFields: fields
            )
        else { throw FeedServiceError.unexpected("the address is not one of HTTP") }
        return head
    }
}
