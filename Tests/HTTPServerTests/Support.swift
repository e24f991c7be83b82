import Dispatch
import HTTPTypes
import HTTPWire
import Synchronization
import TestSupport

@testable import HTTPServer

/// Answers by the path of the request, for tests of the engine.
final class ScriptedHandler: RequestHandler {
    typealias Script = @Sendable (Request) -> Disposition

    let script: Script

    init(script: @escaping Script) {
        self.script = script
    }

    func receive(_ request: Request) -> Disposition {
        script(request)
    }

    func refusal(_ error: RequestError) -> Response {
        Response(status: error.status, body: .bytes(Array("\(error)".utf8)))
    }

    func timedOut() -> Response {
        Response(status: .requestTimeout)
    }
}

extension Response {
    /// 200 with a text.
    static func text(_ text: String) -> Response {
        Response(status: .ok, body: .bytes(Array(text.utf8)))
    }
}

extension Request {
    var path: String { head.string(head.target) }
}

extension Disposition {
    /// The content of the body first, taken apart on another thread where a loop does not do it.
    static func wholeBody(
        limit: Int,
        refuse: @escaping @Sendable (BodyRefusal) -> Response,
        then: @escaping @Sendable ([UInt8], Responder) -> Void
    ) -> Disposition {
        .body(limit: limit, refuse: refuse) { (body: ReceivedBody, responder: Responder) in
            if case .content(let content) = body { return then(content, responder) }
            DispatchQueue.global().async {
                do throws(BodyRefusal) {
                    then(try body.content() ?? [], responder)
                } catch {
                    responder(refuse(error))
                }
            }
        }
    }
}

/// Runs `body` against a server of its own, on a free port, and stops it.
func withServer(
    limits: ServerLimits = .patient,
    loops: Int = 2,
    tls: TLSContext? = nil,
    _ script: @escaping ScriptedHandler.Script,
    _ body: (HTTPServer) async throws -> Void
) async throws {
    let server = try HTTPServer(
        host: "127.0.0.1",
        port: 0,
        loops: loops,
        handler: ScriptedHandler(script: script),
        limits: limits,
        tls: tls
    )
    server.start()
    do {
        try await body(server)
    } catch {
        await server.stopped(within: .zero)
        throw error
    }
    await server.stopped(within: .zero)
}

/// Does `work` on another thread.
func later(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(execute: work)
}
