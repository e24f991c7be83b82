import Dispatch
import FeedModel
import FeedStore
import Foundation
import Synchronization

/// Feeds that change by themselves, for trying the server out: `daily`, `machine` and `contacts`.
final class DemoFeeds: Sendable {
    private let store: FeedStore
    private let reader = Mutex(MachineReader())
    private let desk = Mutex(NewsDesk(at: .now))
    /// The timers, made by ``start()``, since Dispatch cannot free a timer that was never
    /// activated.
    private let timers = Mutex<[any DispatchSourceTimer]>([])

    /// The names of the demo feeds.
    static let names = Set(["contacts", "daily", "machine"].compactMap { FeedName($0) })

    /// The interval at which the machine is read.
    private static let interval = DispatchTimeInterval.seconds(2)

    /// The interval of the events in `daily`.
    private static let newsInterval = DispatchTimeInterval.seconds(4)

    /// Publishes nothing before ``start()``.
    init(_ store: FeedStore) {
        self.store = store
    }

    deinit { stop() }

    /// Publishes the feeds, and from then on `machine` and `daily` again and again.
    func start() {
        publish("contacts", ContactsFeed.snapshot(ContactsFeed.people))
        publishMachine()
        publishNews()
        let queue = DispatchQueue(label: "freshet.demo", qos: .utility)
        repeatedly(DemoFeeds.interval, on: queue) { $0.publishMachine() }
        repeatedly(DemoFeeds.newsInterval, on: queue) { demo in
            demo.desk.withLock { _ = $0.step(at: .now) }
            demo.publishNews()
        }
    }

    private func repeatedly(
        _ interval: DispatchTimeInterval,
        on queue: DispatchQueue,
        _ work: @escaping @Sendable (DemoFeeds) -> Void
    ) {
        timers.withLock { timers in
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler { [weak self] in self.map(work) }
            timer.schedule(deadline: .now() + interval, repeating: interval)
            timer.activate()
            timers.append(timer)
        }
    }

    /// Ends the publishing; the feeds stay as they are.
    func stop() {
        timers.withLock { timers in
            for timer in timers { timer.cancel() }
            timers = []
        }
    }

    /// Reads the machine, and publishes its activity.
    private func publishMachine() {
        publish("machine", MachineFeed.snapshot(reader.withLock { $0.read() }))
    }

    /// Publishes the news in their present state.
    private func publishNews() {
        publish("daily", desk.withLock(\.snapshot))
    }

    private func publish(_ name: String, _ snapshot: Snapshot) {
        guard let feed = FeedName(name) else { return }
        store.publish(feed) { _ in
            snapshot
        } decided: { _ in
        }
    }
}
