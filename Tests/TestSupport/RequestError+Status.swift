package import HTTPTypes
package import HTTPWire

extension RequestError {
    /// The status that answers it, for handlers of tests that have no problems to tell.
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
