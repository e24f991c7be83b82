import HTTPTypes
import TestSupport
import Testing

@testable import HTTPServer

@Suite struct Times {
    private static let start = LoopTime(milliseconds: 1_000_000)
    private static let limits = ServerLimits()

    private static func after(_ time: Duration) -> LoopTime { start + time }

    @Test func anIdleConnectionClosesAfter75Seconds() {
        var state = ConnectionState(now: Times.start)
        #expect(
            state.timerFired(at: Times.after(.seconds(74)), Times.limits)
                == .wait(until: Times.after(.seconds(75)))
        )
        #expect(state.timerFired(at: Times.after(.seconds(75)), Times.limits) == .close)
    }

    @Test func aHeadThatTakesMoreThan10SecondsIsRefusedHoweverItTrickles() {
        var state = ConnectionState(now: Times.start)
        for second in 0..<10 {
            state.headBegan(at: Times.after(.seconds(second)))
            state.moved(2000)
        }
        #expect(state.timerFired(at: Times.after(.seconds(10)), Times.limits) == .refuse)
    }

    @Test func aBodyMustMoveAKibibyteIn10Seconds() {
        var state = ConnectionState(now: Times.start)
        state.headBegan(at: Times.start)
        state.headEnded(hasBody: true, isPersistent: true, at: Times.start)
        state.moved(1024)
        #expect(
            state.timerFired(at: Times.after(.seconds(10)), Times.limits)
                == .wait(until: Times.after(.seconds(20)))
        )
        state.moved(1023)
        #expect(state.timerFired(at: Times.after(.seconds(20)), Times.limits) == .refuse)
    }

    @Test func noTimeRunsWhileTheHandlerHasTheRequest() {
        var state = ConnectionState(now: Times.start)
        state.headBegan(at: Times.start)
        state.headEnded(hasBody: false, isPersistent: true, at: Times.start)
        #expect(state.deadline(Times.limits) == nil)
    }

    /// The kernel may not have told of the room there is.
    @Test func aBlockedAnswerIsTriedBeforeItIsGivenUp() {
        var state = ConnectionState(now: Times.start)
        state.headBegan(at: Times.start)
        state.headEnded(hasBody: false, isPersistent: true, at: Times.start)
        state.answerGiven(isLast: false)
        state.outputBlocked(at: Times.start)
        let first = Times.after(.seconds(10))
        #expect(state.timerFired(at: first, Times.limits) == .send)
        state.moved(1024)
        #expect(state.timerFired(at: first, Times.limits) == .wait(until: first + .seconds(10)))
        let second = first + .seconds(10)
        #expect(state.timerFired(at: second, Times.limits) == .send)
        state.moved(1023)
        #expect(state.timerFired(at: second, Times.limits) == .close)
    }

    @Test func lingeringEnds() {
        var state = ConnectionState(now: Times.start)
        state.inputFailed()
        state.answerGiven(isLast: true)
        #expect(state.step(hasInput: false) == .linger)
        state.lingeringBegan(at: Times.start)
        #expect(state.step(hasInput: false) == .receive)
        #expect(state.timerFired(at: Times.after(.seconds(5)), Times.limits) == .close)
    }

    @Test(arguments: [(1000, 128), (100, 1024)])
    func theWheelTellsWhatIsDueOnceAndInTime(_ slot: Int, _ span: Int) {
        var generator = SeededGenerator(seed: 1)
        var wheel = TimerWheel(now: Times.start, slot: slot, span: span)
        var waiting: [UInt32: Int] = [:]
        var now = Times.start
        for generation in 0..<5000 {
            let id = ConnectionID(descriptor: 1, generation: UInt32(generation))
            let delay = Duration.milliseconds(Int.random(in: 1...90_000, using: &generator))
            waiting[id.generation] = (now + delay).milliseconds
            wheel.insert(id, at: now + delay, now: now)
            let next = wheel.next?.milliseconds ?? .max
            #expect(next <= (waiting.values.min() ?? .max) + slot)
            now = now + .milliseconds(Int.random(in: 0...200, using: &generator))
            for entry in wheel.due(by: now) {
                let deadline = waiting.removeValue(forKey: entry.connection.generation)
                #expect((deadline ?? .max) <= now.milliseconds)
            }
            #expect(waiting.values.allSatisfy { $0 > now.milliseconds - slot })
        }
        #expect(wheel.count == waiting.count)
    }

    @Test func aWheelThatStoodEmptyTellsNothingTooEarly() {
        var wheel = TimerWheel(now: Times.start)
        let later = Times.after(.seconds(3600))
        let id = ConnectionID(descriptor: 1, generation: 1)
        wheel.insert(id, at: later + .seconds(10), now: later)
        #expect(wheel.due(by: later + .seconds(9)).isEmpty)
        #expect(wheel.due(by: later + .seconds(10)).map { $0.connection } == [id])
    }

    @Test func aSilentStreamIsKeptOpen() {
        var state = ConnectionState(now: Times.start)
        state.headEnded(hasBody: false, isPersistent: true, at: Times.start)
        state.streamBegan(isLast: false, at: Times.start)
        #expect(state.deadline(Times.limits) == Times.after(.seconds(25)))
        state.partSent(at: Times.after(.seconds(10)))
        #expect(
            state.timerFired(at: Times.after(.seconds(25)), Times.limits)
                == .wait(until: Times.after(.seconds(35)))
        )
        #expect(state.timerFired(at: Times.after(.seconds(35)), Times.limits) == .keepOpen)
        #expect(state.deadline(Times.limits) == Times.after(.seconds(60)))
    }

    @Test func aStreamIsClosedWhenItsReaderTakesNothing() {
        var state = ConnectionState(now: Times.start)
        state.headEnded(hasBody: false, isPersistent: true, at: Times.start)
        state.streamBegan(isLast: false, at: Times.start)
        state.outputBlocked(at: Times.start)
        let first = Times.after(.seconds(60))
        #expect(state.timerFired(at: first, Times.limits) == .send)
        state.moved(1)
        #expect(state.timerFired(at: first, Times.limits) == .wait(until: first + .seconds(60)))
        #expect(state.timerFired(at: first + .seconds(60), Times.limits) == .send)
        #expect(state.timerFired(at: first + .seconds(60), Times.limits) == .close)
    }

    @Test func aRequestThatStallsGets408() async throws {
        var limits = ServerLimits()
        limits.headTime = .milliseconds(1)
        limits.progressTime = .milliseconds(1)
        try await withServer(limits: limits) { _ in
            .wholeBody(limit: 100, refuse: { _ in .text("refused") }, then: { _, _ in })
        } _: { server in
            for stalled in ["GET / HT", "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1"] {
                let client = try RawClient(port: server.port)
                try client.send(stalled)
                #expect(try client.receive().status == 408)
                #expect(try client.isEnded())
            }
        }
    }
}
