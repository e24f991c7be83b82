import Dispatch
import FeedStore

/// Feeds that live, for trying the server out: `machine` and `contacts`.
final class DemoFeeds {
    private let publisher: DemoPublisher
    private let timer: any DispatchSourceTimer

    /// How often the machine is read.
    private static let interval = DispatchTimeInterval.seconds(2)

    /// Publishes nothing before ``start()``.
    init(_ store: FeedStore) {
        publisher = DemoPublisher(store: store)
        let queue = DispatchQueue(label: "freshet.demo", qos: .utility)
        timer = DispatchSource.makeTimerSource(queue: queue)
    }

    deinit { timer.cancel() }

    /// Publishes both feeds, and `machine` again and again.
    func start() {
        publisher.publishContacts()
        publisher.publishMachine()
        timer.setEventHandler { [publisher] in publisher.publishMachine() }
        timer.schedule(deadline: .now() + DemoFeeds.interval, repeating: DemoFeeds.interval)
        timer.activate()
    }

    /// Ends the publishing; the feeds stay as they are.
    func stop() {
        timer.cancel()
    }
}
