package import FeedJournal
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

    /// Takes the parts to keep of a response; `nil` for a failure.
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
        var fields: HTTPFields = [
            .contentType: "application/json", .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
        ]
        fields[.location] = location
        return Response(status: status, fields: fields, body: .bytes(body))
    }

    /// About the bytes of memory that it takes, with its places among others.
    var byteCount: Int { 400 + body.count + (location?.utf8.count ?? 0) }
}

/// Responses as a journal keeps them.
extension JournalAnswer {
    /// The response to a request that succeeded.
    init(
        _ key: IdempotencyMemory.Key,
        _ fingerprint: SHA256Digest.Value,
        _ response: Response,
        at time: Double
    ) {
        self.init(
            owner: key.owner.bytes,
            key: key.digest.bytes,
            fingerprint: fingerprint.bytes,
            response: KeptResponse(response)?.record ?? [],
            time: time
        )
    }
}

extension KeptResponse {
    /// The bytes that are kept.
    fileprivate var record: [UInt8] {
        var writer = ByteWriter(capacity: body.count + 64)
        writer.number(status)
        writer.text(location ?? "")
        writer.block(body)
        return writer.bytes
    }

    /// The response that a journal kept; `nil` when it cannot be read.
    init?(_ kept: JournalAnswer) {
        do {
            try self.init(record: kept.response)
        } catch {
            return nil
        }
    }

    /// Reads what was kept.
    fileprivate init(record: [UInt8]) throws(ByteReader.Failure) {
        var reader = ByteReader(record)
        let status = try reader.number()
        let location = try reader.text()
        self.init(
            status: status,
            location: location.isEmpty ? nil : location,
            body: try reader.block()
        )
    }
}

extension FeedAPI {
    /// Takes over the responses that a journal kept, so that requests that are sent again after a
    /// restart are not carried out twice.
    ///
    /// - Parameters:
    ///   - answers: The responses, the oldest first.
    ///   - now: Seconds since 1970.
    package func remember(_ answers: [JournalAnswer], at now: Double) {
        for kept in answers {
            guard let owner = SHA256Digest.Value(kept.owner),
                let digest = SHA256Digest.Value(kept.key),
                let fingerprint = SHA256Digest.Value(kept.fingerprint),
                let response = KeptResponse(kept)
            else { continue }
            let key = IdempotencyMemory.Key(owner: owner, digest: digest)
            let age = Duration.seconds(max(0, now - kept.time))
            idempotency.remember(key, fingerprint, response, age: age)
        }
    }
}
