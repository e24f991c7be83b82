import FeedModel
import FeedStore
import Foundation
import Synchronization

/// Feeds that change by themselves, for trying the server out: `daily`, `machine` and `contacts`.
final class DemoFeeds: Sendable {
    private let store: FeedStore
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// The names of the demo feeds.
    static let names = Set(["contacts", "daily", "machine"].compactMap { FeedName($0) })

    /// Publishes nothing before ``start()``.
    init(_ store: FeedStore) {
        self.store = store
    }

    /// Publishes the feeds, and from then on `machine` and `daily` again and again.
    func start() {
        var reader = MachineReader()
        let desk = NewsDesk(at: .now)
        publish("contacts", ContactsFeed.snapshot(ContactsFeed.people))
        publish("machine", MachineFeed.snapshot(reader.read()))
        publish("daily", desk.snapshot)
        let changing = Task(priority: .utility) { [reader, desk] in await change(reader, desk) }
        task.withLock { $0 = changing }
    }

    /// Ends the publishing; the feeds stay as they are.
    func stop() {
        task.withLock { $0?.cancel() }
    }

    /// Publishes `machine` every two seconds and `daily` every four, until the task is cancelled.
    private func change(_ reader: MachineReader, _ desk: NewsDesk) async {
        var (reader, desk) = (reader, desk)
        for turn in 1... {
            guard (try? await Task.sleep(for: .seconds(2))) != nil else { return }
            publish("machine", MachineFeed.snapshot(reader.read()))
            if turn.isMultiple(of: 2) {
                desk.step(at: .now)
                publish("daily", desk.snapshot)
            }
        }
    }

    private func publish(_ name: String, _ snapshot: Snapshot) {
        guard let feed = FeedName(name) else { return }
        store.publish(feed) { _ in
            snapshot
        } decided: { _ in
        }
    }
}
