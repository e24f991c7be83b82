public import Foundation

/// Why a request to a feed server did not do what it was asked.
public enum FeedServiceError: Error, Equatable, Sendable {
    /// The server refused: its status, the name of the problem (`/problems/key`) and what was
    /// wrong, in words (docs/PROTOCOL.md, "Errors").
    case problem(status: Int, type: String, detail: String)

    /// No answer came: no server listens there, the name is unknown, or the way is interrupted.
    case unreachable(String)

    /// An answer came that this client cannot read; a proxy's page, or another kind of server.
    case unexpected(String)

    /// The ``KeyProvider`` gave no key, for this reason.
    case noKey(String)
}

extension FeedServiceError: CustomStringConvertible {
    /// The failure in words for a person; ``cause`` has the rest.
    public var description: String {
        switch self {
        case .problem(let status, _, let detail): "\(detail) (\(status))"
        case .unreachable(let reason), .unexpected(let reason): FeedServiceError.parts(reason).words
        case .noKey(let reason): "there is no key: \(reason)"
        }
    }

    /// The cause for logs: the name of the problem, or what the network or the answer said; `nil`
    /// where the words say it all.
    public var cause: String? {
        switch self {
        case .problem(let status, let type, _): "\(status) \(type)"
        case .unreachable(let reason), .unexpected(let reason): FeedServiceError.parts(reason).cause
        case .noKey: nil
        }
    }

    /// Parts a reason from its cause, which stands in parentheses at its end.
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
    /// As ``description``.
    public var errorDescription: String? { description }
}
