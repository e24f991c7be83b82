#if os(Linux) && canImport(HTTPClient)
public import Foundation
public import FoundationNetworking
package import HTTPClient
import HTTPTypes

/// Sends requests by libcurl: the transport on Linux, where URLSession crashes the process when a
/// connection closes in the middle of a response's head.
///
/// At most ten redirects are followed; for methods other than GET and HEAD only `307` and `308`.
/// Requests by `https` use the proxy in the environment variable `https_proxy`, if it is set.
public final class CurlTransport: FeedTransport {
    private let client: HTTPClient
    private let proxy: String?

    /// The most bytes of a response.
    private static let byteLimit = 1 << 30
    private static let redirectLimit = 10

    /// Makes a transport; no connection is opened yet.
    ///
    /// - Throws: ``FeedServiceError/unreachable(_:)`` if the system has no thread or descriptor
    ///   left.
    public convenience init() throws {
        var settings = HTTPClient.Settings()
        settings.userAgent = "FeedClient"
        do {
            let variables = ProcessInfo.processInfo.environment
            let proxy = variables["https_proxy"] ?? variables["HTTPS_PROXY"]
            self.init(try HTTPClient(settings), proxy: proxy)
        } catch {
            throw FeedServiceError.unreachable("\(error)")
        }
    }

    /// Makes a transport that uses a client and its settings.
    ///
    /// - Parameter proxy: The proxy for requests by `https`; `nil`: the client's.
    package init(_ client: HTTPClient, proxy: String? = nil) {
        self.client = client
        self.proxy = proxy
    }

    /// Sends a request, and waits for its whole response.
    public func response(to request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try await following(request) { request in
            let response = try await client.response(to: try sent(request))
            return (Data(response.body), try CurlTransport.head(response.head, of: request))
        }
    }

    /// Returns the parts of a response as they arrive.
    ///
    /// The request is sent when the first part is read, and a slow reader slows the server down.
    public func parts(of request: URLRequest) -> AsyncThrowingStream<ResponsePart, any Error> {
        let response = Arriving(request, self)
        return AsyncThrowingStream { try await response.next() }
    }

    /// A response whose parts are read one by one.
    private actor Arriving {
        private let request: URLRequest
        private let transport: CurlTransport
        private var body: ArrivingBody?

        init(_ request: URLRequest, _ transport: CurlTransport) {
            self.request = request
            self.transport = transport
        }

        /// Returns the next part: the head first, then the body; `nil` at the end.
        func next() async throws -> ResponsePart? {
            guard let body else {
                let (body, head) = try await transport.streamed(request)
                self.body = body
                return .head(head)
            }
            do {
                var parts = body.makeAsyncIterator()
                return try await parts.next().map { .body(Data($0)) }
            } catch {
                throw CurlTransport.failure(error)
            }
        }
    }

    private func streamed(_ request: URLRequest) async throws -> (ArrivingBody, HTTPURLResponse) {
        try await following(request) { request in
            var sent = try sent(request)
            sent.limits.bodyByteCount = .max
            let (head, body) = try await client.streamed(sent)
            return (body, try CurlTransport.head(head, of: request))
        }
    }

    /// Does nothing: libcurl itself notices dead connections.
    public func renew() {}

    /// Sends a request, and follows redirects.
    private func following<Body>(
        _ request: URLRequest,
        _ send: (URLRequest) async throws -> (Body, HTTPURLResponse)
    ) async throws -> (Body, HTTPURLResponse) {
        var request = request
        do {
            for _ in 0...CurlTransport.redirectLimit {
                let (body, head) = try await send(request)
                guard let next = request.redirected(by: head) else { return (body, head) }
                request = next
            }
        } catch {
            throw CurlTransport.failure(error)
        }
        throw FeedServiceError.unreachable("there are too many redirects")
    }

    private func sent(_ request: URLRequest) throws -> HTTPClient.Request {
        var fields = HTTPFields()
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        var sent = HTTPClient.Request(
            HTTPRequest.Method(rawValue: request.httpMethod ?? "GET") ?? .get,
            request.url?.absoluteString ?? "",
            fields: fields,
            body: request.httpBody.map { Array($0) }
        )
        sent.limits.whole = nil
        sent.limits.stalled = .seconds(request.timeoutInterval)
        sent.limits.bodyByteCount = CurlTransport.byteLimit
        if request.url?.scheme?.lowercased() == "https" { sent.proxy = proxy }
        return sent
    }

    private static func head(
        _ head: HTTPClient.Response.Head,
        of request: URLRequest
    ) throws -> HTTPURLResponse {
        var fields: [String: String] = [:]
        for field in head.fields {
            // A field with several lines has their values as a list (RFC 9110 §5.3).
            let name = field.name.canonicalName
            fields[name] = fields[name].map { "\($0), \(field.value)" } ?? field.value
        }
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url,
                statusCode: head.status,
                httpVersion: "HTTP/1.1",
                headerFields: fields
            )
        else { throw FeedServiceError.unexpected("the address is not one of HTTP") }
        return response
    }

    private static func failure(_ error: any Error) -> any Error {
        guard let error = error as? HTTPClientError else { return error }
        if case .cancelled = error { return CancellationError() }
        return FeedServiceError.unreachable(error.plainWords)
    }
}

extension HTTPClientError {
    /// The failure in words for the user, followed by libcurl's message in parentheses.
    fileprivate var plainWords: String {
        switch self {
        case .unreachable(let detail): "the server cannot be reached (\(detail))"
        case .timedOut(let detail): "the server did not answer in time (\(detail))"
        case .broken(let detail): "the connection was interrupted (\(detail))"
        case .tls(let detail): "\(HTTPClientError.tlsWords) to the server (\(detail))"
        case .invalidURL, .refusedAddress, .bodyTooLarge, .headTooLarge, .cancelled, .unavailable:
            description
        }
    }
}

extension URLRequest {
    /// Returns the request that a redirect leads to (RFC 9110 §15.4); `nil`: the response is not a
    /// redirect to follow.
    fileprivate func redirected(by response: HTTPURLResponse) -> URLRequest? {
        let isRead = ["GET", "HEAD"].contains(httpMethod ?? "GET")
        let isRedirect =
            switch response.statusCode {
            case 307, 308: true
            case 301, 302, 303: isRead
            default: false
            }
        guard isRedirect, let location = response.value(forHTTPHeaderField: "Location"),
            let target = URL(string: location, relativeTo: url)?.absoluteURL,
            ["http", "https"].contains(target.scheme?.lowercased())
        else { return nil }
        var request = self
        request.url = target
        return request.redirected(from: url)
    }
}
#endif

extension FeedService {
    /// Returns the default transport: by libcurl on Linux, by URLSession elsewhere.
    public static func defaultTransport() -> any FeedTransport {
        #if os(Linux) && canImport(HTTPClient)
        if let transport = try? CurlTransport() { return transport }
        #endif
        return URLSessionTransport()
    }
}
