import FeedClient
import Foundation
import HTTPClient
import HTTPTypes

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Carries a command's requests by libcurl, which takes authorities of one's own and waits for a
/// response without work; URLSession does neither on Linux.
final class CurlTransport: FeedTransport {
    private let client: HTTPClient

    /// The most bytes of a response.
    private static let byteLimit = 1 << 30

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - authorities: A file of certificates in PEM that are trusted instead of the system's.
    ///   - verifiesServers: Whether a server's certificate is checked.
    /// - Throws: ``CommandFailure`` where the system has no thread left.
    init(authorities: String?, verifiesServers: Bool) throws(CommandFailure) {
        client = try CurlTransport.client(
            authorities: authorities,
            verifiesServers: verifiesServers
        )
    }

    /// The client by which commands ask servers, with the arguments of the initializer.
    static func client(
        authorities: String?,
        verifiesServers: Bool
    ) throws(CommandFailure) -> HTTPClient {
        if let authorities { try checkAuthorities(authorities) }
        var settings = HTTPClient.Settings()
        settings.userAgent = "freshet/0.1.0"
        settings.authorities = authorities
        settings.verifiesServers = verifiesServers
        let variables = ProcessInfo.processInfo.environment
        settings.proxy = variables["https_proxy"] ?? variables["HTTPS_PROXY"]
        do {
            return try HTTPClient(settings)
        } catch {
            throw .other("\(error)")
        }
    }

    /// Refuses a file of certificates that cannot be read, of which libcurl says less.
    static func checkAuthorities(_ path: String) throws(CommandFailure) {
        do throws(FileContents.Failure) {
            _ = try FileContents.read(path)
        } catch {
            throw .usage("cannot read \(path): \(error.reason) (--cacert, FRESHET_CACERT)")
        }
    }

    func response(
        to request: URLRequest,
        isHeld: Bool
    ) async throws -> (Data, HTTPURLResponse) {
        let response: HTTPClient.Response
        do {
            response = try await client.response(to: try CurlTransport.request(request))
        } catch let error as HTTPClientError {
            throw CurlTransport.failure(error)
        }
        return (Data(response.body), try CurlTransport.head(response.head, of: request))
    }

    func parts(of request: URLRequest) -> AsyncThrowingStream<ResponsePart, any Error> {
        AsyncThrowingStream { parts in
            let task = Task {
                do {
                    var sent = try CurlTransport.request(request)
                    sent.limits.whole = nil
                    sent.limits.bodyByteCount = .max
                    let (head, body) = try await client.streamed(sent)
                    parts.yield(.head(try CurlTransport.head(head, of: request)))
                    for try await bytes in body { parts.yield(.body(Data(bytes))) }
                    parts.finish()
                } catch let error as HTTPClientError {
                    parts.finish(throwing: CurlTransport.failure(error))
                } catch {
                    parts.finish(throwing: error)
                }
            }
            parts.onTermination = { _ in task.cancel() }
        }
    }

    /// Connections that are dead are noticed by libcurl.
    func renew() {}

    private static func request(_ request: URLRequest) throws -> HTTPClient.Request {
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
        sent.limits.bodyByteCount = byteLimit
        return sent
    }

    private static func head(
        _ head: HTTPClient.Response.Head,
        of request: URLRequest
    ) throws -> HTTPURLResponse {
        var fields: [String: String] = [:]
        for field in head.fields { fields[field.name.canonicalName] = field.value }
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

    private static func failure(_ error: HTTPClientError) -> any Error {
        if case .cancelled = error { return CancellationError() }
        return FeedServiceError.unreachable("\(error)")
    }
}
