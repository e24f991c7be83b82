import Dispatch
import FeedModel
import FeedStore

/// Feeds that live, for trying the server out: `machine` and `contacts`.
final class DemoFeeds {
    private let publisher: DemoPublisher
    /// Made at the start: one that was never activated cannot be given back to Dispatch.
    private var timer: (any DispatchSourceTimer)?

    /// What they are called.
    static let names = Set(["contacts", "machine"].compactMap { FeedName($0) })

    /// How often the machine is read.
    private static let interval = DispatchTimeInterval.seconds(2)

    /// Publishes nothing before ``start()``.
    init(_ store: FeedStore) {
        publisher = DemoPublisher(store: store)
    }

    deinit { timer?.cancel() }

    /// Publishes both feeds, and `machine` again and again.
    func start() {
        publisher.publishContacts()
        publisher.publishMachine()
        let queue = DispatchQueue(label: "freshet.demo", qos: .utility)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        self.timer = timer
        timer.setEventHandler { [publisher] in publisher.publishMachine() }
        timer.schedule(deadline: .now() + DemoFeeds.interval, repeating: DemoFeeds.interval)
        timer.activate()
    }

    /// Ends the publishing; the feeds stay as they are.
    func stop() {
        timer?.cancel()
    }
}
