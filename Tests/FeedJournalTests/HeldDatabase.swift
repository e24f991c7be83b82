import Dispatch
import FeedModel
import FeedStore
import Synchronization

@testable import FeedJournal

/// A server of several on one database, which writes and looks only when it is told to.
///
/// `@unchecked Sendable`: the worker is used by the test's own task alone.
final class HeldDatabase: SharedJournal, @unchecked Sendable {
    let worker: PostgresWorker
    /// Tells outcomes and changes in order; it has no connection of its own.
    let teller: PostgresJournal
    private let items = Mutex<[JournalInbox.Item]>([])

    init(_ settings: PostgresJournal.Settings) throws(JournalError) {
        worker = PostgresWorker(settings)
        teller = try PostgresJournal(settings)
    }

    var trouble: String? { nil }
    var cutOffTime: Duration? { nil }

    func recover(_ body: (RecoveredFeed) -> Void) throws(JournalError) -> RecoveredState {
        try worker.recover(body)
    }

    func follow(
        _ receive: @escaping @Sendable (RemoteChange) -> Void,
        reconnected: @escaping @Sendable () -> Void
    ) {
        teller.follow(receive, reconnected: reconnected)
    }

    func append(
        _ entry: JournalEntry,
        decided: @escaping @Sendable (JournalOutcome) -> Void
    ) {
        items.withLock { $0.append(JournalInbox.Item(entry: entry, decided: decided)) }
    }

    func catchUp(_ feeds: [FeedName], completion: @escaping @Sendable (Bool) -> Void) {
        completion(false)
    }

    func findAnswer(
        owner: [UInt8],
        key: [UInt8],
        completion: @escaping @Sendable (Result<JournalAnswer?, JournalError>) -> Void
    ) {
        completion(.success(nil))
    }

    func lead(_ change: @escaping @Sendable (LeadershipEvent) -> Void) {}
    func tellLeader(_ words: String) {}
    func keep(_ states: SourceStates, completion: @escaping @Sendable (Bool) -> Void) {
        completion(false)
    }

    func findKept(
        _ query: KeptQuery,
        of feed: FeedName,
        epoch: String,
        completion: @escaping @Sendable (Result<[KeptVersion], JournalError>) -> Void
    ) {
        completion(.success([]))
    }

    func forget(
        _ order: ForgetOrder,
        completion: @escaping @Sendable (JournalOutcome) -> Void
    ) {
        completion(.late)
    }

    func close() { worker.connection = nil }

    /// Writes the first of what was appended, in one transaction, and tells what became of it.
    func write(_ count: Int = .max) async throws {
        let batch = takeItems(count)
        if !batch.isEmpty { try worker.write(batch, teller) }
        await told()
    }

    /// The same over a connection that is lost before anything is heard of it.
    func writeUnheard(_ count: Int) async throws {
        let batch = takeItems(count)
        guard !batch.isEmpty else { return }
        worker.connection = try PostgresConnection(worker.settings.address, silence: .zero)
        do throws(PostgresError) {
            try worker.write(batch, teller)
        } catch {
            guard error.isLost else { throw error }
        }
        try await connectAgain()
    }

    /// Decides what was appended as a journal that is closed does.
    func end() async {
        for item in takeItems() { teller.append(item.entry, decided: item.decided) }
        worker.end(teller)
        await told()
    }

    /// Takes the first of what was appended.
    func takeItems(_ count: Int = .max) -> [JournalInbox.Item] {
        items.withLock { items in
            defer { items.removeFirst(min(count, items.count)) }
            return Array(items.prefix(count))
        }
    }

    /// Looks for what others did.
    func look() async throws {
        try worker.poll(teller)
        await told()
    }

    /// Finds the newest version of a feed, as a server does that catches up.
    func newest(of feed: FeedName) throws -> [StoredVersion] {
        worker.changes(try worker.session.run(PostgresSchema.heads, [.texts([feed.rawValue])]))
    }

    /// Reads what leads to versions that were found before.
    func follow(_ found: [StoredVersion]) async throws {
        var received: [RemoteChange] = []
        try worker.follow(found, &received)
        teller.deliver(received)
        await told()
    }

    /// Connects again, as after a connection was lost.
    func connectAgain() async throws {
        try worker.connect()
        try worker.resolve(teller)
        var received: [RemoteChange] = []
        try worker.compareAll(&received)
        teller.deliver(received)
        await told()
    }

    /// The compactions that were planned.
    func compactions() -> [Compaction] {
        teller.exchange.compacting.sync {}
        return teller.takeInbox().compactions
    }

    private func told() async {
        await withCheckedContinuation { told in teller.afterwards { told.resume() } }
    }
}
