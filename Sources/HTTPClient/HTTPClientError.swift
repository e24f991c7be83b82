package import Platform

/// The reason why there is no response, or only a part of it.
package enum HTTPClientError: Error, Equatable, CustomStringConvertible {
    /// The address is malformed, or not of `http` or `https`; with the fault in words.
    case invalidURL(String)

    /// The address that the name leads to is not allowed (``HTTPClient/Settings/allows``).
    case refusedAddress(IPAddress)

    /// The host does not exist, or does not answer; with libcurl's words.
    case unreachable(String)

    /// A trusted connection could not be made; with libcurl's words.
    case tls(String)

    /// A limit of time has passed; with libcurl's words.
    case timedOut(String)

    /// The body is longer than its limit.
    case bodyTooLarge(limit: Int)

    /// The head is longer than ``HTTPClient/Limits/headByteCount``.
    case headTooLarge

    /// The response is malformed, or broke off; with libcurl's words.
    case broken(String)

    /// The caller, or the end of the client, has ended the request.
    case cancelled

    /// The system has no thread, descriptor or memory left.
    case unavailable

    /// The start of the description of ``tls(_:)``.
    package static let tlsWords = "no trusted connection"

    package var description: String {
        switch self {
        case .invalidURL(let words): "the address is invalid: \(words)"
        case .refusedAddress(let address):
            "\(address) is inside the machine or a private network, which is not allowed"
        case .unreachable(let words): "not reachable: \(words)"
        case .tls(let words): "\(HTTPClientError.tlsWords): \(words)"
        case .timedOut(let words): "took too long: \(words)"
        case .bodyTooLarge(let limit): "the body is longer than \(limit) bytes"
        case .headTooLarge: "the head is longer than \(HTTPClient.Limits.headByteCount) bytes"
        case .broken(let words): "the response is broken: \(words)"
        case .cancelled: "cancelled"
        case .unavailable: "the system has no thread or descriptor left"
        }
    }
}
