import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// A number that grows, and a topic that tells of it.
private final class Counter: Sendable {
    /// How often it was asked, and what is to happen when that was often enough.
    private struct Asked {
        var count = 0
        var expected: (count: Int, event: Event)?
    }

    let topic = Topic()
    private let count = Atomic(0)
    private let asked = Mutex(Asked())

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    func grow() {
        count.add(1, ordering: .sequentiallyConsistent)
        topic.notify()
    }

    /// Waits until the number is past `value`.
    func wait(past value: Int, time: Duration = .seconds(60)) -> Reply {
        .wait(
            LongPoll(for: [topic], time: time) { isLast in
                // Before it is counted, so that who was told of it knows what it saw.
                let now = self.value
                self.attempted()
                return now > value || isLast ? .response(.text("\(now)")) : nil
            }
        )
    }

    /// How often somebody has asked for an answer.
    var attempts: Int { asked.withLock(\.count) }

    private func attempted() {
        let event = asked.withLock { asked -> Event? in
            asked.count += 1
            guard let expected = asked.expected, asked.count >= expected.count else { return nil }
            asked.expected = nil
            return expected.event
        }
        event?.happened()
    }

    /// Waits until somebody has asked for an answer so often.
    func wait(untilAttempts count: Int) -> Bool {
        let event = Event()
        let isNow = asked.withLock { asked in
            asked.expected = (count, event)
            return asked.count >= count
        }
        return isNow || event.wait()
    }

    /// Waits until so many loops listen.
    func wait(untilListeners count: Int) -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        while topic.subscriberCount != count, ContinuousClock.now < end { sched_yield() }
        return topic.subscriberCount == count
    }
}

/// Sends all that a counter has counted, and then what comes.
private final class CounterStream: ResponseStream {
    private let counter: Counter
    private let sent = Atomic(0)
    let isClosed = Event()

    init(_ counter: Counter) {
        self.counter = counter
    }

    var topics: [Topic] { [counter.topic] }

    func next(_ waker: StreamWaker) -> StreamPart {
        let now = counter.value
        guard now > sent.exchange(now, ordering: .relaxed) else { return .pending }
        return .shared(Payload(content: Array("at ".utf8)), Array("\(now)\n".utf8))
    }

    func idlePart() -> [UInt8] { Array("still\n".utf8) }

    func closed() {
        isClosed.happened()
    }
}

