import Dispatch
import HTTPTypes
import Platform
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// New connections have their turn one client after the other.
@Suite struct NewConnections {
    private func id(_ number: Int) -> ConnectionID {
        ConnectionID(descriptor: CInt(number), generation: 1)
    }

    private func address(_ octets: [UInt8]) throws -> IPAddress {
        try #require(IPAddress(octets: octets))
    }

    @Test func clientsTakeTurns() throws {
        let queue = LoopQueues().newConnections
        #expect(queue.isFree)
        let (many, few) = (try address([10, 0, 0, 1]), try address([10, 0, 0, 2]))
        for number in 1...4 { queue.add(id(number), from: many) }
        queue.add(id(5), from: few)
        queue.add(id(6), from: nil)
        queue.add(id(7), from: few)
        #expect(!queue.isFree)
        var order: [CInt] = []
        while let next = queue.next() { order.append(next.descriptor) }
        #expect(order == [1, 5, 6, 2, 7, 3, 4])
        #expect(queue.isEmpty && queue.isFree)
    }

    @Test func aNetworkOfIPv6IsOneClient() throws {
        let queue = LoopQueues().newConnections
        let network: [UInt8] = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 1]
        for number in 1...3 {
            let host = [UInt8](repeating: UInt8(number), count: 8)
            queue.add(id(number), from: try address(network + host))
        }
        queue.add(id(4), from: try address([10, 0, 0, 2]))
        var order: [CInt] = []
        while let next = queue.next() { order.append(next.descriptor) }
        #expect(order == [1, 4, 2, 3])
    }

    @Test func aRoundEndsWithItsTime() {
        let queue = LoopQueues().newConnections
        for number in 1...3 { queue.add(id(number), from: nil) }
        #expect(queue.next()?.descriptor == 1)
        queue.spend(since: 0)
        #expect(queue.next() == nil)
        #expect(!queue.isEmpty && !queue.isFree)
        queue.beginRound(at: 0)
        #expect(queue.next()?.descriptor == 2)
        #expect(queue.next()?.descriptor == 3)
        #expect(queue.isFree)
    }
}

/// The same over sockets.
@Suite(.timeLimit(.minutes(2))) struct NewcomersServed {
    /// Takes longer for each request than new connections have in a round.
    private static func slow(_ request: Request) -> Reply {
        let end = ContinuousClock.now + .milliseconds(3)
        while ContinuousClock.now < end {}
        let response = Response.text(request.path)
        guard request.path.hasPrefix("/cached") else { return .response(response) }
        return .cached(Payload(response))
    }

    private func ask(_ client: RawClient, for path: String) throws {
        try client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
    }

    @Test(arguments: ["/cached", "/made"])
    func thoseWhoWaitedForTheirTurnAreServedAgain(_ path: String) async throws {
        try await withServer(loops: 1, Self.slow) { server in
            var clients: [RawClient] = []
            for number in 0..<40 {
                let client = try RawClient(port: server.port)
                // Every third says nothing yet.
                if number % 3 > 0 { try ask(client, for: path) }
                clients.append(client)
            }
            for (number, client) in clients.enumerated() {
                if number % 3 == 0 { try ask(client, for: path) }
                #expect(try client.receive().text == path)
                try ask(client, for: path + "/again")
                #expect(try client.receive().text == path + "/again")
            }
        }
    }

    @Test func handshakesTakeTurns() async throws {
        let tls = try TLSContext(TestCertificate.ecdsa.files)
        try await withServer(loops: 1, tls: tls, Self.slow) { server in
            let answers = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 24) { number in
                guard let client = try? RawClient(port: server.port, tls: .init()) else { return }
                for path in ["/cached/\(number)", "/made/\(number)"] {
                    guard (try? ask(client, for: path)) != nil,
                        let text = try? client.receive().text
                    else { return }
                    answers.withLock { $0.append(text) }
                }
            }
            let wanted = (0..<24).flatMap { ["/cached/\($0)", "/made/\($0)"] }
            #expect(Set(answers.withLock { $0 }) == Set(wanted))
        }
    }
}
