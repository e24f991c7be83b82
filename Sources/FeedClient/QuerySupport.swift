import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Remembers whether the method `QUERY` (RFC 10008) reaches the server: some proxies refuse it.
final class QuerySupport: Sendable {
    private let isRefused = Atomic(false)

    /// Whether requests may use `QUERY`.
    var canQuery: Bool { !isRefused.load(ordering: .relaxed) }

    /// Returns whether a request was refused for its method `QUERY`, which is then not used again.
    ///
    /// A problem document with `400` or `403` comes from the server itself and is not such a
    /// refusal.
    func isRefused(_ request: URLRequest, _ result: FeedResult) -> Bool {
        guard request.httpMethod == "QUERY" else { return false }
        switch result.status {
        case 405, 501: break
        case 400, 403: if result.essence == "application/problem+json" { return false }
        default: return false
        }
        isRefused.store(true, ordering: .relaxed)
        return true
    }
}
