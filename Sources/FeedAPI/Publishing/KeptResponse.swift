import HTTPServer
import HTTPTypes

/// The response to a publish that succeeded, as it is kept for a request that is repeated with its
/// Idempotency-Key.
struct KeptResponse: Sendable, Equatable {
    let status: Int
    let location: String?
    /// JSON; empty: the response has none.
    let body: [UInt8]

    init(status: Int, location: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.location = location
        self.body = body
    }

    /// What is kept of a response; `nil` for a failure.
    init?(_ response: Response) {
        guard response.status.kind == .successful else { return nil }
        status = response.status.code
        location = response.fields[.location]
        if case .bytes(let bytes) = response.body { body = bytes } else { body = [] }
    }

    /// The response, without what depends on the request.
    var response: Response {
        let status = HTTPResponse.Status(code: status)
        guard !body.isEmpty else { return Response(status: status) }
        var fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        fields[.location] = location
        return Response(status: status, fields: fields, body: .bytes(body))
    }

    /// About the bytes of memory that it takes, with its places among others.
    var byteCount: Int { 400 + body.count + (location?.utf8.count ?? 0) }
}
