import Dispatch
import FeedDiff
import FeedModel
import FeedStore
import HTTPWire
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// Whose work is done first, and what is refused.
@Suite struct WorkScheduling {
    private let clock = TestClock()
    private let log = Log()

    /// What was done, in order.
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        private let count = DispatchSemaphore(value: 0)

        func note(_ line: String) {
            lines.withLock { $0.append(line) }
            count.signal()
        }

        /// The first lines, when there are so many.
        func first(_ count: Int) -> [String] {
            for _ in 0..<count { self.count.wait() }
            return lines.withLock(\.self)
        }
    }

    /// The first rows of a long feed, and what is new in them, do not wait for large work.
    @Test(arguments: [(nil, false), (100, true), (1_000_000, false), (-1, true)] as [(Int?, Bool)])
    func aSmallViewOfALongFeedIsSmallWork(_ limit: Int?, _ isInstant: Bool) throws {
        let store = FeedStore()
        let name = try #require(FeedName("news"))
        let versions = try (0..<2).map { round in
            let text = String(repeating: "x", count: 1000)
            let items = (0..<6000).map { #"{"id":"\#($0)","text":"\#(round)\#(text)"}"# }
            let body = Array(#"{"items":[\#(items.joined(separator: ","))]}"#.utf8)
            let snapshot = try Snapshot(publishing: body)
            return store.publishInMemory(name) { _ in snapshot }.current
        }
        let cache = ResponseCache(store)
        var presentation = Presentation()
        presentation.view.limit = limit
        for old in [nil, versions[0]] {
            let (since, now) = (old?.token, versions[1])
            for coding in [ContentCoding.identity, .gzip] {
                let key = ResponseKey(
                    since: since,
                    presentation,
                    now: now.token,
                    .document,
                    in: coding
                )
                let responses = cache.responses(for: now)
                let choice = DocumentChoice(key, of: now, since: old, in: responses)
                #expect((WorkSize(byteCount: choice.cost) == .small) == isInstant)
            }
        }
    }

    private func pool(count: Int = 100, byteCount: Int = .max) -> WorkPool {
        WorkPool(
            threads: 1,
            niceness: 0,
            limits: .init(count: count, byteCount: byteCount, age: .seconds(5)),
            clock: { [clock] in clock.now },
            refused: { [log] in log.note("refused") }
        )
    }

    private func work(
        _ name: String,
        of client: UInt64,
        holding byteCount: Int = 0,
        isWanted: @escaping @Sendable (Bool) -> Bool = { _ in true }
    ) -> QueuedWork {
        QueuedWork(
            client: .key(client),
            time: clock.now,
            byteCount: byteCount,
            isWanted: isWanted,
            run: { [log] in log.note(name) },
            refuse: { [log] in log.note("not \(name)") }
        )
    }

    /// Work that takes some milliseconds of processor time.
    private func costly(_ name: String, of client: UInt64) -> QueuedWork {
        QueuedWork(client: .key(client), time: clock.now) { [log] in
            var sum = 0.0
            for number in 1...300_000 { sum += Double(number).squareRoot() }
            log.note(sum > 0 ? name : "")
        } refuse: {
        }
    }

    @Test func whoHadLeastIsNext() throws {
        let pool = pool()
        let gate = Gate(pool, .key(9))
        #expect(pool.submit(costly("a1", of: 1)))
        for number in 2...4 { #expect(pool.submit(work("a\(number)", of: 1))) }
        clock.advance(by: .milliseconds(1))
        #expect(pool.submit(work("b", of: 2)))
        gate.open()
        #expect(log.first(5) == ["a1", "b", "a2", "a3", "a4"])
    }

    @Test func whatWasUsedIsForgottenWhenNothingIsLeftToDo() throws {
        let pool = pool()
        #expect(pool.submit(costly("costly", of: 1)))
        #expect(log.first(1) == ["costly"])
        while pool.load != (0, 0) {}
        let gate = Gate(pool, .key(9))
        #expect(pool.submit(work("first", of: 1)))
        clock.advance(by: .milliseconds(1))
        #expect(pool.submit(work("second", of: 2)))
        gate.open()
        #expect(log.first(2).suffix(2) == ["first", "second"])
    }

    @Test func thoseWhoHadMostMakeRoom() throws {
        let pool = pool(count: 3)
        let gate = Gate(pool, .key(9))
        #expect(pool.submit(work("a1", of: 1)))
        #expect(pool.submit(work("a2", of: 1)))
        #expect(!pool.admits(.key(1)))
        #expect(!pool.submit(work("a3", of: 1)))
        #expect(pool.admits(.key(2)))
        #expect(pool.submit(work("b", of: 2)))
        #expect(log.first(4) == ["refused", "not a3", "refused", "not a2"])
        gate.open()
        #expect(log.first(2).suffix(2).sorted() == ["a1", "b"])
    }

    @Test func onePieceIsAlwaysTakenWhateverItHolds() throws {
        let pool = pool(byteCount: 100)
        #expect(pool.submit(work("large", of: 1, holding: 1000)))
        #expect(log.first(1) == ["large"])
    }

    @Test func whatIsHeldIsLimited() throws {
        let pool = pool(byteCount: 100)
        let gate = Gate(pool, .key(9))
        #expect(pool.submit(work("a", of: 1, holding: 60)))
        #expect(!pool.submit(work("b", of: 1, holding: 60)))
        #expect(pool.submit(work("c", of: 1, holding: 40)))
        gate.open()
        #expect(log.first(4) == ["refused", "not b", "a", "c"])
    }

    @Test func whatHasWaitedForTooLongIsRefused() throws {
        let pool = pool()
        let gate = Gate(pool, .key(9))
        #expect(pool.submit(work("old", of: 1)))
        clock.advance(by: .seconds(5))
        #expect(pool.submit(work("new", of: 1)))
        pool.sweep()
        clock.advance(by: .milliseconds(1))
        pool.sweep()
        #expect(log.first(2) == ["refused", "not old"])
        gate.open()
        #expect(log.first(1).last == "new")
    }

    /// Who has left was refused nothing, also without room or after too long a wait.
    @Test func whatNobodyWaitsForIsNotCountedAsRefused() throws {
        let pool = pool(count: 3)
        let gate = Gate(pool, .key(9))
        for name in ["a", "b"] { #expect(pool.submit(work(name, of: 1) { _ in false })) }
        #expect(pool.submit(work("c", of: 2)))
        clock.advance(by: .seconds(6))
        pool.sweep()
        #expect(log.first(4).sorted() == ["not a", "not b", "not c", "refused"])
        #expect(pool.submit(work("d", of: 1) { _ in false }))
        pool.close()
        #expect(log.first(1).last == "not d")
        gate.open()
    }

    /// Who has closed only one side may still read: it counts as gone after it has waited.
    @Test(arguments: [0, 101])
    func whatNobodyWaitsForIsDropped(afterMilliseconds time: Int) throws {
        let pool = pool()
        let gate = Gate(pool, .key(9))
        #expect(pool.submit(work("left", of: 1) { _ in false }))
        #expect(pool.submit(work("half-closed", of: 1) { !$0 }))
        clock.advance(by: .milliseconds(time))
        gate.open()
        let last = time == 0 ? "half-closed" : "not half-closed"
        #expect(log.first(2) == ["not left", last])
    }

    /// Without threads of its own for small work it would wait behind the large.
    @Test func aClosedPoolFinishesWhatRunsAndRefusesTheRest() throws {
        let pool = pool()
        let gate = Gate(pool)
        for name in ["a", "b"] { #expect(pool.submit(work(name, of: 1))) }
        pool.close()
        #expect(log.first(4).sorted() == ["not a", "not b", "refused", "refused"])
        #expect(!pool.submit(work("c", of: 2)))
        #expect(!pool.admits(.key(2)))
        gate.open()
    }

    @Test func smallWorkWaitsForNoLargeWork() throws {
        let scheduler = WorkScheduler(APIConfiguration.patient, cores: 1)
        let gates = [Gate(scheduler.reads(.large)), Gate(scheduler.publishes(.large))]
        for (index, pool) in [scheduler.reads(.small), scheduler.publishes(.small)].enumerated() {
            let small = QueuedWork(client: .local, time: pool.now) {
                [log] in
                log.note("small \(index)")
            } refuse: {
            }
            #expect(pool.submit(small))
        }
        #expect(log.first(2).sorted() == ["small 0", "small 1"])
        for gate in gates { gate.open() }
    }
}
