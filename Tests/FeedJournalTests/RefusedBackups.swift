import FeedModel
import FeedStore
import Foundation
import TestSupport
import Testing

@testable import FeedJournal

/// What a backup does not replace, and what is none.
@Suite struct RefusedBackups {
    private func backup(_ journal: SQLiteJournal, to path: String) async throws -> Int {
        try await withCheckedContinuation { continuation in
            journal.backup(to: path) { continuation.resume(returning: $0) }
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
                #expect(error?.description == "\(path) is there, and is no file: name another")
                #expect(access(path + ".part", F_OK) != 0)
            }
        }
        var status = stat()
        #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
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
