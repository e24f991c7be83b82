package import HTTPServer
import Platform

/// A handler behind a socket of this machine; ends with its last reference.
package final class SocketServer: TestServer {
    private let server: HTTPServer

    /// Starts a server on any free port.
    ///
    /// - Throws: ``SystemError``.
    package init(_ handler: any RequestHandler) throws {
        server = try HTTPServer(
            host: "127.0.0.1",
            port: 0,
            loops: 2,
            handler: handler,
            limits: .patient
        )
        server.start()
    }

    /// The port that it listens on.
    package var port: Int { server.port }

    deinit { server.stop(within: .zero) {} }

    package func send(
        _ method: String,
        _ target: String,
        headers: [(String, String)],
        body: [UInt8]
    ) async throws -> TestResponse {
        let client = try RawClient(port: server.port)
        var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if !body.isEmpty { head += "Content-Length: \(body.count)\r\n" }
        try client.send(Array((head + "\r\n").utf8) + body)
        let answer = try client.receive(isHead: method == "HEAD")
        return TestResponse(status: answer.status, headers: answer.fields, body: answer.body)
    }
}
