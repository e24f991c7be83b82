import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The `URLSession` delegate that follows redirects without sending the key to other servers.
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
    /// Returns the request after a redirect: without the key if the redirect leads to another
    /// scheme, host or port (RFC 9110 §15.4).
    func redirected(from old: URL?) -> URLRequest {
        guard old?.origin == nil || old?.origin != url?.origin else { return self }
        var request = self
        request.setValue(nil, forHTTPHeaderField: "Authorization")
        return request
    }
}

extension URL {
    /// The origin: scheme, host and port (RFC 6454 §4); `nil`: the URL has none.
    var origin: [String]? {
        guard let scheme = scheme?.lowercased(), let host = host?.lowercased() else { return nil }
        return [scheme, host, String(port ?? (scheme == "https" ? 443 : 80))]
    }
}
