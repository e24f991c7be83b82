import Dispatch
import HTTPTypes
import Platform
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// Of many that are ready at once, each client is served in its turn.
@Suite(.timeLimit(.minutes(2))) struct ServingByTurns {
    private func address(_ last: UInt8) throws -> IPAddress {
        try #require(IPAddress(octets: [10, 0, 0, last]))
    }

    private func id(_ number: Int) -> ConnectionID {
        ConnectionID(descriptor: CInt(number), generation: 1)
    }

    @Test func whoIsReadyIsServedAtOnceWhileThereIsTime() throws {
        let queue = LoopQueues().ready
        queue.beginRound(at: System.monotonicNanoseconds() + 3_600_000_000_000)
        for _ in 0..<10 * RunQueue.costPerClockReading {
            let isFree = queue.isFree(for: try address(1))
            #expect(isFree)
            queue.served(cost: 1)
        }
    }

    @Test(arguments: [
        (1, RunQueue.costPerClockReading), (0, RunQueue.costPerClockReading), (5, 4), (64, 1),
    ])
    func theClockIsAskedByWhatTurnsCost(cost: Int, count: Int) throws {
        let queue = LoopQueues().ready
        queue.beginRound(at: 0)
        for _ in 1..<max(count, 2) where count > 1 { queue.served(cost: cost) }
        #expect(!queue.isLate)
        queue.served(cost: cost)
        #expect(queue.isLate)
    }

    @Test func whoIsReadyLateWaitsBehindThoseOfItsClientAlone() throws {
        let queue = LoopQueues().ready
        let (many, few) = (try address(1), try address(2))
        queue.beginRound(at: 0)
        queue.served(cost: RunQueue.costPerClockReading)
        queue.add(id(1), from: many)
        queue.add(id(2), from: many)
        #expect([many, few].map { queue.isFree(for: $0) } == [false, true])
        queue.add(id(3), from: few)
        // A new round does not let anybody overtake those of the same client.
        queue.beginRound(at: System.monotonicNanoseconds())
        #expect([many, few].map { queue.isFree(for: $0) } == [false, false])
        let order = (0..<4).map { _ in queue.next()?.descriptor }
        #expect(order == [1, 3, 2, nil])
        #expect(queue.isEmpty)
    }

    @Test func whoGoesOnWaitsBehindWhoIsReadyMeanwhile() throws {
        let queue = LoopQueues().ready
        let (one, other) = (try address(1), try address(2))
        queue.beginRound(at: System.monotonicNanoseconds())
        queue.addAgain(id(1), from: one)
        #expect([one, other].map { queue.isFree(for: $0) } == [true, true])
        queue.add(id(2), from: one)
        #expect(!queue.isEmpty)
        queue.beginServing(at: System.monotonicNanoseconds())
        let second = queue.next()
        queue.addAgain(id(2), from: one)
        let first = queue.next()
        let none = queue.next()
        #expect([second, first, none].map { $0?.descriptor } == [2, 1, nil])
        #expect(!queue.isEmpty)
        queue.beginServing(at: System.monotonicNanoseconds())
        let last = queue.next()
        #expect(last?.descriptor == 2 && queue.isEmpty)
    }

    /// Holds the loop until all have sent something.
    private final class Gate: Sendable {
        let entered = DispatchSemaphore(value: 0)
        let opened = DispatchSemaphore(value: 0)

        /// Called on the loop.
        func hold() {
            entered.signal()
            opened.wait()
        }
    }

    private func limits() throws -> ServerLimits {
        var limits = ServerLimits.patient
        limits.proxies = TrustedProxies(
            [try #require(TrustedProxies.Network("127.0.0.1"))],
            field: .proxyProtocol
        )
        return limits
    }

    private static func spend(_ time: Duration) {
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end {}
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
        let script: ScriptedHandler.Script = { request in
            if request.path == "/gate" {
                gate.hold()
            } else if request.path != "/hello" {
                order.withLock { $0.append(request.path) }
                ServingByTurns.spend(.milliseconds(1))
            }
            let response = Payload(.text(request.path))
            return .cached(response)
        }
        try await withServer(limits: try limits(), loops: 1, script) { server in
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

    /// Long answers take their client's time, by what the sockets take of them.
    @Test func whoReadsMuchDoesNotHoldUpOthers() async throws {
        let gate = Gate()
        let order = Mutex<[String]>([])
        let long = Payload(.text(String(repeating: "long", count: 256 << 10)))
        let script: ScriptedHandler.Script = { request in
            if request.path == "/gate" { gate.hold() }
            guard request.path.hasPrefix("/long") || request.path == "/polite" else {
                return .response(.text(request.path))
            }
            order.withLock { $0.append(request.path) }
            ServingByTurns.spend(.milliseconds(1))
            guard request.path != "/polite" else { return .response(.text(request.path)) }
            return .cached(long)
        }
        try await withServer(limits: try limits(), loops: 1, script) { server in
            let first = try client(server, from: 1)
            let many = try (0..<40).map { _ in try client(server, from: 1) }
            let polite = try client(server, from: 2)
            try ask(first, for: "/gate")
            gate.entered.wait()
            for (number, client) in many.enumerated() { try ask(client, for: "/long/\(number)") }
            try ask(polite, for: "/polite")
            gate.opened.signal()
            #expect(try polite.receive().text == "/polite")
        }
        let place = try #require(order.withLock { $0.firstIndex(of: "/polite") })
        #expect(place < 12)
    }

    /// What goes on after its turn waits for its client's next one.
    @Test func pipelinesOfOneClientTakeTurnsWithTheOthers() async throws {
        let gate = Gate()
        let gates = [300, 333, 366, 399]
        let order = Mutex<[String]>([])
        let script: ScriptedHandler.Script = { request in
            if request.path != "/hello" {
                let count = order.withLock { order in
                    order.append(request.path)
                    return order.count
                }
                ServingByTurns.spend(.milliseconds(1))
                if gates.contains(count) { gate.hold() }
            }
            let response = Payload(.text(request.path))
            return .cached(response)
        }
        try await withServer(limits: try limits(), loops: 1, script) { server in
            let many = try (0..<100).map { _ in try client(server, from: 1) }
            let polite = try gates.map { _ in try client(server, from: 2) }
            let pipeline = String(repeating: "GET /many HTTP/1.1\r\nHost: h\r\n\r\n", count: 6)
            for client in many { try client.send(pipeline) }
            for (client, number) in zip(polite, gates) {
                gate.entered.wait()
                try ask(client, for: "/\(number)")
                gate.opened.signal()
            }
            for client in many {
                for _ in 0..<6 { #expect(try client.receive().text == "/many") }
            }
            for (client, number) in zip(polite, gates) {
                #expect(try client.receive().text == "/\(number)")
            }
        }
        for number in gates {
            let place = try #require(order.withLock { $0.firstIndex(of: "/\(number)") })
            #expect(place - number < 20)
        }
    }

    /// Has more whenever it is asked, and never says what.
    private final class Endless: ResponseStream {
        let topic = Topic()
        private let asked = Atomic(0)

        var count: Int { asked.load(ordering: .sequentiallyConsistent) }

        var topics: [Topic] { [topic] }

        func next(_ waker: StreamWaker) -> StreamPart {
            asked.add(1, ordering: .sequentiallyConsistent)
            return .askAgain
        }

        func closed() {}
    }

    @Test func aStreamThatGoesOnIsAskedOnceInATurnHoweverOftenItIsTold() async throws {
        let (gate, stream) = (Gate(), Endless())
        let seen = Mutex(0)
        let script: ScriptedHandler.Script = { request in
            switch request.path {
            case "/stream": return .response(Response(status: .ok, body: .stream(stream)))
            case "/gate": gate.hold()
            case "/after": seen.withLock { $0 = stream.count }
            default: break
            }
            return .response(.text(request.path))
        }
        try await withServer(limits: try limits(), loops: 1, script) { server in
            let reader = try client(server, from: 1)
            let clients = try (0..<2).map { _ in try client(server, from: 2) }
            try ask(reader, for: "/stream")
            for _ in 0..<50 {
                stream.topic.notify()
                try ask(clients[0], for: "/told")
                #expect(try clients[0].receive().text == "/told")
            }
            try ask(clients[0], for: "/gate")
            gate.entered.wait()
            let before = stream.count
            try ask(clients[1], for: "/after")
            gate.opened.signal()
            #expect(try clients[1].receive().text == "/after")
            #expect(before > 0)
            #expect(seen.withLock(\.self) - before < 5)
        }
    }
}
