import Dispatch
import FeedModel
import Synchronization
import Testing

@testable import FeedAPI

/// In which order publishes run.
@Suite struct Lanes {
    @Test func lanesKeepTheOrderOfAFeedAndNotOfTwo() async throws {
        let feedQueues = FeedQueues(queue: DispatchQueue(label: "test", attributes: .concurrent))
        let (first, second) = (try #require(FeedName("a")), try #require(FeedName("b")))
        let order = Mutex<[Int]>([])
        let gate = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            // Waits for the other feed's work: the two are side by side or this never ends.
            feedQueues.submit(first) { gate.wait() }
            for number in 0..<100 {
                feedQueues.submit(first) { order.withLock { $0.append(number) } }
            }
            feedQueues.submit(first) { continuation.resume() }
            feedQueues.submit(second) { gate.signal() }
        }
        #expect(order.withLock(\.self) == Array(0..<100))
    }

    @Test func aBusyLaneLetsOthersOntoTheQueue() async throws {
        // One thread, so that what comes in between has to be let in.
        let queue = DispatchQueue(label: "test")
        let feedQueues = FeedQueues(queue: queue)
        let feed = try #require(FeedName("a"))
        let order = Mutex<[String]>([])
        @Sendable func log(_ text: String) -> @Sendable () -> Void {
            { order.withLock { $0.append(text) } }
        }
        await withCheckedContinuation { continuation in
            feedQueues.submit(feed) {
                log("first")()
                feedQueues.submit(feed, log("second"))
                feedQueues.submit(feed, log("third"))
                feedQueues.submit(feed) { continuation.resume() }
                queue.async {
                    log("other")()
                    queue.async(execute: log("another"))
                }
            }
        }
        #expect(order.withLock(\.self) == ["first", "other", "second", "another", "third"])
    }
}
