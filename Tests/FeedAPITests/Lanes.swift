import Dispatch
import FeedModel
import Synchronization
import Testing

@testable import FeedAPI

/// In which order publishes run.
@Suite struct Lanes {
    @Test func lanesKeepTheOrderOfAFeedAndNotOfTwo() async throws {
        let lanes = PublishLanes(queue: DispatchQueue(label: "test", attributes: .concurrent))
        let (first, second) = (try #require(FeedName("a")), try #require(FeedName("b")))
        let order = Mutex<[Int]>([])
        let gate = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            // Waits for the other feed's work: the two are side by side or this never ends.
            lanes.submit(first) { gate.wait() }
            for number in 0..<100 { lanes.submit(first) { order.withLock { $0.append(number) } } }
            lanes.submit(first) { continuation.resume() }
            lanes.submit(second) { gate.signal() }
        }
        #expect(order.withLock(\.self) == Array(0..<100))
    }

    @Test func aBusyLaneLetsOthersOntoTheQueue() async throws {
        // One thread, so that what comes in between has to be let in.
        let queue = DispatchQueue(label: "test")
        let lanes = PublishLanes(queue: queue)
        let feed = try #require(FeedName("a"))
        let order = Mutex<[String]>([])
        @Sendable func log(_ text: String) -> @Sendable () -> Void {
            { order.withLock { $0.append(text) } }
        }
        await withCheckedContinuation { continuation in
            lanes.submit(feed) {
                log("first")()
                lanes.submit(feed, log("second"))
                lanes.submit(feed, log("third"))
                lanes.submit(feed) { continuation.resume() }
                queue.async {
                    log("other")()
                    queue.async(execute: log("another"))
                }
            }
        }
        #expect(order.withLock(\.self) == ["first", "other", "second", "another", "third"])
    }
}
