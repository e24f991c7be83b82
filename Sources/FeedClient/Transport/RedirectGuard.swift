import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Follows redirects, and keeps the key from other servers.
final class RedirectGuard: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(request.redirected(from: response.url))
    }
}

extension URLRequest {
    /// The request that follows a redirect: without a key where that leads to another scheme, host
    /// or port (RFC 9110 §15.4).
    func redirected(from old: URL?) -> URLRequest {
        guard old?.origin == nil || old?.origin != url?.origin else { return self }
        var request = self
        request.setValue(nil, forHTTPHeaderField: "Authorization")
        return request
    }
}

extension URL {
    /// Scheme, host and port (RFC 6454 §4).
    var origin: [String]? {
        guard let scheme = scheme?.lowercased(), let host = host?.lowercased() else { return nil }
        return [scheme, host, String(port ?? (scheme == "https" ? 443 : 80))]
    }
}
