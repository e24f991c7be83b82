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
    /// The failure in words for a person.
    public var description: String {
        switch self {
        case .problem(let status, _, let detail): "\(detail) (\(status))"
        case .unreachable(let reason): reason
        case .unexpected(let reason): reason
        case .noKey(let reason): "there is no key: \(reason)"
        }
    }
}

extension FeedServiceError: LocalizedError {
    /// As ``description``.
    public var errorDescription: String? { description }
}
