/// Something that answers requests: a handler called in memory, or a server behind a socket.
package protocol TestServer: Sendable {
    /// Sends one request and waits for its answer.
    ///
    /// The target is as it stands in the request line, and the headers are without Host and
    /// Content-Length.
    func send(
        _ method: String,
        _ target: String,
        headers: [(String, String)],
        body: [UInt8]
    ) async throws -> TestResponse
}

/// An answer as a client sees it.
package struct TestResponse: Sendable {
    package var status: Int
    package var headers: [(String, String)]
    package var body: [UInt8]

    package init(status: Int, headers: [(String, String)], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of a field, its name in any case; those of repeated fields joined by ", ".
    package subscript(name: String) -> String? {
        let values = headers.filter { $0.0.lowercased() == name.lowercased() }.map(\.1)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    package var text: String { String(decoding: body, as: UTF8.self) }
}
