import FeedModel
import FeedStore
import Synchronization
import TestSupport
import Testing

@testable import FeedJournal

/// Several servers on one database that get in each other's way, one step at a time.
@Suite(.enabled(if: Keeping.Kind.address != nil)) struct DatabaseRaces {
    private let keeping: Keeping

    init() throws {
        keeping = try Keeping(.database)
    }

    /// A server that does only what it is told to.
    private struct Server {
        let store: FeedStore
        let journal: HeldDatabase
        let outcomes = Outcomes()

        /// Begins a publish.
        func publish(_ feed: FeedName, _ snapshot: Snapshot) {
            store.publish(
                feed,
                refusal: { _ in .shortage },
                { _ throws(Refusal) in snapshot },
                completion: { [outcomes] in outcomes.add("publish", $0) }
            )
        }

        /// Begins a deletion.
        func drop(_ feed: FeedName) {
            store.remove(
                feed,
                if: Refusal.never,
                completion: { [outcomes] in outcomes.add("deletion", $0) }
            )
        }
    }

    private final class Outcomes: Sendable {
        private let list = Mutex<[String]>([])

        func add<Value>(_ what: String, _ outcome: PublishOutcome<Value, Refusal>) {
            let word =
                switch outcome {
                case .done: "done"
                case .failed: "failed"
                case .refused: "refused"
                case .unknown: "unknown"
                case .late: "late"
                }
            list.withLock { $0.append("\(what) \(word)") }
        }

        /// What was told since the last call.
        func take() -> [String] {
            list.withLock { list in
                defer { list = [] }
                return list
            }
        }
    }

    /// A server that has read everything.
    private func server() throws -> Server {
        let journal = try HeldDatabase(keeping.databaseSettings)
        let store = keeping.store(journal)
        _ = try store.restore()
        return Server(store: store, journal: journal)
    }

    private func database() throws -> PostgresConnection {
        try PostgresConnection(keeping.databaseSettings.address, silence: .seconds(30))
    }

    @Test func aFeedThatIsMadeAfterADeletionThatIsLateIsLateToo() async throws {
        let (first, second) = (try server(), try server())
        first.publish(news, try items(0..<2))
        try await first.journal.write()
        try await second.journal.look()
        first.drop(news)
        try await first.journal.write()
        // It has not heard of that yet.
        second.drop(news)
        second.publish(news, try items(5..<9))
        try await second.journal.write()
        #expect(second.outcomes.take() == ["deletion late", "publish late"])
        #expect(second.store.current(news) == nil)
        second.publish(news, try items(5..<9))
        try await second.journal.write()
        #expect(second.outcomes.take() == ["publish done"])
        #expect(second.store.current(news)?.count == 4)
        #expect(second.store.current(news)?.token == second.journal.worker.heads[news]?.token)
    }
}
