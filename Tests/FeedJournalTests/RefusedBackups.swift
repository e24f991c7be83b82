import FeedModel
import FeedStore
import Foundation
import TestSupport
import Testing

@testable import FeedJournal

/// What a backup does not replace, and what is none.
@Suite struct RefusedBackups {
    private func backup(
        _ journal: SQLiteJournal,
        to path: String,
        replaces: Bool = false
    ) async throws -> Int {
        try await withCheckedContinuation { continuation in
            journal.backup(to: path, replaces: replaces) { continuation.resume(returning: $0) }
        }.get()
    }

    /// A device, for a server that runs as root.
    @Test func aBackupTakesNoPlaceOfWhatIsNoFile() async throws {
        let keeping = try Keeping(.disk)
        let (folder, pipe) = (keeping.folder.path("folder"), keeping.folder.path("pipe"))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(mkfifo(pipe, 0o600) == 0)
        try await keeping.use { store, journal in
            let journal = try #require(journal as? SQLiteJournal)
            try await store.keep(news, try items(0..<3))
            for path in [folder, pipe] {
                let error = await #expect(throws: JournalError.self) {
                    try await backup(journal, to: path)
                }
                #expect(error?.description == "\(path) is there, and is no backup: name another")
                #expect(access(path + ".part", F_OK) != 0)
            }
        }
        var status = stat()
        #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    /// The server may write files that are not of whoever asks.
    @Test(arguments: [false, true])
    func aBackupTakesNoPlaceOfWhatIsNoBackup(_ replaces: Bool) async throws {
        let keeping = try Keeping(.disk)
        let (file, link) = (keeping.folder.path("file"), keeping.folder.path("link"))
        let (kept, database) = (keeping.folder.path("kept"), keeping.folder.path("database"))
        try keeping.folder.write("mine", to: "file")
        try Database(path: database).execute(
            "CREATE TABLE note(name, value); INSERT INTO note VALUES('backup', 'yes')"
        )
        try await keeping.use { store, journal in
            let journal = try #require(journal as? SQLiteJournal)
            try await store.keep(news, try items(0..<3))
            _ = try await backup(journal, to: kept)
            #expect(symlink(kept, link) == 0)
            let own = keeping.path + "/feeds.db"
            let restored = keeping.path + "/restored"
            for path in [file, link, database, own, restored, own + "\0x", kept + "\0x"] {
                await #expect(throws: JournalError.self) {
                    try await backup(journal, to: path, replaces: replaces)
                }
            }
            // Nor is another file taken for the rest of a backup.
            try keeping.folder.write("mine", to: "new.part")
            await #expect(throws: JournalError.self) {
                try await backup(journal, to: keeping.folder.path("new"), replaces: replaces)
            }
            let isMade = (try? await backup(journal, to: kept, replaces: replaces)) != nil
            #expect(isMade == replaces)
        }
        for name in ["file", "new.part"] {
            let data = FileManager.default.contents(atPath: keeping.folder.path(name))
            #expect(data == Data("mine".utf8))
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == kept)
    }

    /// SQLite reads a backup at any position, as it cannot a pipe.
    @Test func aPipeIsNotRestored() throws {
        let keeping = try Keeping(.disk)
        let pipe = keeping.folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let error = #expect(throws: JournalError.self) {
            try DataFolder.restore(pipe, to: keeping.folder.path("new"), replaces: false)
        }
        #expect(
            error?.description
                == "\(pipe) is not a regular file: write the backup into one first"
        )
    }

    /// A trigger would undo what is acknowledged.
    @Test(arguments: [
        "CREATE TRIGGER a AFTER INSERT ON log BEGIN DELETE FROM log; END",
        "CREATE TRIGGER sqlit AFTER UPDATE ON base BEGIN SELECT 1; END",
        "CREATE VIEW a AS SELECT 1", "CREATE TABLE a(b)", "CREATE UNIQUE INDEX a ON log(feed)",
        "ALTER TABLE log ADD COLUMN a", "DROP TABLE answer",
        "DROP TABLE chunk; CREATE VIEW chunk AS SELECT 1 AS id, 2 AS data",
    ])
    func otherObjectsAreDamage(_ sql: String) async throws {
        let keeping = try Keeping(.disk)
        let file = keeping.folder.path("backup")
        try await keeping.use { store, journal in
            try await store.keep(news, try items(0..<3))
            _ = try await backup(try #require(journal as? SQLiteJournal), to: file)
        }
        try Database(path: file).execute(sql)
        let before = try keeping.read()
        let error = #expect(throws: JournalError.self) {
            try DataFolder(keeping.path).restore(file, replaces: true)
        }
        #expect(error?.description.contains("is damaged") == true, "\(String(describing: error))")
        #expect(try keeping.read() == before)
        try Database(path: keeping.path + "/feeds.db").execute(sql)
        let own = #expect(throws: JournalError.self) { try DataFolder(keeping.path).examine() }
        #expect(own?.description.contains("is damaged") == true, "\(String(describing: own))")
    }

    @Test(arguments: [false, true])
    func whatHasNothingInItIsNoBackup(_ isDatabase: Bool) async throws {
        let keeping = try Keeping(.disk)
        let file = keeping.folder.path("backup")
        if isDatabase {
            try Database(path: file).execute("CREATE TABLE a(b); DROP TABLE a")
        } else {
            try keeping.folder.write("", to: "backup")
        }
        _ = try await keeping.use { store, _ in try await store.keep(news, try items(0..<3)) }
        let before = try keeping.read()
        let error = #expect(throws: JournalError.self) {
            try DataFolder(keeping.path).restore(file, replaces: true)
        }
        #expect(error?.description == "\(file) is no backup: nothing of a server's is in it")
        #expect(try keeping.read() == before)
    }

    /// Its log has what was published last.
    @Test(arguments: [false, true])
    func theDatabaseOfAFolderIsNoBackup(_ wasStopped: Bool) async throws {
        let keeping = try Keeping(.disk)
        let file = keeping.folder.path("copy")
        try await keeping.use { store, _ in
            try await store.keep(news, try items(0..<3))
            if !wasStopped {
                try FileManager.default.copyItem(atPath: keeping.path + "/feeds.db", toPath: file)
            }
        }
        if wasStopped {
            try FileManager.default.copyItem(atPath: keeping.path + "/feeds.db", toPath: file)
        }
        let before = try keeping.read()
        let error = #expect(throws: JournalError.self) {
            try DataFolder(keeping.path).restore(file, replaces: true)
        }
        let words = error?.description ?? ""
        #expect(words.hasPrefix("\(file) is no backup, but the database of a folder"), "\(words)")
        #expect(try keeping.read() == before)
    }

    @Test func aCopyThatCannotBeWrittenIsNamed() async throws {
        let keeping = try Keeping(.disk)
        let file = keeping.folder.path("backup")
        try await keeping.use { store, journal in
            try await store.keep(news, try items(0..<3))
            _ = try await backup(try #require(journal as? SQLiteJournal), to: file)
        }
        let place = keeping.path + "/restored.part/feeds.db"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let error = #expect(throws: JournalError.self) {
            try DataFolder(keeping.path).restore(file, replaces: true)
        }
        #expect(error?.description == "cannot write \(place): Is a directory")
    }
}
