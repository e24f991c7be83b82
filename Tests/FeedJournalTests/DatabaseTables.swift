import FeedModel
import FeedStore
import Synchronization
import TestSupport
import Testing

@testable import FeedJournal

/// The tables in a database: how they grow older, and how they shrink.
@Suite(.enabled(if: Keeping.Kind.address != nil)) struct DatabaseTables {
    private let keeping: Keeping

    init() throws {
        keeping = try Keeping(.database)
    }

    /// A worker of a server of its own, with a connection.
    private func worker(_ settings: PostgresJournal.Settings? = nil) throws -> PostgresWorker {
        let worker = PostgresWorker(settings ?? keeping.databaseSettings)
        _ = try worker.recover { _ in }
        return worker
    }

    private func database() throws -> PostgresConnection {
        try PostgresConnection(keeping.databaseSettings.address, silence: .seconds(30))
    }

    private func count(_ condition: String) throws -> Int {
        try database().run("SELECT count(*) FROM freshet_feed WHERE \(condition)")[0].integer(0)
    }

    /// Makes feeds, and deletes those whose names begin with "old".
    private func publish(_ names: [String]) async throws {
        try await keeping.use { store, _ in
            for name in names { try await store.keep(feedName(name), items(0..<2)) }
            for name in names where name.hasPrefix("old") { _ = await store.drop(feedName(name)) }
        }
    }

    /// Has deletions be older.
    private func age(seconds: Int) throws {
        try database().run(
            "UPDATE freshet_feed SET gone = gone - interval '\(seconds) seconds' WHERE id = 0"
        )
    }

    /// Sweeps until no row of a deleted feed is left.
    ///
    /// Transactions of other tests, which are short, hold a sweep back.
    private func sweepAll(_ worker: PostgresWorker, _ condition: String = "id = 0") throws {
        for _ in 0..<1000 where try count(condition) > 0 { try worker.sweep() }
        #expect(try count(condition) == 0)
    }

    /// What a worker hears when it looks.
    private func poll(_ worker: PostgresWorker) throws -> [RemoteChange] {
        let journal = try PostgresJournal(keeping.databaseSettings)
        let heard = Mutex<[RemoteChange]>([])
        journal.follow { change in
            heard.withLock { $0.append(change) }
        } reconnected: {
        }
        try worker.poll(journal)
        // All is told by then.
        journal.close()
        return heard.withLock(\.self)
    }

    @Test func answersThatTheDatabaseRefusesAreTold() async throws {
        try await keeping.use { _, journal in
            let journal = try #require(journal as? any SharedJournal)
            try database().run("ALTER TABLE freshet_answer RENAME TO other")
            let result = await withCheckedContinuation { done in
                journal.findAnswer(owner: [], key: []) { done.resume(returning: $0) }
            }
            try database().run("ALTER TABLE other RENAME TO freshet_answer")
            #expect(throws: JournalError.self) { try result.get() }
            while journal.trouble?.contains("freshet_answer") != true { await Task.yield() }
        }
    }

    /// The database refuses a notification of 8,000 bytes and more, and with it what came at the
    /// same time.
    @Test func longWordsForTheLeaderAreLeftOut() async throws {
        let said = Mutex<[String]>([])
        var settings = keeping.databaseSettings
        settings.report = { text in said.withLock { $0.append(text) } }
        let journal = try PostgresJournal(settings)
        _ = try journal.recover { _ in }
        journal.tellLeader(String(repeating: "x", count: 8_000))
        let result = await withCheckedContinuation { done in
            journal.findAnswer(owner: [], key: []) { done.resume(returning: $0) }
        }
        journal.close()
        #expect(try result.get() == nil)
        #expect(said.withLock(\.self) == [])
    }

    /// Requests are answered whatever the database refused of those that came with them.
    @Test(.timeLimit(.minutes(1))) func requestsBesideARefusedOneAreAnswered() async throws {
        try await keeping.use { _, journal in
            let journal = try #require(journal as? PostgresJournal)
            try database().run("ALTER TABLE freshet_answer RENAME TO other")
            let found = await withCheckedContinuation { done in
                _ = journal.post { inbox in
                    inbox.searches.append(([], [], { _ in }))
                    let list = KeptQuery.list(before: 2, limit: 1)
                    inbox.keptRequests.append(
                        .find(list, news, epoch: "") { done.resume(returning: $0) }
                    )
                }
            }
            try database().run("ALTER TABLE other RENAME TO freshet_answer")
            #expect(throws: JournalError.self) { try found.get() }
        }
    }

    @Test func whatTheDatabaseRefusesIsTold() async throws {
        try await keeping.use { store, journal in
            try await store.keep(news, try items(0..<2))
            #expect(journal.trouble == nil)
            try database().run("ALTER TABLE freshet_log RENAME TO other")
            let later = try items(0..<3)
            let outcome = await store.outcome(news) { _ throws(Refusal) in later }
            try database().run("ALTER TABLE other RENAME TO freshet_log")
            if case .done = outcome { Issue.record("kept") }
            #expect(journal.trouble?.contains("freshet_log") == true)
            try await store.keep(news, later)
        }
    }

    @Test func aDeletedFeedIsRememberedForAnHour() async throws {
        try await publish(["old", "news"])
        let worker = try worker()
        try age(seconds: 3500)
        try worker.sweep()
        #expect(try count("id = 0") == 1)
        try age(seconds: 101)
        try sweepAll(worker)
        #expect(try count("true") == 1)
        // The name is free for another feed.
        let token = try await keeping.use { store, _ in
            try await store.keep(feedName("old"), items(0..<1))
            return store.current(feedName("old"))?.token
        }
        #expect(token?.version == 1)
        #expect(try count("id <> 0 AND gone IS NULL") == 2)
    }

    @Test func aFeedThatIsMadeAgainIsNotForgotten() async throws {
        try await publish(["old"])
        try age(seconds: 7200)
        try await keeping.use { store, _ in _ = try await store.keep(feedName("old"), items(0..<1))
        }
        try worker().sweep()
        #expect(try count("id <> 0") == 1)
    }

    @Test func aServerThatSleptThroughAForgottenDeletionFindsOut() async throws {
        try await publish(["a", "b"])
        var settings = keeping.databaseSettings
        // As if it had slept for half an hour.
        settings.deletedTime = .zero
        let sleeper = try worker(settings)
        #expect(sleeper.heads.count == 2)
        try await keeping.use { store, _ in
            _ = await store.drop(feedName("a"))
            try await store.keep(feedName("c"), items(0..<1))
        }
        try age(seconds: 7200)
        try sweepAll(worker())
        let received = try poll(sleeper)
        #expect(
            received.contains { if case .removal(feedName("a"), _) = $0 { true } else { false } }
        )
        #expect(Set(sleeper.heads.keys) == [feedName("b"), feedName("c")])
        #expect(try poll(sleeper).isEmpty)
    }

    @Test func manyServersForgetAtOnce() async throws {
        try await publish((0..<60).map { "old\($0)" } + ["news"])
        try age(seconds: 7200)
        let workers = try (0..<4).map { _ in try worker() }
        try await withThrowingTaskGroup { group in
            for worker in workers { group.addTask { try worker.sweep() } }
            group.addTask { try await publish((0..<60).map { "old\($0)" }) }
            try await group.waitForAll()
        }
        try sweepAll(workers[0], "id = 0 AND gone < now() - interval '1 hour'")
        #expect(try count("id <> 0") == 1)
    }

    /// Makes the tables what a server of format 1 had.
    private func makeOlder() throws {
        let database = try database()
        try database.run("ALTER TABLE freshet_feed DROP COLUMN gone")
        try database.run("UPDATE freshet_note SET value = '1' WHERE name = 'format'")
    }

    @Test func tablesOfFormat1AreBroughtUpToDateByOneOfManyServers() async throws {
        try await publish(["old", "news"])
        try makeOlder()
        let settings = keeping.databaseSettings
        let reports = Mutex<[String]>([])
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                var settings = settings
                settings.report = { text in reports.withLock { $0.append(text) } }
                let worker = PostgresWorker(settings)
                group.addTask { _ = try worker.recover { _ in } }
            }
            try await group.waitForAll()
        }
        let text = "from format 1 to \(PostgresSchema.format)"
        #expect(reports.withLock { $0.filter { $0.contains(text) } }.count == 1)
        #expect(try worker().heads.keys.map(\.rawValue) == ["news"])
        // Since when the feed is gone nobody knows: it counts from now on.
        #expect(try count("id = 0 AND gone IS NULL") == 1)
        try worker().sweep()
        #expect(try count("id = 0 AND gone > now() - interval '1 minute'") == 1)
    }

    @Test func whatAServerOfFormat1DeletesIsForgottenAnHourLater() async throws {
        try await publish(["old", "older"])
        // That server made the second one again, and knows nothing of the column.
        let database = try database()
        try database.run(
            """
            UPDATE freshet_feed SET id = 7, epoch = 'aaaaaaaa', version = 1, hash = 0,
            published = extract(epoch FROM now())::double precision + 1,
            change = pg_current_xact_id(), gone = now() - interval '2 hours' WHERE name = 'older'
            """
        )
        try database.run(
            """
            UPDATE freshet_feed SET id = 0, epoch = '', version = 0, hash = 0,
            change = pg_current_xact_id(), writer = 1 WHERE name = 'older'
            """
        )
        try worker().sweep()
        #expect(try count("id = 0 AND gone > now() - interval '1 minute'") == 2)
    }

    @Test func adoptingIsRefusedWhileAnotherServerIsConnected() async throws {
        try await publish(["news"])
        func epoch() throws -> String {
            try database().run("SELECT epoch FROM freshet_feed WHERE name = 'news'")[0].text(0)
        }
        let before = try epoch()
        var adopting = keeping.databaseSettings
        adopting.adopts = true
        do {
            let other = try worker()
            #expect(throws: JournalError.self) {
                try PostgresWorker(adopting).recover { _ in }
            }
            #expect(try epoch() == before)
            withExtendedLifetime(other) {}
        }
        _ = try PostgresWorker(adopting).recover { _ in }
        #expect(try epoch() != before)
    }

    /// By another program.
    @Test(arguments: [#"a"b"#, #"a\b"#, "a,b}"])
    func aRowWithANameThatNoFeedHasIsNamed(_ name: String) async throws {
        try await publish(["news"])
        let sql = "UPDATE freshet_feed SET name = $1::text WHERE name = 'news'"
        try database().run(sql, [.text(name)])
        var adopting = keeping.databaseSettings
        adopting.adopts = true
        let error = #expect(throws: JournalError.self) {
            try PostgresWorker(adopting).recover { _ in }
        }
        #expect(error?.description.contains("a feed has the name \"\(name)\"") == true)
    }

    @Test func tablesOfANewerFormatStayAsTheyAre() async throws {
        try await publish(["news"])
        let newer = "\(PostgresSchema.format + 1)"
        try database().run("UPDATE freshet_note SET value = '\(newer)' WHERE name = 'format'")
        #expect(throws: JournalError.self) { try worker() }
        #expect(
            try database().run("SELECT value FROM freshet_note WHERE name = 'format'")[0].text(0)
                == newer
        )
    }

    @Test func anotherDatabaseCountsDeletionsAnew() async throws {
        try await publish(["old", "news"])
        // As after a dump of a database that had many more transactions was read in here.
        let database = try database()
        try database.run("UPDATE freshet_feed SET change = '900000000000' WHERE id = 0")
        try database.run("UPDATE freshet_note SET value = '1/0' WHERE name = 'place'")
        let worker = try worker()
        try age(seconds: 7200)
        try sweepAll(worker)
    }

    @Test func theDatabaseNoticesSoonThatAServerIsGone() throws {
        let worker = try worker()
        // Otherwise, what it had locked stays locked for two hours (tcp(7)).
        for (name, value) in [("idle", "5"), ("interval", "2"), ("count", "3")] {
            let shown = try worker.connection?
                .run("SELECT current_setting('tcp_keepalives_\(name)')")
            #expect(shown?[0].text(0) == value)
        }
    }
}
