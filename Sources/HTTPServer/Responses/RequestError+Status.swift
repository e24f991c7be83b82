package import HTTPTypes
package import HTTPWire

extension RequestError {
    /// The status of the answer to a request that could not be parsed.
    package var status: HTTPResponse.Status {
        switch self {
        case .unsupportedVersion: .httpVersionNotSupported
        case .targetTooLong: .uriTooLong
        case .headTooLarge, .tooManyFields, .trailersTooLarge: .requestHeaderFieldsTooLarge
        case .unsupportedTransferCoding: .notImplemented
        case .bodyTooLarge: .contentTooLarge
        case .invalidRequestLine, .invalidTarget, .invalidField, .invalidHost,
            .invalidContentLength, .conflictingFraming, .invalidChunk,
            .chunkExtensionsTooLarge:
            .badRequest
        }
    }
}
