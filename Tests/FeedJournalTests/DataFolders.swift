import FeedModel
import FeedStore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FeedJournal

/// Folders of feeds: whose they are, what is damaged, and copies of them.
@Suite struct DataFolders {
    private let keeping: Keeping

    init() throws {
        keeping = try Keeping(.disk)
    }

    private func url(_ name: String) -> URL {
        URL(fileURLWithPath: keeping.path).appendingPathComponent(name)
    }

    /// Why the folder cannot be opened.
    private func refusal(adopts: Bool = false) -> String? {
        do {
            var settings = keeping.settings
            settings.adopts = adopts
            let journal = try SQLiteJournal(try DataFolder(keeping.path), settings)
            defer { journal.close() }
            _ = try journal.recover { _ in }
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func aFolderHasOneProcess() async throws {
        try await keeping.use { _, _ in
            let refusal = refusal()
            #expect(refusal?.contains("in use by another process") == true, "\(refusal ?? "")")
            #expect(refusal?.contains("process \(getpid())") == true)
        }
        #expect(refusal() == nil)
    }

    @Test func aFolderThatCannotBeIsNamed() throws {
        try keeping.folder.write("a file", to: "data")
        let refusal = refusal()
        #expect(refusal?.contains(keeping.path) == true)
        #expect(refusal?.contains("Not a directory") == true)
    }

    @Test func aLaterFormatIsRefusedAndLeftAsItIs() async throws {
        _ = try await keeping.use { store, _ in try await store.keep(news, try items(0..<3)) }
        do {
            let database = try Database(path: url("feeds.db").path)
            try database.execute("PRAGMA user_version = 7")
        }
        #expect(refusal()?.contains("a newer server wrote it, in format 7") == true)
        #expect(refusal(adopts: true)?.contains("a newer server wrote it") == true)
    }

    @Test func anotherDatabaseIsRefused() throws {
        try FileManager.default.createDirectory(
            atPath: keeping.path,
            withIntermediateDirectories: true
        )
        do {
            let database = try Database(path: url("feeds.db").path)
            try database.execute("CREATE TABLE other(x)")
        }
        #expect(refusal()?.contains("a database of something else") == true)
        try Data(repeating: 7, count: 9000).write(to: url("feeds.db"))
        #expect(refusal()?.contains("not a database") == true)
    }

    @Test func aDatabaseThatWasEmptiedIsRefused() async throws {
        _ = try await keeping.use { store, _ in try await store.keep(news, try items(0..<3)) }
        try Data().write(to: url("feeds.db"))
        let refusal = refusal()
        #expect(refusal?.contains("feeds.db is empty, though feeds were kept there") == true)
        #expect(refusal?.contains("Restore a backup") == true)
        #expect(try Data(contentsOf: url("feeds.db")).isEmpty)
        #expect(self.refusal(adopts: true) == nil)
    }

    @Test func aConnectionThatDoesNotSyncIsRefused() throws {
        try FileManager.default.createDirectory(
            atPath: keeping.path,
            withIntermediateDirectories: true
        )
        let database = try Database(path: url("feeds.db").path)
        try database.execute("PRAGMA locking_mode = EXCLUSIVE")
        _ = try database.value("PRAGMA journal_mode = WAL")
        try database.execute("PRAGMA synchronous = FULL")
        try JournalWriter.checkDurability(database)
        try database.execute("PRAGMA synchronous = NORMAL")
        #expect(throws: DatabaseError.self) { try JournalWriter.checkDurability(database) }
    }

    @Test func aStatementThatIsBeingReadIsNotRunAgain() throws {
        let database = try Database(path: ":memory:")
        try database.execute("CREATE TABLE a(b); INSERT INTO a VALUES(1), (2)")
        let sql = "SELECT b FROM a WHERE b >= ? ORDER BY b"
        for _ in 0..<2 {
            let first = try database.query(sql, [.integer(1)])
            #expect(try first.next())
            let second = try database.query(sql, [.integer(2)])
            #expect(try second.next())
            #expect(second.integer(0) == 2)
            #expect(try first.next())
            #expect(first.integer(0) == 2)
        }
        #expect(try database.value(sql, [.integer(3)]) == nil)
    }

    @Test func aCopyIsRefusedUntilItIsAdopted() async throws {
        let first = try await keeping.use { store, _ in
            try await store.keep(news, try items(0..<3)).current
        }
        let copy = keeping.folder.path("copy")
        try FileManager.default.copyItem(atPath: keeping.path, toPath: copy)
        try FileManager.default.removeItem(atPath: keeping.path)
        try FileManager.default.moveItem(atPath: copy, toPath: keeping.path)
        #expect(refusal()?.contains("--adopt") == true)
        #expect(refusal(adopts: true) == nil)
        try await keeping.use { store, _ in
            let version = try #require(store.current(news))
            #expect(version.token.epoch != first.token.epoch)
            #expect(version.snapshot.everything == first.snapshot.everything)
        }
    }

    @Test func aFolderThatWasMovedIsTheSame() async throws {
        _ = try await keeping.use { store, _ in try await store.keep(news, try items(0..<3)) }
        let other = keeping.folder.path("other")
        try FileManager.default.moveItem(atPath: keeping.path, toPath: other)
        try FileManager.default.moveItem(atPath: other, toPath: keeping.path)
        #expect(refusal() == nil)
    }

    @Test(arguments: [0, 1000, 50_000, nil])
    func aLogThatWasCutIsRefused(_ length: Int?) async throws {
        try await keeping.useAndDie { store in
            for number in 1..<20 { try await store.keep(news, try items(0..<number)) }
        }
        if let length {
            let file = try FileHandle(forWritingTo: url("feeds.db-wal"))
            try file.truncate(atOffset: UInt64(length))
        } else {
            try FileManager.default.removeItem(at: url("feeds.db-wal"))
        }
        let refusal = refusal()
        #expect(refusal?.contains("may be lost") == true, "\(refusal ?? "none")")
        #expect(self.refusal(adopts: true) == nil)
    }

    @Test func aKilledProcessLeavesEverything() async throws {
        var contents: [String] = []
        try await keeping.useAndDie { store in
            for number in 1..<40 { try await store.keep(news, try items(0..<number)) }
            contents = try #require(store.current(news)).snapshot.everything
        }
        try await keeping.use { store, _ in
            #expect(store.current(news)?.token.version == 39)
            #expect(store.current(news)?.snapshot.everything == contents)
        }
    }

    @Test func aDamagedPageIsFoundAndNamed() async throws {
        _ = try await keeping.use { store, _ in
            for number in 1..<12 { try await store.keep(news, try items(0..<number * 100)) }
        }
        let content = try keeping.read()
        let whole = try Data(contentsOf: url("feeds.db"))
        for place in 0..<40 {
            let index = 100 + place * (whole.count - 200) / 40
            var bytes = whole
            bytes[index] ^= 0x10
            try write(bytes)
            if let refusal = refusal() {
                #expect(refusal.contains("feeds.db"), "\(refusal), at \(index)")
            } else {
                // Nothing was in that place, or nothing that counts.
                #expect(try keeping.read() == content, "at \(index)")
            }
            try write(whole)
        }
        #expect(try keeping.read() == content)
    }

    /// Puts a database in the file's place, without a log.
    private func write(_ database: Data) throws {
        for name in ["feeds.db-wal", "feeds.db-shm"] {
            try? FileManager.default.removeItem(at: url(name))
        }
        let file = try FileHandle(forWritingTo: url("feeds.db"))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: database)
        try file.close()
    }

    @Test func compactionKeepsTheChunksThatDidNotChange() async throws {
        func chunks() throws -> [Int: [UInt8]] {
            let database = try Database(path: url("feeds.db").path)
            let rows = try database.query("SELECT id, data FROM chunk")
            var chunks: [Int: [UInt8]] = [:]
            while try rows.next() { chunks[rows.integer(0)] = rows.blob(1) }
            return chunks
        }
        let count = 6000
        var tokens = [
            try await keeping.use { store, _ in
                try await store.keep(news, try items(0..<count)).current.token
            }
        ]
        let before = try chunks()
        let changed = try items(0..<count / 50, value: 1)
        try await keeping.use { store, journal in
            // The same few items again and again, until the changes come to much.
            for round in 0..<60 {
                let front = round % 2 == 0 ? changed : try items(0..<count / 50)
                var edited = try #require(store.current(news)).snapshot
                for item in front.sections[0].items {
                    let position = try #require(edited.position(ofItem: item.id))
                    edited.replaceItem(at: position, with: item)
                }
                tokens.append(try await store.keep(news, edited).current.token)
            }
            #expect(isRemembered(tokens, store, back: 7))
        }
        let after = try chunks()
        let shared = before.filter { after[$0.key] == $0.value }.count
        #expect(before.count > 10)
        #expect(after != before)
        #expect(shared > before.count / 2)
        try await keeping.use { store, _ in
            #expect(store.current(news)?.token == tokens.last)
            #expect(store.current(news)?.count == count)
            #expect(isRemembered(tokens, store, back: 7))
            #expect(!isRemembered(tokens, store, back: 50))
        }
    }

    /// What was kept before a restart counts as what is kept after it.
    @Test func theLastVersionsOutliveOneRestartAfterTheOther() async throws {
        var tokens: [Token] = []
        try await keeping.use { store, _ in
            for round in 0..<20 {
                let content = try items(0..<300, value: round)
                tokens.append(try await store.keep(news, content).current.token)
            }
        }
        for restart in 0..<6 {
            try await keeping.use { store, _ in
                for distance in 0..<8 {
                    #expect(
                        isRemembered(tokens, store, back: distance),
                        "\(distance) back after \(restart) restarts"
                    )
                }
                for round in 0..<2 {
                    let content = try items(0..<300, value: 100 * restart + round + 50)
                    tokens.append(try await store.keep(news, content).current.token)
                }
            }
        }
    }

