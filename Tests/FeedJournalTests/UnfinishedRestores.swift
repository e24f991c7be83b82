import FeedModel
import FeedStore
import Foundation
import TestSupport
import Testing

@testable import FeedJournal

/// What a restore leaves that is killed while it reads the backup.
@Suite struct UnfinishedRestores {
    private let keeping: Keeping
    private var part: String { keeping.path + "/restored.part" }

    init() async throws {
        keeping = try Keeping(.disk)
        _ = try await keeping.use { store, _ in try await store.keep(news, try items(0..<3)) }
        // As it lies there: a folder like others, which nobody has open.
        let journal = try SQLiteJournal(DataFolder(part), keeping.settings)
        journal.close()
        #expect(FileManager.default.fileExists(atPath: part + "/feeds.db"))
    }

    @Test func goWhenTheFolderIsOpened() throws {
        let before = try keeping.read()
        #expect(!FileManager.default.fileExists(atPath: part))
        #expect(!before.isEmpty)
    }

    @Test func leaveFilesThatNoRestoreMakes() throws {
        try Data("mine".utf8).write(to: URL(fileURLWithPath: part + "/notes"))
        _ = try keeping.read()
        #expect(try String(contentsOfFile: part + "/notes", encoding: .utf8) == "mine")
    }

    @Test func areNotLookedForBehindALink() throws {
        let other = keeping.folder.path("other")
        try FileManager.default.moveItem(atPath: part, toPath: other)
        try FileManager.default.createSymbolicLink(atPath: part, withDestinationPath: other)
        _ = try keeping.read()
        #expect(FileManager.default.fileExists(atPath: other + "/feeds.db"))
    }
}
