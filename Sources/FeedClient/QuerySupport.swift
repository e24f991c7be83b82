import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Whether `QUERY` (RFC 10008) reaches the server: some proxies do not know the method.
final class QuerySupport: Sendable {
    private let isRefused = Atomic(false)

    /// Whether a request may be a `QUERY`.
    var canQuery: Bool { !isRefused.load(ordering: .relaxed) }

    /// Whether a request was refused for its method; there is no `QUERY` from then on.
    ///
    /// A problem with `400` or `403` is the server's own word about the request.
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
