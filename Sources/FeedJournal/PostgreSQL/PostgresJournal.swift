import Dispatch
package import FeedModel
package import FeedStore
import Glibc
import Platform
import Synchronization

/// A journal in a PostgreSQL database that several servers share.
///
/// A single connection, on one thread, writes this server's versions and reads those of other
/// servers. Entries that are appended during a transaction share the next one. `NOTIFY` wakes the
/// other servers, which also look once a second.
package final class PostgresJournal: SharedJournal, ExchangingJournal {
    /// The settings that differ between servers.
    package struct Settings: Sendable {
        /// The database's address, of the form `postgres://…`, with all parts that libpq can read.
        package var address: String
        /// Whether every feed gets a new epoch at the start, because the database was put back to
        /// an earlier state.
        package var adopts = false
        /// The time for which the start waits until the database can be reached.
        package var patience = Duration.seconds(10)
        /// The time between polls for changes whose notification was missed.
        package var pollTime = Duration.seconds(1)
        /// The time between sweeps, which remove expired records.
        package var sweepTime = Duration.seconds(60)
        /// The time for which the row of a deleted feed is kept.
        ///
        /// A server that has read nothing for half of it compares all feeds instead.
        package var deletedTime = Duration.seconds(3600)
        /// The time after which the connection counts as lost when a result is due and nothing
        /// arrives.
        package var silence = Duration.seconds(5)
        /// Called with messages for the operator.
        package var report: @Sendable (String) -> Void = { _ in }
        /// Returns the current time, in seconds since 1970.
        package var wall: @Sendable () -> Double

        package init(address: String, wall: @escaping @Sendable () -> Double) {
            self.address = address
            self.wall = wall
        }
    }

    /// The inbox of the worker, and the queue of completions.
    package let exchange = JournalExchange("freshet.postgres")
    private let queue = DispatchQueue(label: "freshet.postgres", qos: .userInitiated)
    /// The time at which the database last answered.
    let heard = Mutex(ContinuousClock.now)
    /// The store's functions for changes of other servers and for a new connection.
    private let follower = Mutex<
        (receive: @Sendable (RemoteChange) -> Void, reconnected: @Sendable () -> Void)?
    >(nil)
    private let leadership = Mutex<(@Sendable (LeadershipEvent) -> Void)?>(nil)
    private let alarm: WakeUp
    private let worker: PostgresWorker

    /// Makes a journal that is not connected yet; ``recover(_:)`` connects.
    package init(_ settings: Settings) throws(JournalError) {
        do {
            alarm = try WakeUp()
        } catch {
            throw JournalError("cannot wait for the database: \(error)")
        }
        worker = PostgresWorker(settings)
    }

    /// Records a refusal for ``Journal/trouble``, unless the statements may succeed when sent
    /// again.
    func note(refusal: PostgresError) {
        guard !refusal.isConflict else { return }
        exchange.trouble.withLock { $0.refusal = (.now, "the database: \(refusal)") }
    }

    package var cutOffTime: Duration? {
        guard exchange.trouble.withLock({ $0.reason != nil }) else { return nil }
        return .now - heard.withLock(\.self)
    }

    /// The host, port and database, without a password; empty before the first connection.
    package var place: String { worker.place.withLock(\.self) }

    package func follow(
        _ receive: @escaping @Sendable (RemoteChange) -> Void,
        reconnected: @escaping @Sendable () -> Void
    ) {
        follower.withLock { $0 = (receive, reconnected) }
    }

    /// Tells the store that the connection is new, so that versions not kept yet are late.
    func noteBreak() { follower.withLock(\.self)?.reconnected() }

    package func lead(_ change: @escaping @Sendable (LeadershipEvent) -> Void) {
        leadership.withLock { $0 = change }
    }

    package func tellLeader(_ words: String) {
        // PostgreSQL takes notifications of fewer than 8,000 bytes.
        guard words.utf8.count <= 7_500 else { return }
        _ = post { $0.words.append(words) }
    }

    /// Whether this server has asked to lead.
    var wantsToLead: Bool { leadership.withLock { $0 != nil } }

    func tell(_ event: LeadershipEvent) {
        guard let change = leadership.withLock(\.self) else { return }
        afterwards { change(event) }
    }

    package func recover(_ body: (RecoveredFeed) -> Void) throws(JournalError) -> RecoveredState {
        let state = try queue.sync {
            Result { () throws(JournalError) in try worker.recover(body) }
        }.get()
        queue.async { self.worker.run(self) }
        return state
    }

    package func catchUp(_ feeds: [FeedName], completion: @escaping @Sendable (Bool) -> Void) {
        if !post({ $0.questions.append((feeds, completion)) }) { afterwards { completion(false) } }
    }

    package func findAnswer(
        owner: [UInt8],
        key: [UInt8],
        completion: @escaping @Sendable (Result<JournalAnswer?, JournalError>) -> Void
    ) {
        guard post({ $0.searches.append((owner, key, completion)) }) else {
            return afterwards { completion(.failure(Self.stopping)) }
        }
    }

    package func close() {
        closeInbox()
        wake()
        // The worker keeps the queue until it has ended.
        queue.sync {}
        finishCompletions()
    }
}

/// Gives the worker its side of the exchange with other threads.
extension PostgresJournal {
    package func wake() { alarm.ring() }

    /// The most entries of one transaction.
    private static let batchLimit = 512

    /// Takes the requests from the inbox.
    func takeInbox() -> JournalInbox {
        alarm.reset()
        return takeInbox(atMost: PostgresJournal.batchLimit)
    }

    /// Waits until a request arrives or the connection's socket is readable.
    func wait(for descriptor: CInt?, atMost time: Duration) {
        var list = [(alarm.descriptor, POLLIN)]
        if let descriptor { list.append((descriptor, POLLIN)) }
        Descriptor.wait(for: list, atMost: time)
    }

    /// Delivers the changes of other servers to the store, after the completions that were queued
    /// before.
    func deliver(_ remote: [RemoteChange]) {
        guard !remote.isEmpty else { return }
        afterwards {
            guard let follower = self.follower.withLock(\.self) else { return }
            for change in remote { follower.receive(change) }
        }
    }
}
