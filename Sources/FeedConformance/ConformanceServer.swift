import FeedModel
import Foundation
import Gzip
package import HTTPClient
import HTTPTypes
import HTTPWire

/// The server to check, and the feeds that a run may write there.
package struct ConformanceServer: Sendable {
    /// The response to a request.
    struct Answer: Sendable {
        let head: HTTPClient.Response.Head
        /// The content, decompressed; empty for an event stream.
        let content: [UInt8]
        /// The time from the request to the end of the response.
        let time: Duration
    }

    let address: String
    /// The address without passwords, for messages.
    let shownAddress: String
    let key: String
    let prefix: String
    let client: HTTPClient

    /// Describes a server.
    ///
    /// - Parameters:
    ///   - address: The server's HTTP address, without a slash at the end.
    ///   - shownAddress: The address without passwords, for messages.
    ///   - key: A bearer key that may publish feeds whose names begin with `prefix`.
    ///   - prefix: The first part of the names of all feeds that the run writes.
    package init(
        address: String,
        shownAddress: String,
        key: String,
        prefix: String,
        client: HTTPClient
    ) {
        self.address = address
        self.shownAddress = shownAddress
        self.key = key
        self.prefix = prefix
        self.client = client
    }

    /// The longest wait for a response.
    ///
    /// No case makes the server wait longer than 30 seconds.
    private static let answerLimit = Duration.seconds(45)

    /// Sends a request, and waits for the response.
    func answer(to request: CaseRequest, _ names: CaseNames) async throws(CaseFailure) -> Answer {
        let sent = try self.request(request, names)
        do {
            return try await answer(to: sent)
        } catch {
            throw CaseFailure("no answer: \(error)")
        }
    }

    /// Opens an event stream, and waits for the head of the response.
    func stream(
        _ request: CaseRequest,
        _ names: CaseNames
    ) async throws(CaseFailure) -> (HTTPClient.Response.Head, CaseStream) {
        var sent = try self.request(request, names)
        sent.limits.whole = nil
        sent.limits.stalled = nil
        sent.limits.bodyByteCount = .max
        do {
            let (head, body) = try await client.streamed(sent)
            return (head, CaseStream(body))
        } catch {
            throw CaseFailure("no answer: \(error)")
        }
    }

    /// Deletes a feed, which need not exist.
    ///
    /// - Throws: ``CaseFailure`` when the feed may still exist.
    func delete(_ feed: String) async throws(CaseFailure) {
        let status = try await status(of: "DELETE", "/feeds/\(feed)")
        guard 200...299 ~= status || status == 404 || status == 410 else {
            throw CaseFailure("DELETE answers \(status)")
        }
    }

    /// Sends a request, and returns the status of the response.
    func status(
        of method: String,
        _ path: String,
        json: String? = nil,
        hasKey: Bool = true
    ) async throws(CaseFailure) -> Int {
        var fields = HTTPFields()
        if hasKey { fields[.authorization] = "Bearer \(key)" }
        if json != nil { fields[.contentType] = "application/json" }
        var request = HTTPClient.Request(
            HTTPRequest.Method(rawValue: method) ?? .get,
            address + path,
            fields: fields,
            body: json.map { Array($0.utf8) }
        )
        request.addsDefaultFields = false
        do {
            return try await answer(to: request).head.status
        } catch {
            throw CaseFailure("\(error)")
        }
    }

    /// Sends a request, and waits for the end of the response; for that of a write even when the
    /// task is cancelled.
    ///
    /// A server may carry out a write that has arrived after its client left, and then after the
    /// DELETE of its feed as well.
    private func answer(
        to request: HTTPClient.Request
    ) async throws(HTTPClientError) -> Answer {
        let method = request.method.rawValue
        if CaseRequest.safeMethods.contains(method) || method == "QUERY" {
            return try await result(of: request).get()
        }
        return try await Task { await result(of: request) }.value.get()
    }

    private func result(of request: HTTPClient.Request) async -> Result<Answer, HTTPClientError> {
        let began = ContinuousClock.now
        do throws(HTTPClientError) {
            let (head, body) = try await client.streamed(request)
            var content: [UInt8] = []
            // An event stream has no end, so only its head counts.
            if head.fields[.contentType]?.hasPrefix("text/event-stream") != true {
                var parts = body.makeAsyncIterator()
                while let part = try await parts.next() { content += part }
            }
            return .success(
                Answer(head: head, content: content, time: ContinuousClock.now - began)
            )
        } catch {
            return .failure(error)
        }
    }
}

/// Makes requests.
extension ConformanceServer {
    private func request(
        _ request: CaseRequest,
        _ names: CaseNames
    ) throws(CaseFailure) -> HTTPClient.Request {
        guard let method = HTTPRequest.Method(rawValue: request.method) else {
            throw CaseFailure("the case has a method that is none: \(request.method)")
        }
        var content = try content(of: request, names)
        var fields = try self.fields(of: request, names)
        if content != nil, fields[.contentType] == nil { fields[.contentType] = "application/json" }
        if request.isGzip, let bytes = content {
            (content, fields[.contentEncoding]) = (ContentCoding.gzip.compress(bytes), "gzip")
        }
        switch request.key {
        case .own: fields[.authorization] = "Bearer \(key)"
        case .other(let key): fields[.authorization] = "Bearer \(key)"
        case .none: break
        }
        // For these methods, empty content is sent as `Content-Length: 0` (RFC 9110 §8.6).
        if content == nil, ["PUT", "POST", "PATCH"].contains(request.method) { content = [] }
        let url = address + (try names.filled(request.path))
        var sent = HTTPClient.Request(method, url, fields: fields, body: content)
        sent.addsDefaultFields = false
        sent.limits.whole = ConformanceServer.answerLimit
        sent.limits.stalled = nil
        return sent
    }

    private func content(
        of request: CaseRequest,
        _ names: CaseNames
    ) throws(CaseFailure) -> [UInt8]? {
        switch request.content {
        case .json(let value)?: return try names.filled(value).bytes
        case .text(let text)?: return Array(try names.filled(text).utf8)
        case .base64(let text)?:
            guard let bytes = Data(base64Encoded: text) else {
                throw CaseFailure("the case has content that is not in base 64")
            }
            return Array(bytes)
        case nil: return nil
        }
    }

    private func fields(
        of request: CaseRequest,
        _ names: CaseNames
    ) throws(CaseFailure) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in request.fields {
            guard let fieldName = HTTPField.Name(name) else {
                throw CaseFailure("the case has a field that is none: \(name)")
            }
            fields.append(HTTPField(name: fieldName, value: try names.filled(value)))
        }
        return fields
    }
}
