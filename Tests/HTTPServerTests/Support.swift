import Dispatch
import HTTPTypes
import HTTPWire
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// Answers by the path of the request, for tests of the engine.
final class ScriptedHandler: RequestHandler {
    typealias Script = @Sendable (Request) -> Reply

    let script: Script

    init(script: @escaping Script) {
        self.script = script
    }

    func receive(_ request: Request, _ label: inout RequestLabel) -> Reply {
        script(request)
    }

    func response(to refusal: RequestRefusal, origin: [UInt8]?) -> Response {
        var response = Response(refusal)
        if case .malformed(let error) = refusal { response.body = .bytes(Array("\(error)".utf8)) }
        return response
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

extension Reply {
    /// The content of the body first, taken apart on another thread where a loop does not do it.
    static func wholeBody(
        limit: Int,
        refuse: @escaping @Sendable (BodyRefusal) -> Response,
        then: @escaping @Sendable ([UInt8], Responder) -> Void
    ) -> Reply {
        .body(limit: limit, refuse: refuse) { body in
            .later { responder in
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

/// Runs `body` against a server of one loop, with something that holds the loop while it does what
/// it is given.
func withHeldServer(
    limits: ServerLimits = .patient,
    tls: TLSContext? = nil,
    _ script: @escaping ScriptedHandler.Script,
    _ body: (HTTPServer, (() throws -> Void) throws -> Void) async throws -> Void
) async throws {
    let gate = LoopGate()
    try await withServer(limits: limits, loops: 1, tls: tls) { request in
        request.path == LoopGate.path ? gate.hold() : script(request)
    } _: { server in
        let holder = try RawClient(port: server.port, tls: tls == nil ? nil : .init())
        try await body(server) { work in try gate.whileHeld(by: holder, work) }
    }
}

/// Holds a server's only loop.
final class LoopGate: Sendable {
    static let path = "/gate"

    private let entered = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    /// What the handler says of the request that holds it.
    func hold() -> Reply {
        entered.signal()
        opened.wait()
        return .response(.text(LoopGate.path))
    }

    /// Does something while the loop is held.
    ///
    /// - Parameter client: A connection to the server.
    func whileHeld(by client: RawClient, _ work: () throws -> Void) throws {
        try client.send("GET \(LoopGate.path) HTTP/1.1\r\nHost: a\r\n\r\n")
        entered.wait()
        do {
            defer { opened.signal() }
            try work()
        }
        #expect(try client.receive().text == LoopGate.path)
    }
}

extension HTTPServer {
    func reports(within time: Duration = .seconds(60)) async -> [LoopReport] {
        await withCheckedContinuation { continuation in
            report(within: time) { continuation.resume(returning: $0) }
        }
    }

    /// The sum of what all loops have counted.
    func sum() async throws -> LoopMetrics {
        let reports = await reports()
        let first = try #require(reports.first).metrics
        return reports.dropFirst().reduce(first) { $0.adding($1.metrics) }
    }

    /// The same, as soon as something holds; a loop hears of what clients do when it does.
    @discardableResult
    func sum(when holds: (LoopMetrics) -> Bool) async throws -> LoopMetrics {
        while true {
            let sum = try await sum()
            if holds(sum) { return sum }
            await Task.yield()
        }
    }
}

/// Does `work` on another thread.
func later(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(execute: work)
}
