import FeedModel
import FeedStore
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedJournal

/// Transactions that were kept, though the connection broke before that was heard.
extension DatabaseRaces {
    /// Publishes and deletes as `changes` say, each as one transaction, and has a server hear
    /// nothing of it; then it finds out.
    private func publishUnheard(
        by server: Server,
        _ changes: [Snapshot?],
        before resolving: () async throws -> Void = {}
    ) async throws {
        for change in changes {
            if let change { server.publish(news, change) } else { server.drop(news) }
        }
        let items = server.journal.takeItems()
        let other = try HeldDatabase(keeping.databaseSettings)
        _ = try other.recover { _ in }
        other.worker.heads = server.journal.worker.heads
        var sent: [PostgresWorker.Batch.Sent] = []
        for item in items {
            let silent = JournalInbox.Item(entry: item.entry, decided: { _ in })
            try other.worker.write([silent], other.teller)
            let head = other.worker.heads[news]
            sent.append(PostgresWorker.Batch.Sent(item: item, statement: 0, head: head))
        }
        try database().run("INSERT INTO freshet_batch(id) VALUES(7)")
        try await resolving()
        server.journal.worker.undecided = PostgresWorker.Undecided(
            id: 7,
            sent: sent,
            reason: "the connection is lost",
            since: .now
        )
        try await server.journal.connectAgain()
    }

    /// What readers see is what the database has, and the next publish is made of it.
    private func expectAgreement(_ server: Server) async throws {
        let fresh = try self.server()
        #expect(server.store.current(news)?.token == fresh.store.current(news)?.token)
        _ = server.outcomes.take()
        server.publish(news, try items(40..<50))
        try await server.journal.write()
        #expect(server.outcomes.take() == ["publish done"])
        #expect(server.store.current(news)?.count == 10)
    }

    @Test func aVersionAndADeletionThatWereNotHeardOfAreFoundOut() async throws {
        let server = try server()
        server.publish(news, try items(0..<2))
        try await server.journal.write()
        try await publishUnheard(by: server, [try items(0..<3), nil])
        try await expectAgreement(server)
    }

    @Test func aFeedThatWasMadeAgainUnheardIsFoundOut() async throws {
        let server = try server()
        server.publish(news, try items(0..<2))
        try await server.journal.write()
        try await publishUnheard(by: server, [try items(0..<3), nil, try items(0..<4)])
        #expect(
            server.outcomes.take().suffix(3) == ["publish done", "deletion done", "publish done"]
        )
        try await expectAgreement(server)
    }

    @Test func versionsThatWereNotHeardOfAndAreMergedAreFoundOut() async throws {
        let server = try server()
        server.publish(news, try items(0..<2))
        try await server.journal.write()
        try await publishUnheard(by: server, [try items(0..<3), try items(0..<4)]) {
            // Another server keeps the last of them as a whole.
            let rows = try database().run("SELECT id FROM freshet_feed")
            let record = BaseRecord(
                FeedImage(try items(0..<4)),
                times: [0],
                details: VersionDetails(),
                reusing: []
            )
            let data = record.bytes
            let hash = try database().run("SELECT hash FROM freshet_feed")[0].bits(0)
            try database().run(
                "UPDATE freshet_base SET version = 3, hash = $1, checksum = $2, data = $3",
                [.bits(hash), .bits(Checksum.of(data, after: hash ^ 3)), .blob(data)]
            )
            try database().run(
                "DELETE FROM freshet_log WHERE feed = $1",
                [.integer(rows[0].integer(0))]
            )
        }
        #expect(server.outcomes.take().suffix(2) == ["publish done", "publish done"])
        try await expectAgreement(server)
    }
}

/// The end of a server that does not know what became of a transaction.
extension DatabaseRaces {
    /// It may have been committed, so that nobody may be told that it was refused.
    @Test(arguments: [false, true])
    func whatWasNotHeardOfIsUnknownAtTheEnd(_ wasWrittenBefore: Bool) async throws {
        let server = try server()
        server.publish(news, try items(0..<2))
        try await server.journal.write()
        #expect(server.outcomes.take() == ["publish done"])
        server.publish(news, try items(0..<3))
        let worker = server.journal.worker
        worker.connection = try PostgresConnection(worker.settings.address, silence: .zero)
        // The database answers no write meanwhile, however long this thread sleeps.
        let other = try database()
        try other.run("BEGIN")
        try other.run("LOCK TABLE freshet_feed, freshet_log")
        defer { withExtendedLifetime(other) {} }
        if wasWrittenBefore {
            let items = server.journal.takeItems()
            #expect(throws: PostgresError.self) {
                try worker.write(items, server.journal.teller)
            }
            worker.connection = nil
        }
        await server.journal.end()
        #expect(server.outcomes.take() == ["publish unknown"])
    }

    @Test func whatWasNotSentIsRefusedAtTheEnd() async throws {
        let server = try server()
        server.publish(news, try items(0..<2))
        server.journal.worker.connection = nil
        await server.journal.end()
        #expect(server.outcomes.take() == ["publish refused"])
    }
}

