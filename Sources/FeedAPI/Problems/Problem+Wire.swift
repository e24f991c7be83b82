import HTTPServer
import HTTPTypes
import HTTPWire

extension Problem {
    /// The answer to a request that the engine could not read.
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
            self.init(
                .limit,
                .requestHeaderFieldsTooLarge,
                "the head is larger than \(limit) bytes"
            )
        case .trailersTooLarge(let limit):
            self.init(
                .limit,
                .requestHeaderFieldsTooLarge,
                "the trailers behind the body are larger than \(limit) bytes"
            )
        case .chunkExtensionsTooLarge(let limit):
            self.init(
                .limit,
                .badRequest,
                "the body's chunk extensions are larger than \(limit) bytes in all"
            )
        case .tooManyFields(let limit):
            self.init(
                .limit,
                .requestHeaderFieldsTooLarge,
                "there are more than \(limit) header fields"
            )
        case .bodyTooLarge(let limit): self = .bodyTooLarge(limit: limit)
        }
    }

    /// The answer to a body that was not taken.
    init(_ refusal: BodyRefusal) {
        switch refusal {
        case .tooLarge(let limit): self = .bodyTooLarge(limit: limit)
        case .overloaded: self = .overloaded("there is no room for the body at the moment")
        case .malformedCoding(let offset):
            self = .malformed(
                "the body is not what Content-Encoding says: it is wrong at byte \(offset) of what was"
                    + " sent"
            )
        case .truncatedCoding:
            self = .malformed("the body's content is cut off: its Content-Encoding does not end")
        case .unsupportedCoding(let coding):
            self.init(
                .contentCoding,
                .unsupportedMediaType,
                "the content coding \(coding) is not taken; gzip and identity are",
                [.acceptEncoding: "gzip, identity"]
            )
        }
    }

    private static func bodyTooLarge(limit: Int) -> Problem {
        Problem(.limit, .contentTooLarge, "the body is larger than \(limit) bytes")
    }
}
