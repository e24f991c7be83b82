import Dispatch
import FeedModel
import FeedStore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FeedJournal

@Suite struct Backups {
    private func backup(_ journal: SQLiteJournal, to path: String) async throws -> Int {
        try await withCheckedContinuation { continuation in
            journal.backup(to: path, replaces: true) { continuation.resume(returning: $0) }
        }.get()
    }

    @Test func aBackupHasWhatWasAcknowledgedAndIsRestoredWithNewEpochs() async throws {
        let keeping = try Keeping(.disk)
        let file = keeping.folder.path("backup")
        let journal = try SQLiteJournal(try DataFolder(keeping.path), keeping.settings)
        let store = keeping.store(journal)
        for number in 1..<30 { try await store.keep(news, try items(0..<number * 100)) }
        #expect(try await backup(journal, to: file) > 100_000)
        try await store.keep(news, try items(0..<1))
        journal.close()

        let other = keeping.folder.path("other")
        let contents = try DataFolder(other).restore(file, replaces: false)
        #expect(contents.feeds == 1)
        #expect(contents.items == 2900)
        let folder = try DataFolder(keeping.path)
        #expect(throws: JournalError.self) { try folder.restore(file, replaces: false) }
        let none = other + "-none"
        #expect(throws: JournalError.self) {
            try DataFolder.restore(other + "/lock", to: none, replaces: false)
        }
        #expect(!FileManager.default.fileExists(atPath: none))
        _ = try folder.restore(file, replaces: true)
        withExtendedLifetime(folder) {}
    }

    @Test func aRestoredFeedHasTheContentAndAnotherEpoch() async throws {
        let keeping = try Keeping(.disk)
        let file = keeping.folder.path("backup")
        let kept = try await keeping.use { store, journal in
            let version = try await store.keep(news, try items(0..<3)).current
            _ = try await backup(try #require(journal as? SQLiteJournal), to: file)
            try await store.keep(news, try items(0..<5))
            return version
        }
        _ = try DataFolder(keeping.path).restore(file, replaces: true)
        try await keeping.use { store, _ in
            let version = try #require(store.current(news))
            #expect(version.snapshot.everything == kept.snapshot.everything)
            #expect(version.token.version == 1)
            #expect(version.token.epoch != kept.token.epoch)
        }
    }

    @Test(
        arguments: [
            "feeds.db", "feeds.db-wal", "lock", "sources.json", "restored.part", "restored.whole",
        ]
    )
    func aBackupTakesNoPlaceOfWhatTheServerWorksWith(_ name: String) async throws {
        let keeping = try Keeping(.disk)
        try await keeping.use { store, journal in
            let journal = try #require(journal as? SQLiteJournal)
            try await store.keep(news, try items(0..<3))
            await #expect(throws: JournalError.self) {
                try await backup(journal, to: keeping.path + "/./" + name)
            }
            #expect(try await backup(journal, to: keeping.path + "/mine.db") > 0)
            try await store.keep(news, try items(0..<4))
        }
        try await keeping.use { store, _ in
            #expect(store.current(news)?.token.version == 2)
        }
    }

    private func keep(_ states: SourceStates, in journal: any Journal) async {
        await withCheckedContinuation { done in
            journal.keep(states) { isKept in
                #expect(isKept)
                done.resume()
            }
        }
    }

    @Test func whatIsKnownOfSourcesGoesWithThem() async throws {
        let keeping = try Keeping(.disk)
        let (file, bare) = (keeping.folder.path("backup"), keeping.folder.path("bare"))
        try await keeping.use { store, journal in
            let journal = try #require(journal as? SQLiteJournal)
            try await store.keep(news, try items(0..<3))
            _ = try await backup(journal, to: bare)
            await keep(["news": [1]], in: journal)
            _ = try await backup(journal, to: file)
            await keep(["news": [2], "other": [3]], in: journal)
        }
        _ = try DataFolder(keeping.path).restore(file, replaces: true)
        #expect(try recovered(keeping).sources == ["news": [1]])
        // What is not in a backup is not left from before.
        try Data("{}".utf8).write(to: URL(fileURLWithPath: keeping.path + "/sources.json"))
        _ = try DataFolder(keeping.path).restore(bare, replaces: true)
        let state = try recovered(keeping)
        #expect(state.sources.isEmpty && state.oldSources == nil)
    }

    private func recovered(_ keeping: Keeping) throws -> RecoveredState {
        let journal = try keeping.journal()
        defer { journal.close() }
        return try journal.recover { _ in }
    }

    /// A server of format 3 kept the states of sources in a file, and in backups as a note.
    @Test(arguments: [false, true])
    func whatAnEarlierServerKnewOfSourcesIsTaken(_ isRestored: Bool) async throws {
        let keeping = try Keeping(.disk)
        let file = keeping.folder.path("backup")
        let path = keeping.path + "/sources.json"
        try await keeping.use { store, journal in
            try await store.keep(news, try items(0..<3))
            let journal = try #require(journal as? SQLiteJournal)
            _ = try await backup(journal, to: file)
        }
        let old = isRestored ? file : keeping.path + "/feeds.db"
        do {
            let database = try Database(path: old)
            try database.execute("DROP TABLE source; PRAGMA user_version = 3")
            if isRestored {
                try database.execute(#"INSERT INTO note VALUES('sources.json', '{"é":1}')"#)
            }
        }
        try Data((isRestored ? "later" : #"{"é":1}"#).utf8).write(to: URL(fileURLWithPath: path))
        if isRestored { _ = try DataFolder(keeping.path).restore(file, replaces: true) }
        // A look does not take it away.
        _ = try DataFolder(keeping.path).examine()
        for _ in 0..<2 {
            let old = try #require(try recovered(keeping).oldSources)
            #expect(old.path == path)
            #expect(String(decoding: old.text, as: UTF8.self) == #"{"é":1}"#)
        }
        try await keeping.use { store, journal in
            try await store.keep(news, try items(0..<4))
            #expect(isRestored || FileManager.default.fileExists(atPath: path))
            await keep(["news": [1]], in: journal)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        let state = try recovered(keeping)
        #expect(state.sources == ["news": [1]] && state.oldSources == nil)
    }

    /// Keeps so much that a backup of it takes many steps.
    private func keepManyFeeds(in store: FeedStore) async throws {
        for number in 0..<20 {
            try await store.keep(feedName("feed-\(number)"), try items(0..<1000))
        }
    }

    @Test func publishesGoOnDuringABackup() async throws {
        let keeping = try Keeping(.disk)
        let file = keeping.folder.path("backup")
        try await keeping.use { store, journal in
            let journal = try #require(journal as? SQLiteJournal)
            try await keepManyFeeds(in: store)
            async let bytes = backup(journal, to: file)
            for number in 1..<50 { try await store.keep(news, try items(0..<number * 50)) }
            #expect(try await bytes > 1 << 20)
        }
        #expect(
            try DataFolder(keeping.folder.path("other")).restore(file, replaces: false).feeds >= 20
        )
    }

    @Test func aStopEndsBackupsAndLeavesNothingOfThem() async throws {
        let keeping = try Keeping(.disk)
        let journal = try SQLiteJournal(try DataFolder(keeping.path), keeping.settings)
        try await keepManyFeeds(in: keeping.store(journal))
        let outcomes = Mutex<[Result<Int, JournalError>]>([])
        let gate = DispatchSemaphore(value: 0)
        // The first one is begun, and goes on when the stop is. The queue is looked at between any
        // two steps, since this begins before the backups.
        let part = keeping.folder.path("a.part")
        await withCheckedContinuation { (begun: CheckedContinuation<Void, Never>) in
            @Sendable func hold() {
                guard access(part, F_OK) == 0 || !outcomes.withLock(\.isEmpty) else {
                    return journal.queue.async(execute: hold)
                }
                begun.resume()
                gate.wait()
            }
            journal.queue.async(execute: hold)
            for name in ["a", "b", "c"] {
                journal.backup(to: keeping.folder.path(name), replaces: true) { outcome in
                    outcomes.withLock { $0.append(outcome) }
                }
            }
        }
        #expect(access(part, F_OK) == 0)
        async let isClosed = withCheckedContinuation { closed in
            DispatchQueue.global().async {
                journal.close()
                closed.resume(returning: true)
            }
        }
        while !journal.isClosing { await Task.yield() }
        gate.signal()
        #expect(await isClosed)
        let stopped = Result<Int, JournalError>.failure(JournalError("the server is stopping"))
        #expect(outcomes.withLock(\.self) == [stopped, stopped, stopped])
        let names = try FileManager.default.contentsOfDirectory(atPath: keeping.folder.path(""))
        #expect(Set(names).isDisjoint(with: ["a", "b", "c", "a.part", "b.part", "c.part"]))
    }

    /// SQLite leaves the journal of the copy where the disk is full.
    @Test func aBackupThatIsGivenUpLeavesNothing() throws {
        let keeping = try Keeping(.disk)
        let journal = try SQLiteJournal(try DataFolder(keeping.path), keeping.settings)
        defer { journal.close() }
        try journal.queue.sync {
            let path = keeping.folder.path("a")
            let copy = try JournalBackup(of: journal.writer, to: path, replaces: false)
            try keeping.folder.write("", to: "a.part-journal")
            withExtendedLifetime(copy) {}
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: keeping.folder.path(""))
        #expect(!names.contains { $0.hasPrefix("a.part") })
    }

    @Test func backupsToOneFileAreMadeOneAfterTheOther() async throws {
        let keeping = try Keeping(.disk)
        let file = keeping.folder.path("backup")
        try await keeping.use { store, journal in
            let journal = try #require(journal as? SQLiteJournal)
            try await keepManyFeeds(in: store)
            async let first = backup(journal, to: file)
            async let second = backup(journal, to: file)
            async let third = backup(journal, to: file)
            let counts = try await [first, second, third]
            #expect(counts.allSatisfy { $0 > 1 << 20 })
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: keeping.folder.path(""))
        #expect(!names.contains("backup.part"))
        #expect(
            try DataFolder(keeping.folder.path("other")).restore(file, replaces: false).feeds == 20
        )
    }

    @Test func aFileThatAnotherServerWritesItsBackupToIsLeftAlone() async throws {
        let keeping = try Keeping(.disk)
        let file = keeping.folder.path("backup")
        try await keeping.use { store, journal in
            let journal = try #require(journal as? SQLiteJournal)
            try await store.keep(news, try items(0..<3))
            // What a server holds open while it writes.
            let other = open(file + ".part", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
            let error = await #expect(throws: JournalError.self) {
                try await backup(journal, to: file)
            }
            #expect("\(try #require(error))".contains("another server is writing a backup"))
            #expect(access(file + ".part", F_OK) == 0)
            // What is left when it ends amidst.
            close(other)
            #expect(try await backup(journal, to: file) > 0)
        }
        #expect(access(file + ".part", F_OK) != 0)
    }

    /// SQLite needs both databases until the copy is finished; ``JournalBackup`` lets go of them in
    /// any order.
    @Test func aCopyThatIsGivenUpKeepsItsDatabasesUntilItIsFinished() throws {
        let keeping = try Keeping(.disk)
        let source = try Database(path: keeping.folder.path("source"))
        try source.execute("CREATE TABLE a(b); INSERT INTO a VALUES(zeroblob(1000000))")
        weak var known: Database?
        var destination: Database? = try Database(path: keeping.folder.path("destination"))
        known = destination
        var copy = try destination?.backup(from: source)
        #expect(try copy?.step(pages: 1) == false)
        destination = nil
        #expect(known != nil)
        copy = nil
        #expect(known == nil)
    }

    @Test func aBackupPutInPlaceByHandIsRefused() async throws {
        let keeping = try Keeping(.disk)
        let file = keeping.folder.path("backup")
        try await keeping.use { store, journal in
            try await store.keep(news, try items(0..<3))
            _ = try await backup(try #require(journal as? SQLiteJournal), to: file)
        }
        let database = try DataFolder(keeping.path).database
        try FileManager.default.removeItem(atPath: database)
        try FileManager.default.copyItem(atPath: file, toPath: database)
        #expect(throws: JournalError.self) { try keeping.journal() }
    }

    @Test func aDamagedBackupLeavesWhatIsThere() async throws {
        let keeping = try Keeping(.disk)
        let file = keeping.folder.path("backup")
        try await keeping.use { store, journal in
            try await store.keep(news, try items(0..<3000))
            _ = try await backup(try #require(journal as? SQLiteJournal), to: file)
        }
        let before = try keeping.read()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        for index in stride(from: 5000, to: bytes.count, by: 4096) { bytes[index] ^= 1 }
        try bytes.write(to: URL(fileURLWithPath: file))
        let damaged = #expect(throws: JournalError.self) {
            try DataFolder(keeping.path).restore(file, replaces: true)
        }
        #expect(damaged?.description.hasPrefix("\(file) is damaged: ") == true)
        try keeping.folder.write(String(repeating: "x", count: 9000), to: "page.html")
        let page = keeping.folder.path("page.html")
        let other = #expect(throws: JournalError.self) {
            try DataFolder(keeping.path).restore(page, replaces: true)
        }
        #expect(other?.description.hasPrefix("\(page) is damaged: file is not a database") == true)
        #expect(other?.description.hasSuffix("Take another backup") == true)
        #expect(!FileManager.default.fileExists(atPath: keeping.path + "/restored.part"))
        #expect(try keeping.read() == before)
    }
}
