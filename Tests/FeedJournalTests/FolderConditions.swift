import FeedModel
import FeedStore
import Foundation
import TestSupport
import Testing

@testable import FeedJournal

/// What a look at a folder finds, which changes nothing there.
@Suite struct FolderConditions {
    private let keeping: Keeping

    init() throws {
        keeping = try Keeping(.disk)
    }

    private func url(_ name: String) -> URL {
        URL(fileURLWithPath: keeping.path).appendingPathComponent(name)
    }

    /// Looks, and finds the files as they were.
    private func condition() throws -> DataFolder.Condition {
        let before = try contents()
        let condition = DataFolder.condition(of: keeping.path)
        #expect(try contents() == before)
        return condition
    }

    private func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: keeping.path)
        var contents: [String: Data] = [:]
        for name in names where name != "control.sock" {
            contents[name] = try Data(contentsOf: url(name))
        }
        return contents
    }

    private func damage(_ name: String, at offset: Int, by mask: UInt8 = 0x10) throws {
        var bytes = try Data(contentsOf: url(name))
        bytes[offset] ^= mask
        let file = try FileHandle(forWritingTo: url(name))
        try file.write(contentsOf: bytes)
        try file.close()
    }

    /// Without a stop in order, as after a kill.
    private func publishAndDie() async throws {
        try await keeping.useAndDie { store in
            for number in 1..<20 { try await store.keep(news, try items(0..<number)) }
        }
    }

    @Test func aFolderIsSoundAfterAStop() async throws {
        #expect(DataFolder.condition(of: keeping.path) == .empty)
        try await keeping.use { store, _ in
            try await store.keep(news, try items(0..<3))
            #expect(try condition() == .inUse("process \(getpid())"))
        }
        #expect(try condition() == .sound)
    }

    /// Of a server whose lock file somebody has removed, say.
    @Test func aDatabaseThatIsOpenElsewhereIsNotDamaged() async throws {
        try await publishAndDie()
        let other = try Database(path: url("feeds.db").path)
        other.keepLogOnClose()
        try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT")
        let path = url("feeds.db").path
        #expect(try condition() == .inUse("a process that has \(path) open"))
        withExtendedLifetime(other) {}
    }

    @Test func aFolderIsSoundAfterAKill() async throws {
        try await publishAndDie()
        #expect(try condition() == .sound)
        try await keeping.use { store, _ in #expect(store.current(news)?.count == 19) }
    }

    @Test func aFolderOfAnyNameIsLookedAt() throws {
        let path = keeping.folder.path("100%? #a\u{E9}")
        try SQLiteJournal(DataFolder(path), keeping.settings).close()
        #expect(DataFolder.condition(of: path) == .sound)
    }

    @Test func damagedPagesAreFound() async throws {
        _ = try await keeping.use { store, _ in
            for number in 1..<12 { try await store.keep(news, try items(0..<number * 100)) }
        }
        // The number of cells of the page that begins the schema.
        try damage("feeds.db", at: 104)
        guard case .damaged(let words) = try condition() else {
            Issue.record("not damaged")
            return
        }
        #expect(words.contains("feeds.db is damaged: "))
    }

    @Test func aFeedWhoseNumberIsImpossibleIsNamed() async throws {
        _ = try await keeping.use { store, _ in try await store.keep(news, try items(0..<3)) }
        do {
            let database = try Database(path: url("feeds.db").path)
            try database.execute("UPDATE base SET feed = -1; UPDATE feed SET id = -1")
        }
        let journal = try SQLiteJournal(DataFolder(keeping.path), keeping.settings)
        defer { journal.close() }
        let error = #expect(throws: JournalError.self) { try keeping.store(journal).restore() }
        #expect(error?.description.contains("is damaged: feed \"news\", feed.id is -1") == true)
    }

    @Test func whatIsNoDatabaseIsFound() throws {
        let journal = try SQLiteJournal(DataFolder(keeping.path), keeping.settings)
        journal.close()
        try Data(repeating: 7, count: 9000).write(to: url("feeds.db"))
        guard case .damaged(let words) = try condition() else {
            Issue.record("not damaged")
            return
        }
        #expect(words.contains("file is not a database"))
        try FileManager.default.removeItem(at: url("feeds.db"))
        guard case .damaged = try condition() else {
            Issue.record("not damaged")
            return
        }
    }

    @Test func aDatabaseThatWasEmptiedIsFound() async throws {
        try await publishAndDie()
        try Data().write(to: url("feeds.db"))
        guard case .damaged(let words) = try condition() else {
            Issue.record("not damaged")
            return
        }
        #expect(words == "\(keeping.path)/feeds.db is empty, though feeds were kept there")
        // A server that was killed as it made the folder leaves no note.
        try Data().write(to: url("lock"))
        try FileManager.default.removeItem(at: url("feeds.db-wal"))
        guard case .doubtful = try condition() else {
            Issue.record("not doubtful")
            return
        }
    }

    @Test func aCopyIsFound() async throws {
        try await publishAndDie()
        #expect(try condition() == .sound)
        let copy = URL(fileURLWithPath: keeping.folder.path("copy"))
        try FileManager.default.copyItem(at: URL(fileURLWithPath: keeping.path), to: copy)
        #expect(DataFolder.condition(of: copy.path) == .copied)
        try await keeping.use { store, _ in #expect(store.current(news) != nil) }
        #expect(try condition() == .sound)
    }

    /// Its publishes are in the log alone: a server would begin without feeds.
    @Test func aDatabaseThatWasCopiedWithoutItsFirstLogIsRefused() async throws {
        try await publishAndDie()
        let copy = keeping.folder.path("copy")
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: url("feeds.db").path, toPath: copy + "/feeds.db")
        let error = #expect(throws: JournalError.self) {
            try SQLiteJournal(try DataFolder(copy), keeping.settings)
        }
        #expect(error?.description.contains("this folder was copied") == true)
    }

    @Test(arguments: [0, 1000, nil])
    func aLogThatWasCutIsFound(_ length: Int?) async throws {
        try await publishAndDie()
        if let length {
            let file = try FileHandle(forWritingTo: url("feeds.db-wal"))
            try file.truncate(atOffset: UInt64(length))
        } else {
            try FileManager.default.removeItem(at: url("feeds.db-wal"))
        }
        guard case .damaged(let words) = try condition() else {
            Issue.record("not damaged")
            return
        }
        #expect(words.contains("the server left at least"))
    }

    @Test func aDamagedFrameAndADamagedHeadAreFound() async throws {
        try await publishAndDie()
        try damage("feeds.db-wal", at: 32 + 24 + 100)
        guard case .damaged(let words) = try condition() else {
            Issue.record("not damaged")
            return
        }
        #expect(words.contains("is damaged at frame 1"))
        try damage("feeds.db-wal", at: 32 + 24 + 100)
        #expect(try condition() == .sound)
        try damage("feeds.db-wal", at: 16)
        guard case .doubtful(let words) = try condition() else {
            Issue.record("not doubtful")
            return
        }
        #expect(words.contains("the head of"))
    }

    @Test func aRestoreThatWasCutOffIsTold() throws {
        try SQLiteJournal(DataFolder(keeping.path), keeping.settings).close()
        try Data().write(to: url("restored.whole"))
        guard case .doubtful(let words) = try condition() else {
            Issue.record("not doubtful")
            return
        }
        #expect(words.contains("a restore was cut off"))
    }
}
