import TestSupport

@testable import HTTPServer

/// Runs `body` against a server of its own that speaks TLS.
func withSecureServer(
    certificate: TestCertificate = .ecdsa,
    limits: ServerLimits = .patient,
    loops: Int = 2,
    _ script: @escaping ScriptedHandler.Script,
    _ body: (HTTPServer) async throws -> Void
) async throws {
    try await withServer(
        limits: limits,
        loops: loops,
        tls: try TLSContext(certificate.files),
        script,
        body
    )
}

/// Answers with the path, or with the length and sum of the body.
func echo(_ request: Request) -> Reply {
    guard request.head.hasBody else { return .response(.text(request.path)) }
    return .wholeBody(
        limit: 8 << 20,
        refuse: { .text("refused: \($0)") },
        then: { body, responder in
            responder(.text("\(body.count) \(body.reduce(0) { $0 + Int($1) })"))
        }
    )
}

extension RawClient {
    /// Sends a GET and reads its answer.
    func fetch(_ path: String) throws -> RawResponse {
        try send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        return try receive()
    }
}
