package import HTTPServer
import HTTPTypes
import HTTPWire

/// Calls a handler as the engine would, without a socket.
package struct InMemoryServer: TestServer {
    private let handler: any RequestHandler

    package init(_ handler: any RequestHandler) {
        self.handler = handler
    }

    package func send(
        _ method: String,
        _ target: String,
        headers: [(String, String)],
        body: [UInt8]
    ) async throws -> TestResponse {
        var text = "\(method) \(target) HTTP/1.1\r\n"
        let namesHost = headers.contains { $0.0.lowercased() == "host" }
        if !namesHost { text += "Host: localhost\r\n" }
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
        let head: RequestHead
        do {
            head = try RequestHead(parsing: text + "\r\n")
        } catch {
            return InMemoryServer.read(handler.response(to: .malformed(error), origin: nil), method)
        }
        return await withCheckedContinuation { continuation in
            let responder = Responder { response in
                continuation.resume(returning: InMemoryServer.read(response, method))
            }
            InMemoryServer.answer(handler.receive(Request(head: head)), responder, head, body)
        }
    }

    private static func answer(
        _ reply: Reply,
        _ responder: Responder,
        _ head: RequestHead,
        _ body: [UInt8]
    ) {
        switch reply {
        case .response(let response): responder(response)
        case .later(let take): take(responder)
        case .wait(let wait):
            InMemoryWait(wait) { answer($0, responder, head, body) }.begin()
        case .body(let limit, let refuse, let then):
            switch decoded(body, head, limit: limit) {
            case .success(let body): answer(then(.content(body)), responder, head, [])
            case .failure(let refusal): responder(refuse(refusal.reason))
            }
        }
    }

    private struct Refusal: Error {
        let reason: BodyRefusal
    }

    /// A body without its content coding, within the limit.
    private static func decoded(
        _ body: [UInt8],
        _ head: RequestHead,
        limit: Int
    ) -> Result<[UInt8], Refusal> {
        var body = body
        switch head.value(named: "Content-Encoding") {
        case nil, "identity": break
        case "gzip":
            guard let decoded = gunzip(body) else {
                return .failure(Refusal(reason: .malformedCoding(at: 0)))
            }
            body = decoded
        case .some(let other): return .failure(Refusal(reason: .unsupportedCoding(other)))
        }
        guard body.count <= limit else { return .failure(Refusal(reason: .tooLarge(limit: limit))) }
        return .success(body)
    }

    private static func read(_ response: Response, _ method: String) -> TestResponse {
        var headers = response.fields.map { ($0.name.rawName, $0.value) }
        var body: [UInt8] = []
        switch response.body {
        case .bytes(let bytes): body = bytes
        case .parts(let parts): for case .bytes(let bytes) in parts { body += bytes }
        case .none, .file, .stream: break
        }
        let hasBody = response.status.code != 204 && response.status.code != 304
        if hasBody, response.fields[.contentLength] == nil {
            headers.append(("Content-Length", String(body.count)))
        }
        return TestResponse(
            status: response.status.code,
            headers: headers,
            body: hasBody && method != "HEAD" ? body : []
        )
    }
}
