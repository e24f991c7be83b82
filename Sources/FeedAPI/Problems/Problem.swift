import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// An error response, with a JSON document that describes the error (RFC 9457).
struct Problem: Error, Sendable {
    var kind: ProblemKind
    var status: HTTPResponse.Status
    /// The description of this error, in a sentence.
    var detail: String
    /// The position of the fault in the request's body; `nil` if the fault is not in the body.
    var place: DocumentError.Place?
    /// The index in the body, from 0, of the edit or the operation of a JSON Patch that failed.
    var edit: Int?
    /// The index in the body of the item whose id the feed already has, from 0.
    var item: Int?
    /// The numbers of removed items, if the feed's ``RemovalGuard`` refused the publish.
    var removals: RemovalGuard.Refusal?
    /// The names of the rate limits that were exceeded.
    var policies: [String] = []
    /// The token of the feed's current version, if a condition of a publish failed.
    var token: Token?
    /// The fields that this error adds to the response (`Allow`, `Accept` …).
    var fields: HTTPFields

    init(
        _ kind: ProblemKind,
        _ status: HTTPResponse.Status,
        _ detail: String,
        with fields: HTTPFields = [:]
    ) {
        self.kind = kind
        self.status = status
        self.detail = detail
        self.fields = fields
    }
}

extension Problem {
    /// `400` for a request that is malformed.
    static func malformed(_ detail: String) -> Problem {
        Problem(.malformed, .badRequest, detail)
    }

    /// `404` for anything that does not exist.
    static func notFound(_ detail: String) -> Problem {
        Problem(.notFound, .notFound, detail)
    }

    /// `404` for a feed that does not exist, or that the caller may not read.
    static var noFeed: Problem { notFound("there is no such feed") }

    /// `404` for a resource of the operator, who has a listener for it.
    static var noMetrics: Problem {
        notFound("metrics are on the listener of --admin, if there is one")
    }

    /// `503` with Retry-After, for a request that may be repeated.
    ///
    /// The time in Retry-After is random, so that not all clients come back at once.
    static func unavailable(
        _ kind: ProblemKind,
        _ detail: String,
        retryAfter seconds: ClosedRange<Int>
    ) -> Problem {
        let retryAfter = String(Int.random(in: seconds))
        return Problem(kind, .serviceUnavailable, detail, with: [.retryAfter: retryAfter])
    }

    /// `503` for a request that is too much work at the moment.
    static func overloaded(_ detail: String) -> Problem {
        unavailable(.overloaded, detail, retryAfter: 1...10)
    }

    /// `503` for a publish that would need more memory than the feeds may take.
    init(_ shortage: MemoryShortage) {
        self = .unavailable(
            .memory,
            "the feeds would take \(shortage.byteCount) bytes of memory, and they may take "
                + "\(shortage.byteLimit)",
            retryAfter: 30...60
        )
    }

    /// `409` for a publish that would remove more items than the feed's ``RemovalGuard`` allows.
    init(_ refusal: RemovalGuard.Refusal) {
        self.init(
            .tooManyRemoved,
            .conflict,
            "\(refusal); if that is meant, send it again with ?removals=any"
        )
        removals = refusal
    }

    /// `503` for a publish that the journal did not store, and that so changed nothing; also for a
    /// read of an older version that the journal could not carry out.
    static func journalUnavailable(_ reason: String) -> Problem {
        unavailable(.notKept, "nothing was done: " + reason, retryAfter: 1...5)
    }

    /// `500` for a publish that the journal may or may not have stored.
    static func outcomeUnknown(_ reason: String) -> Problem {
        Problem(.outcomeUnknown, .internalServerError, reason)
    }

    /// `401` (RFC 9110 §15.5.2) for a request without a key, or with a malformed Authorization.
    static func unauthorized(_ detail: String) -> Problem {
        Problem(.key, .unauthorized, detail, with: [.wwwAuthenticate: "Bearer realm=\"freshet\""])
    }

    /// `401` for a key that is unknown or expired (RFC 6750 §3.1).
    static func invalidToken(_ detail: String) -> Problem {
        let challenge = "Bearer realm=\"freshet\", error=\"invalid_token\""
        return Problem(.key, .unauthorized, detail, with: [.wwwAuthenticate: challenge])
    }

    /// `405` with the allowed methods (RFC 9110 §15.5.6).
    static func method(_ method: String, allowed: String) -> Problem {
        let detail = "\(method) is not allowed here; these are: \(allowed)"
        return Problem(.method, .methodNotAllowed, detail, with: [.allow: allowed])
    }

    /// Makes the error for a body that was refused, with the position of the fault: `400`, or `422`
    /// for too many items.
    init(_ error: DocumentError, in body: [UInt8]) {
        let error = error.located(in: body)
        self.init(error)
        place = error.place
    }

    /// Sets the position of the fault to the value at a path, such as `edits[3]`, in the body.
    mutating func locate(_ path: String, in body: [UInt8]) {
        let error = DocumentError(kind: .malformed, path: path, reason: detail)
        place = error.located(in: body).place
    }

