import Dispatch
import FeedModel
import HTTPServer
import Synchronization
import TestSupport
import Testing

@testable import FeedSources

/// What is done for derived feeds, by turns.
@Suite(.timeLimit(.minutes(2))) struct DerivingByTurns {
    private func feed(_ name: String) throws -> FeedName { try #require(FeedName(name)) }

    /// Has something done, and waits for it.
    private func run(
        _ workers: DerivationWorkers,
        _ feed: FeedName,
        _ work: @escaping @Sendable () -> Void = {}
    ) async {
        await withCheckedContinuation { continuation in
            workers.submit(for: feed) {
                work()
                continuation.resume()
            }
        }
    }

    /// Uses the processor for so many nanoseconds.
    private static func compute(_ nanoseconds: Int) {
        let start = WorkerThread.processorTime
        while WorkerThread.processorTime - start < nanoseconds {}
    }

    @Test func whatIsQuickDoesNotWaitForWhatIsNot() async throws {
        let workers = DerivationWorkers()
        let (light, heavy) = (try feed("light"), try feed("heavy"))
        await run(workers, light)
        let (begun, end) = (Event(), DispatchSemaphore(value: 0))
        workers.submit(for: heavy) {
            begun.happened()
            end.wait()
        }
        #expect(begun.wait())
        for _ in 0..<10 { await run(workers, light) }
        end.signal()
    }

    @Test func whoHasUsedLeastIsFirst() async throws {
        let workers = DerivationWorkers()
        let names = try ["a", "b", "c"].map(feed)
        // Long enough that the other thread does none of them.
        for (name, time) in zip(names, [150_000_000, 50_000_000, 100_000_000]) {
            await run(workers, name) { Self.compute(time) }
        }
        let (gate, begun) = (DispatchSemaphore(value: 0), Event())
        let order = Mutex<[FeedName]>([])
        workers.submit(for: try feed("gate")) {
            begun.happened()
            gate.wait()
        }
        #expect(begun.wait())
        let done = DispatchGroup()
        for name in names {
            done.enter()
            workers.submit(for: name) {
                order.withLock { $0.append(name) }
                done.leave()
            }
        }
        gate.signal()
        await withCheckedContinuation { continuation in
            done.notify(queue: .global()) { continuation.resume() }
        }
        #expect(order.withLock(\.self).map(\.rawValue) == ["b", "c", "a"])
    }
}
