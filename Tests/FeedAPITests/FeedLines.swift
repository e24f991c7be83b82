import Dispatch
import FeedModel
import Synchronization
import Testing

@testable import FeedAPI

/// In which order publishes run.
@Suite struct FeedLines {
    private func work(
        _ feed: FeedName,
        refuse: @escaping @Sendable () -> Void = {},
        _ run: @escaping @Sendable () -> Void
    ) -> QueuedWork {
        QueuedWork(
            client: .local,
            time: .zero,
            run: run,
            refuse: refuse
        )
    }

    private func queues(count: Int) -> FeedQueues {
        var configuration = APIConfiguration.patient
        configuration.waitingPublishes.count = count
        configuration.clock = { .zero }
        let scheduler = WorkScheduler(configuration, cores: 2)
        return FeedQueues(scheduler, limits: configuration.waitingPublishes)
    }

    @Test func publishesKeepTheOrderOfAFeedAndNotOfTwo() async throws {
        let queues = queues(count: 1000)
        let (first, second) = (try #require(FeedName("a")), try #require(FeedName("b")))
        let order = Mutex<[Int]>([])
        let gate = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            // Waits for the other feed's work: the two are side by side or this never ends.
            queues.submit(first, .small, work(first) { gate.wait() })
            for number in 0..<100 {
                let size: WorkSize = number % 3 == 0 ? .large : .small
                queues.submit(first, size, work(first) { order.withLock { $0.append(number) } })
            }
            queues.submit(first, .small, work(first) { continuation.resume() })
            queues.submit(second, .small, work(second) { gate.signal() })
        }
        #expect(order.withLock(\.self) == Array(0..<100))
    }

    @Test func aFeedTakesAtMostAQuarterOfTheRoom() async throws {
        let queues = queues(count: 16)
        let (first, second) = (try #require(FeedName("a")), try #require(FeedName("b")))
        let gate = DispatchSemaphore(value: 0)
        let refused = Mutex(0)
        await withCheckedContinuation { continuation in
            queues.submit(first, .small, work(first) { gate.wait() })
            for _ in 0..<6 {
                queues.submit(
                    first,
                    .small,
                    work(first, refuse: { refused.withLock { $0 += 1 } }, {})
                )
            }
            queues.submit(second, .small, work(second) { continuation.resume() })
        }
        gate.signal()
        #expect(refused.withLock(\.self) == 2)
    }
}