@Suite(.timeLimit(.minutes(2))) struct WaitingForTopics {
    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func aWaitEndsWithTheRefusalOfItsBody() async throws {
        let counter = Counter()
        try await withServer { _ in counter.wait(past: 0) } _: { server in
            let (refused, other) = (
                try RawClient(port: server.port), try RawClient(port: server.port)
            )
            try refused.send("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            #expect(counter.wait(untilAttempts: 1))
            try refused.send("x\r\n")
            #expect(try refused.receive().status == 400)
            try other.send(Self.request)
            #expect(counter.wait(untilAttempts: 2))
            counter.grow()
            #expect(try other.receive().text == "1")
            #expect(try refused.isEnded())
        }
        #expect(counter.attempts == 3)
    }

    /// The news comes while half of the body has arrived; a read may wait twice, first for another
    /// server.
    @Test(
        arguments: [
            "Content-Length: 10\r\n\r\n12345|67890",
            "Transfer-Encoding: chunked\r\n\r\na\r\n12345|67890\r\n0\r\n\r\n",
        ],
        [false, true]
    )
    func theBodyOfARequestThatWaitsIsReadToItsEnd(_ body: String, waitsTwice: Bool) async throws {
        let counter = Counter()
        try await withServer { request in
            guard request.path == "/" else { return .response(.text("after")) }
            guard waitsTwice else { return counter.wait(past: 1) }
            return .wait(
                LongPoll(for: [counter.topic], time: .seconds(60)) { isLast in
                    counter.value > 0 || isLast ? counter.wait(past: 1) : nil
                }
            )
        } _: { server in
            let client = try RawClient(port: server.port)
            let parts = body.split(separator: "|")
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\(parts[0])")
            #expect(counter.wait(untilListeners: 1))
            for count in 1...2 {
                counter.grow()
                #expect(counter.wait(untilAttempts: waitsTwice ? count : count + 1))
            }
            try client.send("\(parts[1])GET /after HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receive().text == "2")
            #expect(try client.receive().text == "after")
        }
    }

    @Test func aNotificationAnswersAllWhoWait() async throws {
        let counter = Counter()
        try await withServer { _ in
            counter.wait(past: 0)
        } _: { server in
            let clients = try (0..<300).map { _ in try RawClient(port: server.port) }
            for client in clients { try client.send(WaitingForTopics.request) }
            #expect(counter.wait(untilAttempts: clients.count))
            counter.grow()
            for client in clients { #expect(try client.receive().text == "1") }
            #expect(counter.attempts == 2 * clients.count)
        }
    }

    @Test func whatDoesNotConcernThemLetsThemWaitOn() async throws {
        let counter = Counter()
        try await withServer { _ in
            counter.wait(past: 2)
        } _: { server in
            let client = try RawClient(port: server.port)
            try client.send(WaitingForTopics.request)
            for count in 1...3 {
                #expect(counter.wait(untilAttempts: count))
                counter.grow()
            }
            #expect(try client.receive().text == "3")
        }
    }

    @Test func whatHappensBeforeTheyAreKnownIsNotMissed() async throws {
        let counter = Counter()
        try await withServer { _ in
            let reply = counter.wait(past: 0)
            counter.grow()
            return reply
        } _: { server in
            let client = try RawClient(port: server.port)
            try client.send(WaitingForTopics.request)
            #expect(try client.receive().text == "1")
        }
    }

    @Test func theEndOfTheTimeAnswers() async throws {
        let counter = Counter()
        try await withServer { _ in
            counter.wait(past: 0, time: .milliseconds(1))
        } _: { server in
            let client = try RawClient(port: server.port)
            try client.send(WaitingForTopics.request + WaitingForTopics.request)
            #expect(try client.receive().text == "0")
            #expect(try client.receive().text == "0")
        }
    }

    @Test func aStopAnswers() async throws {
        let counter = Counter()
        try await withServer { _ in
            counter.wait(past: 0)
        } _: { server in
            let client = try RawClient(port: server.port)
            try client.send(WaitingForTopics.request)
            #expect(counter.wait(untilAttempts: 1))
            let ended = server.stopping(within: .seconds(20))
            #expect(try client.receive().text == "0")
            client.endSending()
            #expect(ended.wait())
        }
    }

    @Test(arguments: [true, false])
    func oneWhoLeavesIsForgotten(_ halfCloses: Bool) async throws {
        let counter = Counter()
        try await withServer { _ in
            counter.wait(past: 0)
        } _: { server in
            var client: RawClient? = try RawClient(port: server.port)
            try client?.send(WaitingForTopics.request)
            #expect(counter.wait(untilListeners: 1))
            if halfCloses { client?.endSending() } else { client = nil }
            #expect(counter.wait(untilListeners: 0))
        }
    }

    @Test func aPipelineGoesOnAfterTheWait() async throws {
        let counter = Counter()
        try await withServer { request in
            request.path == "/" ? counter.wait(past: 0) : .response(.text("after"))
        } _: { server in
            let client = try RawClient(port: server.port)
            try client.send(
                WaitingForTopics.request + "GET /after HTTP/1.1\r\nHost: a\r\n\r\n"
            )
            #expect(counter.wait(untilAttempts: 1))
            counter.grow()
            #expect(try client.receive().text == "1")
            #expect(try client.receive().text == "after")
        }
    }

    @Test func comingAndGoingInAnyOrderLosesNobody() async throws {
        let counter = Counter()
        try await withServer { request in
            counter.wait(past: Int(request.path.dropFirst()) ?? 0)
        } _: { server in
            var generator = SeededGenerator(seed: 7)
            var clients: [(client: RawClient, past: Int)] = []
            for _ in 0..<400 {
                switch Int.random(in: 0..<4, using: &generator) {
                case 0, 1:
                    let past = counter.value + Int.random(in: -1...1, using: &generator)
                    let client = try RawClient(port: server.port)
                    try client.send("GET /\(max(0, past)) HTTP/1.1\r\nHost: a\r\n\r\n")
                    clients.append((client, max(0, past)))
                case 2 where !clients.isEmpty:
                    clients.remove(at: Int.random(in: clients.indices, using: &generator))
                default: counter.grow()
                }
            }
            counter.grow()
            counter.grow()
            for (client, past) in clients {
                #expect(try #require(Int(client.receive().text)) > past)
            }
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct StreamsOfTopics {
    @Test func partsFollowTheNotifications() async throws {
        let counter = Counter()
        let stream = CounterStream(counter)
        try await withServer { _ in
            .response(Response(status: .ok, body: .stream(stream)))
        } _: { server in
            let client = try RawClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(counter.wait(untilListeners: 1))
            for count in 1...3 {
                counter.grow()
                try client.read(through: "at \(count)\n\r\n")
            }
            client.endSending()
            #expect(stream.isClosed.wait())
            #expect(counter.wait(untilListeners: 0))
        }
    }

    @Test func aSilentOneSendsWhatKeepsItOpen() async throws {
        var limits = ServerLimits.patient
        limits.streamIdleTime = .milliseconds(1)
        try await withServer(limits: limits) { _ in
            .response(Response(status: .ok, body: .stream(CounterStream(Counter()))))
        } _: { server in
            let client = try RawClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            try client.read(through: "6\r\nstill\n\r\n6\r\nstill\n\r\n")
        }
    }
}