extension DatabaseRaces {
    /// Any of the last versions may become the base, whichever server made it.
    @Test func aVersionOfAnotherServerIsThereAsLongAsTheStoreHasIt() async throws {
        let (first, second) = (try server(), try server())
        for count in 1...4 {
            first.publish(news, try items(0..<count))
            try await first.journal.write()
            try await second.journal.look()
        }
        let recent = try #require(second.journal.worker.heads[news]).recent
        #expect(recent.count == 4)
        #expect(recent.allSatisfy { $0.content != nil })
    }

    @Test func whatADatabaseHasLostIsNotKeptAsAWhole() async throws {
        let server = try server()
        let saved = "saved\(UInt64.random(in: 1 ... .max))"
        for value in 0..<30 {
            if value == 10 { try save(as: saved) }
            server.publish(news, try items(0..<60, value: value))
            try await server.journal.write()
        }
        let compactions = server.journal.compactions()
        #expect(!compactions.isEmpty)
        try restore(saved)
        try await server.journal.connectAgain()
        try server.journal.worker.write(compactions)
        let fresh = try self.server()
        #expect(
            fresh.store.current(news)?.snapshot.everything
                == server.store.current(news)?.snapshot.everything
        )
        try await expectAgreement(server)
        try await fresh.journal.look()
        #expect(fresh.store.current(news)?.count == 10)
        // What it has is.
        for value in 0..<30 {
            server.publish(news, try items(0..<60, value: value))
            try await server.journal.write()
        }
        try server.journal.worker.write(server.journal.compactions())
        #expect(try database().run("SELECT version FROM freshet_base")[0].integer(0) > 1)
    }
}

extension DatabaseRaces {
    @Test func aFeedThatIsDamagedHoldsUpNoOther() async throws {
        let (first, second) = (try server(), try server())
        let broken = feedName("broken")
        first.publish(broken, try items(0..<2))
        try await first.journal.write()
        try await second.journal.look()
        // Another life of it is damaged before the second server has read it.
        first.drop(broken)
        first.publish(broken, try items(0..<3))
        first.publish(news, try items(0..<4))
        try await first.journal.write()
        try database().run(
            "UPDATE freshet_base SET data = data || '\\x00' WHERE feed = $1::bigint",
            [.integer(first.journal.worker.heads[broken]?.id ?? 0)]
        )
        try await second.journal.look()
        #expect(second.store.current(news)?.count == 4)
        // Nobody is told that it is up to date, and none of its publishes is tried for ever.
        #expect(Array(second.journal.worker.damaged.keys) == [broken])
        second.publish(broken, try items(0..<5))
        try await second.journal.write()
        #expect(second.outcomes.take() == ["publish refused"])
        // The connection can be lost and made again.
        try await second.journal.connectAgain()
        second.publish(news, try items(0..<5))
        try await second.journal.write()
        #expect(second.outcomes.take() == ["publish done"])
        // The feed is deleted, and made again.
        first.drop(broken)
        first.publish(broken, try items(0..<6))
        try await first.journal.write()
        try await second.journal.look()
        #expect(second.store.current(broken)?.count == 6)
        #expect(second.journal.worker.damaged.isEmpty)
    }
}

extension DatabaseRaces {
    /// By another program.
    @Test func aRowWithANameThatNoFeedHasHoldsUpNoFeed() async throws {
        var settings = keeping.databaseSettings
        let reports = Mutex<[String]>([])
        settings.report = { text in reports.withLock { $0.append(text) } }
        let journal = try HeldDatabase(settings)
        let store = keeping.store(journal)
        _ = try store.restore()
        let server = Server(store: store, journal: journal)
        try database().run(
            """
            INSERT INTO freshet_feed
            VALUES('No Name', 1, 'aaaaaaaa', 1, 0, 0, pg_current_xact_id(), 0)
            """
        )
        try await journal.look()
        // The connection is lost, and made again.
        for _ in 0..<2 { try await journal.connectAgain() }
        server.publish(news, try items(0..<2))
        try await journal.write()
        #expect(server.outcomes.take() == ["publish done"])
        let named = reports.withLock { $0.filter { $0.contains("the name \"No Name\"") } }
        #expect(named.count == 1)
    }

    @Test func aFeedThatAServerDoesNotKeepThereIsItsOwn() async throws {
        let first = try server()
        let journal = try HeldDatabase(keeping.databaseSettings)
        let store = FeedStore(journal: journal, volatileFeeds: [news])
        _ = try store.restore()
        let content = try items(0..<7)
        let own = store.publishInMemory(news) { _ in content }
        first.publish(news, try items(0..<2))
        try await first.journal.write()
        try await journal.look()
        #expect(store.current(news)?.token == own.current.token)
        first.drop(news)
        try await first.journal.write()
        try await journal.look()
        #expect(store.current(news)?.count == 7)
    }
}
