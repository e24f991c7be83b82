public import Foundation

/// The error of a request to a feed server.
public enum FeedServiceError: Error, Equatable, Sendable {
    /// The server refused the request: the status, the type of the problem such as `/problems/key`,
    /// and the reason in words (docs/PROTOCOL.md, "Errors").
    case problem(status: Int, type: String, detail: String)

    /// No response came: no server listens at the address, its name is unknown, or the connection
    /// was interrupted.
    case unreachable(String)

    /// The response is not from a feed server, such as a proxy's page, or cannot be read.
    case unexpected(String)

    /// The ``KeyProvider`` failed, for this reason.
    case noKey(String)
}

extension FeedServiceError: CustomStringConvertible {
    /// The failure in words for the user, without technical details; see ``cause``.
    public var description: String {
        switch self {
        case .problem(let status, _, let detail): "\(detail) (\(status))"
        case .unreachable(let reason), .unexpected(let reason): FeedServiceError.parts(reason).words
        case .noKey(let reason): "there is no key: \(reason)"
        }
    }

    /// The technical cause, for logs: the status and type of the problem, or the message of the
    /// network; `nil`: there is none beside the description.
    public var cause: String? {
        switch self {
        case .problem(let status, let type, _): "\(status) \(type)"
        case .unreachable(let reason), .unexpected(let reason): FeedServiceError.parts(reason).cause
        case .noKey: nil
        }
    }

    /// Splits a reason into words and the cause, which stands in parentheses at the end.
    private static func parts(_ reason: String) -> (words: String, cause: String?) {
        guard reason.hasSuffix(")"), let start = reason.firstRange(of: " (") else {
            return (reason, nil)
        }
        let cause = reason[start.upperBound...].dropLast()
        return (String(reason[..<start.lowerBound]), String(cause))
    }
}

extension FeedServiceError: CustomDebugStringConvertible {
    /// The failure in one line with its cause, for logs.
    public var debugDescription: String {
        switch self {
        case .problem, .noKey: description
        case .unreachable(let reason), .unexpected(let reason): reason
        }
    }
}

extension FeedServiceError: LocalizedError {
    /// The text of ``description``, as Foundation asks for it.
    public var errorDescription: String? { description }
}
