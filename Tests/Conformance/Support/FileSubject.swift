import HTTPServer
import TestSupport
import Testing

/// A server of a folder's files, for as long as its last reference.
final class FileSubject: Sendable {
    let folder: TemporaryFolder
    private let server: HTTPServer
    private let secureServer: HTTPServer

    init(_ fill: (TemporaryFolder) throws -> Void) throws {
        folder = try TemporaryFolder()
        try fill(folder)
        let handler = FileHandler(folder: try Folder(path: folder.path), checkedEvery: .zero) {
            .text($1, $0)
        }
        server = try startedServer(handler)
        secureServer = try startedServer(
            handler,
            tls: try TLSContext(TestCertificate.ecdsa.files)
        )
    }

    deinit {
        server.stop(within: .zero) {}
        secureServer.stop(within: .zero) {}
    }

    func connect(receiveByteCount: Int? = nil) throws -> RawClient {
        try RawClient(port: server.port, receiveByteCount: receiveByteCount)
    }

    /// The answer to a request, which is the same by HTTP and by HTTPS, on connections that then
    /// go on.
    ///
    /// - Parameters:
    ///   - target: What is asked for.
    ///   - fields: Field lines; TAG and DATE stand for the validators of what a GET without them
    ///     gets.
    ///   - method: GET, or another.
    /// - Returns: The answer.
    /// - Throws: ``RawClient/Failure``.
    func answer(
        _ target: String,
        _ fields: [String] = [],
        _ method: String = "GET"
    ) throws -> RawResponse {
        let answer = try answer(target, fields, method, on: connect())
        let secure = try RawClient(port: secureServer.port, tls: .init())
        let secureAnswer = try self.answer(target, fields, method, on: secure)
        #expect(secureAnswer.status == answer.status)
        // Parts have another boundary in every answer.
        let hasParts = answer["content-type"]?.hasPrefix("multipart/") ?? false
        #expect(hasParts || secureAnswer.body == answer.body)
        return answer
    }

    private func answer(
        _ target: String,
        _ fields: [String],
        _ method: String,
        on client: RawClient
    ) throws -> RawResponse {
        var text = fields.map { $0 + "\r\n" }.joined()
        if text.contains("TAG") || text.contains("DATE") {
            try client.send("HEAD \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
            let plain = try client.receive(isHead: true)
            text = text.replacing("TAG", with: try #require(plain["etag"]))
                .replacing("DATE", with: try #require(plain["last-modified"]))
        }
        try client.send("\(method) \(target) HTTP/1.1\r\nHost: h\r\n\(text)\r\n")
        let answer = try client.receive(isHead: method == "HEAD")
        try client.send("GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receive().status == 404, "the connection goes on")
        return answer
    }
}
