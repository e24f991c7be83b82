import FeedStore
import HTTPServer
import HTTPTypes
import Synchronization
import Testing

@testable import FeedAPI

/// What is kept of requests with an Idempotency-Key, and for how long.
@Suite struct IdempotencyMemories {
    private static func digest(_ text: String) -> SHA256Digest {
        SHA256Digest(of: text.utf8.span)
    }

    private static func key(_ number: Int, of owner: String = "one") -> IdempotencyMemory.Key {
        IdempotencyMemory.Key(
            owner: digest(owner),
            method: "POST",
            target: [],
            value: Array("\(number)".utf8)
        )
    }

    /// Sends a request that succeeds, and says whether it ran.
    private static func runs(_ memory: IdempotencyMemory, _ key: IdempotencyMemory.Key) -> Bool {
        let hasRun = Atomic(false)
        memory.claim(key, fingerprint: digest("body")) { decision in
            guard case .run = decision else { return }
            hasRun.store(true, ordering: .relaxed)
            memory.finished(
                key,
                Response(status: .ok, body: .bytes([UInt8](repeating: 0, count: 295))).kept
            )
        }
        return hasRun.load(ordering: .relaxed)
    }

    @Test func ofEachBearerKeyTheOldestResponsesGoFirst() {
        let memory = IdempotencyMemory { .zero }
        #expect(Self.runs(memory, Self.key(0, of: "another")))
        for number in 0..<10_001 { #expect(Self.runs(memory, Self.key(number))) }
        #expect(!Self.runs(memory, Self.key(10_000)))
        #expect(!Self.runs(memory, Self.key(1)))
        #expect(Self.runs(memory, Self.key(0)))
        #expect(Self.runs(memory, Self.key(1)))
        #expect(!Self.runs(memory, Self.key(0, of: "another")))
    }

    @Test func aRequestThatWaitsIsDecidedAlsoIfItsResponseIsForgotten() throws {
        let response = try #require(Response(status: .ok).kept)
        let clock = TestClock()
        let memory = IdempotencyMemory { clock.now }
        let (key, body) = (Self.key(1), Self.digest("body"))
        let decided = Atomic(0)
        for _ in 0..<2 {
            memory.claim(key, fingerprint: body) { _ in decided.add(1, ordering: .relaxed) }
        }
        #expect(decided.load(ordering: .relaxed) == 1)
        // The journal brings the response, which is too old when somebody else asks.
        memory.remember(key, body, response)
        clock.advance(by: .seconds(601))
        #expect(Self.runs(memory, Self.key(2)))
        memory.finished(key, response)
        #expect(decided.load(ordering: .relaxed) == 2)
        #expect(!Self.runs(memory, key))
    }

    @Test func whatIsKeptIsCounted() {
        let clock = TestClock()
        let counter = ByteCounter()
        let memory = IdempotencyMemory(counter: counter) { clock.now }
        for number in 0..<100 { _ = Self.runs(memory, Self.key(number)) }
        #expect(counter.byteCount == 70_000)
        #expect(memory.byteCount == 70_000)
        clock.advance(by: .seconds(601))
        // Somebody else's request is enough for what is too old to go.
        _ = Self.runs(memory, Self.key(0, of: "another"))
        #expect(counter.byteCount == 700)
    }

    @Test func whatIsKeptLeavesFeedsLessRoom() throws {
        let store = FeedStore()
        store.memoryByteLimit = 1_000_000
        let memory = IdempotencyMemory(counter: store.answerBytes) { .zero }
        for number in 0..<1000 { _ = Self.runs(memory, Self.key(number)) }
        #expect(store.attachedByteLimit == 300_000)
    }

    @Test func whoWaitsForAFailureRunsNext() {
        let memory = IdempotencyMemory { .zero }
        let key = Self.key(1)
        let log = Mutex<[String]>([])
        func ask(_ name: String, _ fingerprint: String) {
            memory.claim(key, fingerprint: Self.digest(fingerprint)) { decision in
                switch decision {
                case .run: log.withLock { $0.append("\(name) runs") }
                case .replay: log.withLock { $0.append("\(name) replays") }
                case .conflict: log.withLock { $0.append("\(name) conflicts") }
                }
            }
        }
        ask("first", "a")
        ask("second", "b")
        ask("third", "b")
        ask("fourth", "a")
        #expect(log.withLock(\.self) == ["first runs"])
        memory.finished(key, nil)
        #expect(log.withLock(\.self) == ["first runs", "second runs"])
        memory.finished(key, Response(status: .noContent).kept)
        #expect(
            log.withLock(\.self)
                == ["first runs", "second runs", "third replays", "fourth conflicts"]
        )
    }
}
