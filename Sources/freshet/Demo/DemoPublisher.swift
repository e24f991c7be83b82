import FeedModel
import FeedStore
import Foundation
import Synchronization

/// Puts the demo's feeds into the store as they are at the moment; any thread may call it.
final class DemoPublisher: Sendable {
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
        store.publish(feed) { _ in snapshot } decided: { _ in }
    }
}
