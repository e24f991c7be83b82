import Dispatch
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// Of many that are ready at once, each client is served in its turn.
@Suite(.timeLimit(.minutes(2))) struct ServingByTurns {
    private func address(_ last: UInt8) throws -> PeerAddress {
        try #require(PeerAddress(octets: [10, 0, 0, last]))
    }

    private func id(_ number: Int) -> ConnectionID {
        ConnectionID(descriptor: CInt(number), generation: 1)
    }

    @Test func whoIsReadyIsServedAtOnceWhileThereIsTime() throws {
        var queue = ReadyQueue()
        let now = System.monotonicNanoseconds() + 3_600_000_000_000
        for _ in 0..<10 * ReadyQueue.batch {
            let isFree = queue.isFree(for: try address(1), since: now)
            #expect(isFree)
        }
    }

    @Test func whoIsReadyLateWaitsBehindThoseOfItsClientAlone() throws {
        var queue = ReadyQueue()
        let (many, few) = (try address(1), try address(2))
        var count = 0
        while queue.isFree(for: many, since: 0) { count += 1 }
        #expect(count == ReadyQueue.batch - 1)
        queue.add(id(1), from: many)
        queue.add(id(2), from: many)
        var areFree = [many, few].map { queue.isFree(for: $0, since: 0) }
        #expect(areFree == [false, true])
        queue.add(id(3), from: few)
        // A new round does not let anybody overtake those of the same client.
        queue.beginRound()
        let now = System.monotonicNanoseconds()
        areFree = [many, few].map { queue.isFree(for: $0, since: now) }
        #expect(areFree == [false, false])
        let order = (0..<4).map { _ in queue.next()?.descriptor }
        #expect(order == [1, 3, 2, nil])
        #expect(queue.isEmpty)
    }

    /// Holds the loop until all have sent something.
    private final class Gate: Sendable {
        let entered = DispatchSemaphore(value: 0)
        let opened = DispatchSemaphore(value: 0)
    }

    private func client(_ server: HTTPServer, from last: Int) throws -> RawClient {
        let preamble = "PROXY TCP4 10.0.0.\(last) 127.0.0.1 4000 80\r\n"
        let client = try RawClient(port: server.port, preamble: Array(preamble.utf8))
        try ask(client, for: "/hello")
        #expect(try client.receive().text == "/hello")
        return client
    }

    private func ask(_ client: RawClient, for path: String) throws {
        try client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
    }

    @Test func aClientWithOneRequestDoesNotWaitForAllOfAnother() async throws {
        let gate = Gate()
        let order = Mutex<[String]>([])
        var limits = ServerLimits.patient
        limits.proxies = TrustedProxies(
            [try #require(TrustedProxies.Network("127.0.0.1"))],
            field: .proxyProtocol
        )
        let script: ScriptedHandler.Script = { request in
            if request.path == "/gate" {
                gate.entered.signal()
                gate.opened.wait()
            } else if request.path != "/hello" {
                order.withLock { $0.append(request.path) }
                let end = ContinuousClock.now + .milliseconds(1)
                while ContinuousClock.now < end {}
            }
            let response = CachedResponse(.text(request.path))
            return .cached(response, CachedResponse.Completion())
        }
        try await withServer(limits: limits, loops: 1, script) { server in
            let first = try client(server, from: 1)
            let many = try (0..<120).map { _ in try client(server, from: 1) }
            let polite = try client(server, from: 2)
            try ask(first, for: "/gate")
            gate.entered.wait()
            for (number, client) in many.enumerated() { try ask(client, for: "/\(number)") }
            try ask(polite, for: "/polite")
            gate.opened.signal()
            for (number, client) in many.enumerated() {
                #expect(try client.receive().text == "/\(number)")
                try ask(client, for: "/again/\(number)")
            }
            #expect(try polite.receive().text == "/polite")
            for (number, client) in many.enumerated() {
                #expect(try client.receive().text == "/again/\(number)")
            }
        }
        let place = try #require(order.withLock { $0.firstIndex(of: "/polite") })
        #expect(place < 60)
    }
}
