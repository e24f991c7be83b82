import FeedModel
import FeedStore
import Synchronization
import TestSupport
import Testing

@testable import FeedJournal

/// Several servers on one database that get in each other's way, one step at a time.
@Suite(.enabled(if: Keeping.Kind.address != nil)) struct DatabaseRaces {
    let keeping: Keeping

    init() throws {
        keeping = try Keeping(.database)
    }

    /// A server that does only what it is told to.
    struct Server {
        let store: FeedStore
        let journal: HeldDatabase
        let outcomes = Outcomes()

        /// Begins a publish.
        func publish(_ feed: FeedName, _ snapshot: Snapshot) {
            store.publish(
                feed,
                { _ throws(Refusal) in snapshot },
                refusal: { _ in .shortage },
                decided: { [outcomes] in outcomes.add("publish", $0) }
            )
        }

        /// Begins a publish whose condition does not hold.
        func publishInVain(_ feed: FeedName) {
            store.publish(
                feed,
                { _ throws(Refusal) in throw .condition },
                refusal: { _ in .shortage },
                decided: { [outcomes] in outcomes.add("publish", $0) }
            )
        }

        /// Begins a deletion.
        func drop(_ feed: FeedName) {
            store.publish(
                feed,
                { _ throws(Refusal) in nil },
                decided: { [outcomes] in outcomes.add("deletion", $0) }
            )
        }
    }

    final class Outcomes: Sendable {
        private let list = Mutex<[String]>([])

        func add(_ what: String, _ outcome: Outcome) {
            let word =
                switch outcome {
                case .done, .deleted: "done"
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
    func server() throws -> Server {
        let journal = try HeldDatabase(keeping.databaseSettings)
        let store = keeping.store(journal)
        _ = try store.restore()
        return Server(store: store, journal: journal)
    }

    func database() throws -> PostgresConnection {
        try PostgresConnection(keeping.databaseSettings.address, silence: .seconds(30))
    }

    /// A server that has a feed, and has not heard yet that another one has deleted it.
    private func serverBehindADeletion() async throws -> Server {
        let (first, second) = (try server(), try server())
        first.publish(news, try items(0..<2))
        try await first.journal.write()
        try await second.journal.look()
        first.drop(news)
        try await first.journal.write()
        return second
    }

    @Test func aDeletionAfterOneThatIsLateIsLateToo() async throws {
        let second = try await serverBehindADeletion()
        second.drop(news)
        second.drop(news)
        try await second.journal.write()
        #expect(second.outcomes.take() == ["deletion late", "deletion late"])
        #expect(second.store.current(news) == nil)
        second.publish(news, try items(5..<9))
        try await second.journal.write()
        #expect(second.outcomes.take() == ["publish done"])
        #expect(second.store.current(news)?.count == 4)
    }

    @Test func aFeedThatIsMadeAfterADeletionThatIsLateIsLateToo() async throws {
        let second = try await serverBehindADeletion()
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

/// A server that catches up.
extension DatabaseRaces {
    /// Readers may have seen the version that was found, so the one before it is not shown again.
    @Test(arguments: [false, true])
    func aFeedThatIsDeletedBetweenBeingFoundAndReadIsGone(_ isMadeAgain: Bool) async throws {
        let (first, second) = (try server(), try server())
        first.publish(news, try items(0..<2))
        try await first.journal.write()
        try await second.journal.look()
        if isMadeAgain { first.drop(news) }
        first.publish(news, try items(0..<3))
        try await first.journal.write()
        let found = try second.journal.newest(of: news)
        first.drop(news)
        try await first.journal.write()
        try await second.journal.follow(found)
        #expect(second.store.current(news) == nil && second.journal.worker.heads.isEmpty)
        second.publish(news, try items(5..<9))
        try await second.journal.write()
        #expect(second.outcomes.take() == ["publish done"])
    }

    @Test func aVersionThatIsDamagedAfterASoundOneIsFoundOutAtOnce() async throws {
        let (first, second) = (try server(), try server())
        first.publish(news, try items(0..<2))
        try await first.journal.write()
        try await second.journal.look()
        for count in 3..<5 {
            first.publish(news, try items(0..<count))
            try await first.journal.write()
        }
        try database().run(
            "UPDATE freshet_log SET data = data || '\\x00' WHERE version = $1::bigint",
            [.integer(first.journal.worker.heads[news]?.version ?? 0)]
        )
        try await second.journal.look()
        #expect(Array(second.journal.worker.damaged.keys) == [news])
    }

    @Test func aFeedThatLacksItsBaseIsDamaged() async throws {
        let (first, second) = (try server(), try server())
        first.publish(news, try items(0..<2))
        try await first.journal.write()
        try await second.journal.look()
        first.drop(news)
        first.publish(news, try items(0..<3))
        try await first.journal.write()
        try database().run("DELETE FROM freshet_base")
        try await second.journal.look()
        #expect(Array(second.journal.worker.damaged.keys) == [news])
        #expect(second.store.current(news)?.count == 2)
        #expect(throws: JournalError.self) { try server() }
    }
}

/// What is drawn from a seed: whatever the servers do, they agree in the end.
extension DatabaseRaces {
    /// What anybody ever saw.
    private struct Seen {
        var contents: [Token: [String]] = [:]
        /// For each server, the newest that it showed of a feed, and the epochs that are over.
        var newest: [Int: [FeedName: Token]] = [:]
        var over: [Int: Set<String>] = [:]

        /// Looks at what a server shows.
        mutating func look(at server: Server, _ number: Int, of feed: FeedName) {
            let last = newest[number]?[feed]
            guard let version = server.store.current(feed) else {
                if let last { over[number, default: []].insert(last.epoch) }
                newest[number]?[feed] = nil
                return
            }
            let token = version.token
            #expect(over[number]?.contains(token.epoch) != true, "\(token) was over")
            if let last, last.epoch == token.epoch { #expect(token.version >= last.version) }
            if let last, last.epoch != token.epoch { over[number, default: []].insert(last.epoch) }
            newest[number, default: [:]][feed] = token
            let content = version.snapshot.everything
            #expect(contents[token, default: content] == content, "\(token) is two versions")
            contents[token] = content
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func serversThatRaceAgreeInTheEnd(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let servers = try (0..<3).map { _ in try server() }
        let feeds = [feedName("a"), feedName("b")]
        var seen = Seen()
        let saved = "saved\(UInt64.random(in: 1 ... .max))"
        var isSaved = false
        for step in 0..<250 {
            keeping.time.add(Int.random(in: 0..<2, using: &random), ordering: .relaxed)
            let number = Int.random(in: 0..<3, using: &random)
            let server = servers[number]
            let feed = feeds[Int.random(in: 0..<2, using: &random)]
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<5: server.publishInVain(feed)
            case 5..<45:
                let count = Int.random(in: 1..<90, using: &random)
                let first = Int.random(in: 0..<20, using: &random)
                let value = Int.random(in: 0..<3, using: &random)
                server.publish(feed, try items(first..<first + count, value: value))
            case 45..<55: server.drop(feed)
            case 55..<80: try await server.journal.write(Int.random(in: 1..<5, using: &random))
            case 80..<93: try await server.journal.look()
            case 93..<96:
                try await server.journal.writeUnheard(Int.random(in: 1..<6, using: &random))
            case 96..<98:
                try server.journal.worker.write(server.journal.compactions())
            case _ where step > 60 && !isSaved:
                try save(as: saved)
                isSaved = true
            case _ where step > 150 && isSaved:
                // The database is put back: every connection is lost.
                try restore(saved)
                isSaved = false
                for server in servers { try await server.journal.connectAgain() }
            default: break
            }
            for (number, server) in servers.enumerated() {
                for feed in feeds { seen.look(at: server, number, of: feed) }
            }
        }
        try await end(servers, feeds, &seen)
    }

    /// Has all servers come to rest, compares them, and publishes by each.
    private func end(_ servers: [Server], _ feeds: [FeedName], _ seen: inout Seen) async throws {
        for server in servers { try await server.journal.write() }
        for server in servers { try await server.journal.look() }
        for feed in feeds {
            for (number, server) in servers.enumerated() {
                _ = server.outcomes.take()
                server.publish(feed, try items(0..<number + 1, value: 100))
                try await server.journal.write()
                #expect(server.outcomes.take() == ["publish done"])
                for other in servers { try await other.journal.look() }
                for (number, server) in servers.enumerated() {
                    seen.look(at: server, number, of: feed)
                }
            }
            let fresh = try server().store.current(feed)
            let tokens = servers.map { $0.store.current(feed)?.token }
            #expect(tokens.allSatisfy { $0 == fresh?.token && $0 != nil })
            #expect(fresh?.snapshot.everything == fresh.flatMap { seen.contents[$0.token] })
        }
    }

    private static let tables = ["note", "feed", "base", "chunk", "log", "answer", "batch"]

    /// Keeps a copy of all tables.
    func save(as name: String) throws {
        let database = try database()
        for table in Self.tables {
            try database.run("CREATE TABLE \(name)_\(table) AS SELECT * FROM freshet_\(table)")
        }
    }

    /// Puts a copy back, in what looks like another database.
    func restore(_ name: String) throws {
        let database = try database()
        for table in Self.tables {
            try database.run("DELETE FROM freshet_\(table)")
            try database.run("INSERT INTO freshet_\(table) SELECT * FROM \(name)_\(table)")
            try database.run("DROP TABLE \(name)_\(table)")
        }
        try database.run("UPDATE freshet_note SET value = 'other/1' WHERE name = 'place'")
    }
}
