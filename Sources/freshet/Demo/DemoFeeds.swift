import Dispatch
import FeedModel
import FeedStore
import Foundation
import Synchronization

/// Feeds that change by themselves, for trying the server out: `daily`, `machine` and `contacts`.
final class DemoFeeds {
    private let publisher: DemoPublisher
    /// The timers, made by ``start()``, since Dispatch cannot free a timer that was never
    /// activated.
    private var timers: [any DispatchSourceTimer] = []

    /// The names of the demo feeds.
    static let names = Set(["contacts", "daily", "machine"].compactMap { FeedName($0) })

    /// The interval at which the machine is read.
    private static let interval = DispatchTimeInterval.seconds(2)

    /// The interval of the events in `daily`.
    private static let newsInterval = DispatchTimeInterval.seconds(4)

    /// Publishes nothing before ``start()``.
    init(_ store: FeedStore) {
        publisher = DemoPublisher(store: store)
    }

    deinit { stop() }

    /// Publishes the feeds, and from then on `machine` and `daily` again and again.
    func start() {
        publisher.publishContacts()
        publisher.publishMachine()
        publisher.publishNews()
        let queue = DispatchQueue(label: "freshet.demo", qos: .utility)
        repeatedly(DemoFeeds.interval, on: queue) { [publisher] in publisher.publishMachine() }
        repeatedly(DemoFeeds.newsInterval, on: queue) { [publisher] in publisher.continueNews() }
    }

    private func repeatedly(
        _ interval: DispatchTimeInterval,
        on queue: DispatchQueue,
        _ work: @escaping @Sendable () -> Void
    ) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler(handler: work)
        timer.schedule(deadline: .now() + interval, repeating: interval)
        timer.activate()
        timers.append(timer)
    }

    /// Ends the publishing; the feeds stay as they are.
    func stop() {
        for timer in timers { timer.cancel() }
        timers = []
    }
}

/// Puts the demo's feeds into the store as they are at the moment; any thread may call it.
private final class DemoPublisher: Sendable {
    private let store: FeedStore
    private let reader = Mutex(MachineReader())
    private let desk = Mutex(NewsDesk(at: .now))

    init(store: FeedStore) {
        self.store = store
    }

    func publishContacts() {
        publish("contacts", ContactsFeed.snapshot(Contact.all))
    }

    /// Reads the machine, and publishes its activity.
    func publishMachine() {
        publish("machine", MachineFeed.snapshot(reader.withLock { $0.read() }))
    }

    /// Publishes the news in their present state.
    func publishNews() {
        publish("daily", desk.withLock(\.snapshot))
    }

    /// Has the next event of the news happen, and publishes them.
    func continueNews() {
        desk.withLock { _ = $0.step(at: .now) }
        publishNews()
    }

    private func publish(_ name: String, _ snapshot: Snapshot) {
        guard let feed = FeedName(name) else { return }
        store.publish(feed) { _ in
            snapshot
        } decided: { _ in
        }
    }
}