    /// Makes the error for a document that was refused.
    ///
    /// The status is `422` for the result of a patch and for too many items, otherwise `400`.
    init(_ error: DocumentError, isResult: Bool = false) {
        let place = error.path.isEmpty ? "" : "\"\(error.path)\": "
        let refused: HTTPResponse.Status = isResult ? .unprocessableContent : .badRequest
        switch error.kind {
        case .malformed:
            self.init(isResult ? .invalidResult : .malformed, refused, place + error.reason)
        case .duplicateID:
            self.init(.duplicateID, refused, place + error.reason)
        case .tooManyItems:
            self.init(.limit, .unprocessableContent, place + error.reason)
        }
    }
}

extension Problem {
    /// The response with the problem's document; it lacks the fields that depend on who asks, such
    /// as those of CORS.
    ///
    /// The response varies by Authorization if the key decides the error: callers who may write a
    /// feed can read versions that are forgotten for all others.
    var response: Response {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("type", "/problems/" + kind.rawValue)
        writer.member("title", kind.title)
        writer.member("status", status.code)
        writer.member("detail", detail)
        if let place {
            writer.member("pointer", place.pointer)
            writer.member("offset", place.offset)
            writer.member("line", place.line)
        }
        if let edit { writer.member("edit", edit) }
        if let item { writer.member("item", item) }
        if let removals {
            writer.member("removed", removals.removed)
            writer.member("count", removals.count)
            writer.member("limit", removals.limit)
        }
        if let token { writer.member("token", token.description) }
        if !policies.isEmpty {
            writer.beginArray("violated-policies")
            for policy in policies { writer.string(policy) }
            writer.endArray()
        }
        writer.endObject()
        var fields = fields
        fields[.contentType] = "application/problem+json"
        fields[.cacheControl] = "no-store"
        fields[.xContentTypeOptions] = "nosniff"
        if kind == .key || kind == .versionForgotten { fields.addVary("Authorization") }
        return Response(status: status, fields: fields, body: .bytes(writer.finish()))
    }
}

extension Problem {
    /// Makes the error for a request that the HTTP parser refused.
    init(_ error: RequestError) {
        switch error {
        case .invalidRequestLine: self = .malformed("the request line is malformed")
        case .invalidTarget: self = .malformed("the request target is malformed")
        case .invalidField: self = .malformed("a header field is malformed")
        case .invalidHost: self = .malformed("the Host field is missing, repeated or malformed")
        case .invalidContentLength: self = .malformed("the Content-Length field is malformed")
        case .conflictingFraming:
            self = .malformed("Content-Length and Transfer-Encoding say different things")
        case .invalidChunk: self = .malformed("the body's chunks are malformed")
        case .unsupportedVersion:
            self.init(.httpVersion, .httpVersionNotSupported, "the request is not in HTTP/1.1")
        case .unsupportedTransferCoding:
            self.init(.notImplemented, .notImplemented, "the only transfer coding is chunked")
        case .targetTooLong(let limit):
            self.init(.limit, .uriTooLong, "the request target is longer than \(limit) bytes")
        case .headTooLarge(let limit):
            self = .fieldsTooLarge("the head is larger than \(limit) bytes")
        case .trailersTooLarge(let limit):
            self = .fieldsTooLarge("the trailers behind the body are larger than \(limit) bytes")
        case .chunkExtensionsTooLarge(let limit):
            self.init(
                .limit,
                .badRequest,
                "the body's chunk extensions are larger than \(limit) bytes in all"
            )
        case .tooManyFields(let limit):
            self = .fieldsTooLarge("there are more than \(limit) header fields")
        case .bodyTooLarge(let limit): self = .bodyTooLarge(limit: limit)
        }
    }

    /// Makes the error for a body that was not received or could not be decoded.
    init(_ refusal: BodyRefusal) {
        switch refusal {
        case .tooLarge(let limit): self = .bodyTooLarge(limit: limit)
        case .overloaded: self = .overloaded("there is no room for the body at the moment")
        case .malformedCoding(let offset):
            self = .malformed(
                "the body is not what Content-Encoding says: it is wrong at byte \(offset) of what"
                    + " was sent"
            )
        case .truncatedCoding:
            self = .malformed("the body's content is cut off: its Content-Encoding does not end")
        case .unsupportedCoding(let coding):
            self.init(
                .contentCoding,
                .unsupportedMediaType,
                "the content coding \(coding) is not taken; gzip and identity are",
                with: [.acceptEncoding: "gzip, identity"]
            )
        }
    }

    private static func fieldsTooLarge(_ detail: String) -> Problem {
        Problem(.limit, .requestHeaderFieldsTooLarge, detail)
    }

    private static func bodyTooLarge(limit: Int) -> Problem {
        Problem(.limit, .contentTooLarge, "the body is larger than \(limit) bytes")
    }
}