    /// Whether the version so many publishes before the last one is remembered.
    private func isRemembered(_ tokens: [Token], _ store: FeedStore, back distance: Int) -> Bool {
        store.version(tokens[tokens.count - 1 - distance], of: news) != nil
    }

    @Test func publishesThatComeTogetherShareASync() async throws {
        let journal = try SQLiteJournal(try DataFolder(keeping.path), keeping.settings)
        let store = keeping.store(journal)
        let contents = try (1...32).map { try items(0..<$0) }
        journal.queue.suspend()
        await withTaskGroup { group in
            for (number, content) in contents.enumerated() {
                let feed = feedName("feed-\(number % 4)")
                group.addTask { _ = await store.outcome(feed) { _ throws(Refusal) in content } }
            }
            group.addTask {
                while journal.exchange.inbox.withLock(\.items.count) < 32 { await Task.yield() }
                journal.queue.resume()
            }
        }
        #expect(journal.counters.transactions == 1)
        #expect(journal.counters.entries == 32)
        journal.close()
    }

    @Test func theLogStaysBounded() async throws {
        let journal = try SQLiteJournal(try DataFolder(keeping.path), keeping.settings)
        let store = keeping.store(journal)
        for round in 0..<120 { try await store.keep(news, try items(0..<300, value: round)) }
        let byteCount = try #require(DataFolder.byteCount(url("feeds.db-wal").path))
        #expect(byteCount < 1 << 20, "\(journal.counters), \(journal.trouble ?? "no trouble")")
        journal.close()
    }
}

extension Keeping {
    /// Everything in the folder, in text.
    func read() throws -> [String] {
        let journal = try journal()
        defer { journal.close() }
        var text: [String] = []
        _ = try journal.recover { feed in
            for version in feed.versions {
                text += ["\(feed.feed) \(version.token) \(version.published)"]
                text += version.snapshot.everything
            }
        }
        return text
    }
}
