import FeedModel
import FeedStore
import Synchronization

/// Puts the demo's feeds into the store, as they are at the moment; any thread may call it.
final class DemoPublisher: Sendable {
    private let store: FeedStore
    private let reader = Mutex(MachineReader())

    init(store: FeedStore) {
        self.store = store
    }

    func publishContacts() {
        publish("contacts", ContactsFeed.snapshot(Contact.all))
    }

    /// Looks at the machine and publishes what it does.
    func publishMachine() {
        publish("machine", MachineFeed.snapshot(reader.withLock { $0.read() }))
    }

    private func publish(_ name: String, _ snapshot: Snapshot) {
        guard let feed = FeedName(name) else { return }
        _ = store.publish(feed) { _ in snapshot }
    }
}
