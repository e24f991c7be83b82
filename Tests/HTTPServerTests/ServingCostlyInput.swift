import HTTPTypes
import TestSupport
import Testing

@testable import HTTPServer

/// Input that takes long to read for what is in it has a part of a loop's time.
@Suite(.timeLimit(.minutes(2))) struct ServingCostlyInput {
    private func id(_ number: Int) -> ConnectionID {
        ConnectionID(descriptor: CInt(number), generation: 1)
    }

    @Test func waitsWhenItsTimeIsUsedUp() throws {
        let queue = LoopQueues().costlyInput
        for number in 1...3 { queue.add(id(number), from: nil) }
        queue.beginRound(at: 0)
        #expect(queue.next()?.descriptor == 1)
        queue.spend(since: System.monotonicNanoseconds() - 2_000_000)
        #expect(queue.next() == nil)
        #expect(!queue.isEmpty)
        queue.beginRound(at: 0)
        #expect((0..<3).map { _ in queue.next()?.descriptor } == [2, 3, nil])
        #expect(queue.isEmpty)
    }

    @Test(arguments: [
        (64, 64, true), (64, 49, true), (64, 48, false), (64, 0, false), (0, 0, false),
    ])
    func isWhatTakesNearlyAllOfATurn(cost: Int, framing: Int, isMostlyFraming: Bool) {
        var turn = ConnectionTurn()
        turn.spend(cost, framing: framing)
        #expect(turn.isMostlyFraming == isMostlyFraming)
        turn.restart()
        #expect(!turn.isMostlyFraming)
    }

    /// Over many turns, and with another request behind it.
    @Test func isReadToItsEnd() async throws {
        try await withServer(loops: 1) { request in
            guard request.path == "/chunks" else { return .response(.text(request.path)) }
            return .body(limit: 1 << 20, refuse: { .text("\($0)") }) { body in
                return .response(.text("\(body.byteCount)"))
            }
        } _: { server in
            let client = try RawClient(port: server.port)
            try client.send(
                "PUT /chunks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            for _ in 0..<10 { try client.send(String(repeating: "1\r\nx\r\n", count: 10_000)) }
            try client.send("0\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receive().text == "100000")
            #expect(try client.receive().text == "/next")
        }
    }
}
