import FeedJournal
import FeedModel
import FeedStore
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedMirror

/// A mirror's feeds on its own disk, with which it starts.
@Suite(.timeLimit(.minutes(2))) struct FeedsKeptByMirrors {
    private let origin = ScriptedOrigin()

    /// Mirrors the scripted origin into a journal until `body` ends, then closes the journal.
    ///
    /// - Returns: The body of the request for the stream.
    @discardableResult
    private func mirroring(
        into journal: any Journal,
        _ body: (MirrorTrial, ScriptedOrigin.Exchange) async throws -> Void
    ) async throws -> String {
        let store = FeedStore(journal: journal, hasDates: false)
        _ = try store.restore()
        let trial = try MirrorTrial(of: origin.url, store)
        trial.start()
        let stream = try #require(await origin.stream())
        stream.beginStream()
        try await body(trial, stream)
        trial.mirror.stop()
        stream.end()
        await keep(trial, in: journal)
        return stream.body
    }

    /// Waits until a journal has decided all that is in a mirror's store.
    private func keep(_ trial: MirrorTrial, in journal: any Journal) async {
        await trial.mirror.onQueue {}
        journal.close()
    }

    @Test func areThereAtTheNextStart() async throws {
        let folder = try TemporaryFolder()
        func journal() throws -> SQLiteJournal {
            let path = folder.path("data")
            return try SQLiteJournal(try DataFolder(path), SQLiteJournal.Settings { 1_700_000_000 })
        }
        let news = [
            try Told("aaaaaaaa.1", "a", "b"), try Told("aaaaaaaa.2", "b", "a"),
            try Told("aaaaaaaa.4", "b", "c"),
        ]
        try await mirroring(into: try journal()) { trial, stream in
            stream.event(try news[0].whole())
            for feed in ["ends", "renewed", "back"] {
                stream.event(try Told("eeeeeeee.3", "e").whole(of: feed))
            }
            for (old, new) in zip(news, news.dropFirst()) {
                stream.event(try new.changes(since: old))
            }
            stream.event(Told.missing("ends"))
            stream.event(try Told("ffffffff.1", "f").whole(of: "renewed"))
            stream.event(Told.missing("back"))
            stream.event(try Told("gggggggg.1", "g").whole(of: "back"))
            await trial.has("gggggggg.1", of: "back")
        }
        let named = try await mirroring(into: try journal()) { trial, stream in
            #expect(trial.token() == "aaaaaaaa.4" && trial.ids() == ["b", "c"])
            #expect(trial.token("ends") == nil)
            #expect(trial.token("renewed") == "ffffffff.1" && trial.ids("renewed") == ["f"])
            #expect(trial.token("back") == "gggggggg.1" && trial.ids("back") == ["g"])
            #expect(!trial.mirror.knowsAllFeeds && trial.mirror.cutOffTime != nil)
            // What was kept is gone on from.
            stream.event(try Told("aaaaaaaa.5", "d").changes(since: news[2]))
            await trial.has("aaaaaaaa.5")
            #expect(trial.ids() == ["d"])
        }
        #expect(
            named == #"{"match":["*"],"feeds":{"back":"gggggggg.1","news":"aaaaaaaa.4","#
                + #""renewed":"ffffffff.1"}}"#
        )
        try await mirroring(into: try journal()) { trial, _ in
            #expect(trial.token() == "aaaaaaaa.5" && trial.ids() == ["d"])
        }
    }

    @Test func areOnlyThoseThatAreStillFollowed() async throws {
        let medium = MemoryJournal.Medium()
        try await mirroring(into: MemoryJournal(medium)) { trial, stream in
            stream.event(try Told("aaaaaaaa.1", "a").whole())
            stream.event(try Told("aaaaaaaa.1", "a").whole(of: "sports"))
            await trial.has("aaaaaaaa.1", of: "sports")
        }
        let journal = MemoryJournal(medium)
        let store = FeedStore(journal: journal, hasDates: false)
        _ = try store.restore()
        let narrow = try MirrorTrial(of: origin.url, store, following: "s*")
        narrow.mirror.removeOthers()
        journal.close()
        try await mirroring(into: MemoryJournal(medium)) { trial, _ in
            #expect(trial.store.all().map(\.feed.rawValue) == ["sports"])
        }
    }

    @Test func areShownThoughTheyCannotBeKeptAndAreKeptOnceTheyCan() async throws {
        let medium = MemoryJournal.Medium()
        let versions = [
            try Told("aaaaaaaa.1", "a"), try Told("aaaaaaaa.2", "b"), try Told("aaaaaaaa.3", "c"),
            try Told("aaaaaaaa.4", "d"), try Told("aaaaaaaa.5", "e"),
        ]
        let journal = MemoryJournal(medium)
        try await mirroring(into: journal) { trial, stream in
            stream.event(try versions[0].whole())
            await trial.has("aaaaaaaa.1")
            await keep(trial, in: journal)
            journal.failure = .refused("no space is left")
            for index in [1, 2] {
                stream.event(try versions[index].changes(since: versions[index - 1]))
                await trial.has(versions[index].token)
                await keep(trial, in: journal)
            }
            #expect(trial.reports == ["feeds are not kept on disk: no space is left"])
            journal.failure = nil
            stream.event(try versions[3].changes(since: versions[2]))
            await trial.has("aaaaaaaa.4")
        }
        try await mirroring(into: MemoryJournal(medium)) { trial, stream in
            #expect(trial.token() == "aaaaaaaa.4" && trial.ids() == ["d"])
            stream.event(try versions[4].changes(since: versions[3]))
            await trial.has("aaaaaaaa.5")
        }
        try await mirroring(into: MemoryJournal(medium)) { trial, _ in
            #expect(trial.token() == "aaaaaaaa.5" && trial.reports.isEmpty)
        }
    }

    /// A mirror goes on for years, and feeds come and go.
    @Test func areRememberedUntilTheyAreKept() async throws {
        let versions = [try Told("aaaaaaaa.1", "a"), try Told("aaaaaaaa.2", "b")]
        let journal = MemoryJournal()
        try await mirroring(into: journal) { trial, stream in
            func lagging() async throws -> [String] {
                await keep(trial, in: journal)
                let disk = try #require(trial.mirror.disk)
                return disk.lagging.withLock { $0.keys.map(\.rawValue).sorted() }
            }
            stream.event(try versions[0].whole(of: "ends"))
            stream.event(Told.missing("ends"))
            stream.event(try versions[0].whole())
            await trial.has("aaaaaaaa.1")
            #expect(try await lagging() == [])
            journal.failure = .refused("no space is left")
            stream.event(try versions[0].whole(of: "ends"))
            stream.event(try versions[1].changes(since: versions[0]))
            await trial.has("aaaaaaaa.2")
            #expect(try await lagging() == ["ends", "news"])
            stream.event(Told.missing("ends"))
            journal.failure = nil
            stream.event(try versions[0].whole(of: "sports"))
            await trial.has("aaaaaaaa.1", of: "sports")
            #expect(try await lagging() == ["news"])
        }
    }
}
