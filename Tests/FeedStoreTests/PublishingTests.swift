import FeedDiff
import FeedModel
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedStore

@Suite struct Publishing {
    let store = FeedStore()

    @Test func aNewFeedHasAnEpochAndVersion1() throws {
        let publication = try store.put(#"{"title": "News", "items": [{"id": "a"}, {"id": "b"}]}"#)
        #expect(publication.previous == nil)
        #expect(publication.isChanged)
        #expect(publication.counts.items.inserted == 2)
        #expect(publication.counts.sections.inserted == 1)
        let version = try #require(store.current(news))
        #expect(version === publication.current)
        #expect(version.token.version == 1)
        #expect(Token("\(version.token)") == version.token)
        #expect(version.feed == news)
        #expect(version.count == 2)
        #expect(store.version(version.token, of: news) === version)
    }

    @Test func withoutAJournalAPublishIsDecidedBeforeItReturns() throws {
        let events = Mutex<[String]>([])
        let (store, content) = (store, try snapshot(#"{"items": [{"id": "a"}]}"#))
        store.observe { feed in
            events.withLock { $0.append(store.current(feed) == nil ? "gone" : "visible") }
        }
        store.publish(news) { _ in
            content
        } decided: { outcome in
            guard case .done(let publication) = outcome else { return }
            events.withLock { $0.append("published \(publication.current.token.version)") }
        }
        store.publish(news) { _ in
            nil
        } decided: { outcome in
            guard case .deleted(_?) = outcome else { return }
            events.withLock { $0.append("removed") }
        }
        #expect(events.withLock(\.self) == ["visible", "published 1", "gone", "removed"])
    }

    @Test func anEmptyFeedIsAFeed() throws {
        let publication = try store.put(#"{"sections": []}"#)
        #expect(publication.isChanged)
        #expect(publication.changes.isEmpty)
        #expect(store.current(news) === publication.current)
    }

    @Test func eachChangeMakesOneVersion() throws {
        let first = try store.put(#"{"items": [{"id": "a"}]}"#)
        let second = try store.put(#"{"items": [{"id": "b"}, {"id": "a"}]}"#)
        #expect(second.previous === first.current)
        #expect(second.current.token.epoch == first.current.token.epoch)
        #expect(second.current.token.version == 2)
        #expect(second.counts.items.inserted == 1)
        #expect(second.counts.items.removed == 0)
        #expect(store.version(first.current.token, of: news) === first.current)
    }

    @Test(arguments: [
        #"{"title":"é","items":[{"id":"a","n":1.0,"o":{"p":[1],"q":"\/"}}],"x":null}"#,
        #"{"x": null, "title": "\u00e9", "items": [{"o": {"q": "/", "p": [1]}, "n": 1.0, "id": "a"}]}"#,
        #"{"kind":"snapshot","token":"x","count":9,"title":"é","x":null,"sections":[{"items":[{"id":"\u0061","n":1.0,"o":{"p":[1],"q":"/"}}],"id":"main","count":3}]}"#,
    ])
    func theSameInAnotherSpellingMakesNone(_ json: String) throws {
        let first = try store.put(
            #"{"title":"é","items":[{"id":"a","n":1.0,"o":{"p":[1],"q":"/"}}],"x":null}"#
        )
        let second = try store.put(json)
        #expect(!second.isChanged)
        #expect(second.current === first.current)
        #expect(second.previous === first.current)
        #expect(second.changes.isEmpty)
        #expect(second.counts == ChangeCounts())
        #expect(store.current(news) === first.current)
    }

    @Test(arguments: [
        #"{"items": [{"id": "a", "n": 1}]}"#, #"{"items": [{"id": "a", "n": 1.00}]}"#,
        #"{"items": [{"id": "a", "n": "1.0"}]}"#, #"{"items": [{"id": "a"}]}"#,
        #"{"items": [{"id": "a", "n": 1.0}], "x": null}"#,
        #"{"sections": [{"id": "main", "title": "", "items": [{"id": "a", "n": 1.0}]}]}"#,
        #"{"sections": [{"id": "other", "items": [{"id": "a", "n": 1.0}]}]}"#, #"{"items": []}"#,
    ])
    func anotherValueMakesOne(_ json: String) throws {
        try store.put(#"{"items": [{"id": "a", "n": 1.0}]}"#)
        #expect(try store.put(json).current.token.version == 2)
    }

    @Test func equalItemsAreShared() throws {
        let first = try store.put(#"{"items": [{"id": "a", "n": 1, "m": 2}, {"id": "b"}]}"#)
        let second = try store.put(#"{"items": [{"id": "c"}, {"m": 2, "n": 1, "id": "a"}]}"#)
        #expect(
            second.current.snapshot.sections[0].items[1]
                === first.current.snapshot.sections[0].items[0]
        )
    }

    @Test func whatTheTransformThrowsPublishesNothing() throws {
        struct Refusal: Error {}
        let first = try store.put(#"{"items": []}"#)
        #expect(throws: Refusal.self) {
            try store.publishInMemory(news) { _ throws(Refusal) in throw Refusal() }
        }
        #expect(store.current(news) === first.current)
    }

    @Test func theTransformIsCalledAgainWhenAnotherPublishCameBetween() throws {
        try store.put(#"{"items": [{"id": "a"}]}"#)
        var seen: [String] = []
        let publication = try store.publishInMemory(news) { version in
            let before = version?.snapshot ?? Snapshot()
            seen.append(before.outline)
            if seen.count == 1 { try store.put(#"{"items": [{"id": "b"}]}"#) }
            return try before.applying(edits(#"{"insert": {"id": "c"}}"#))
        }
        #expect(seen == ["main: a", "main: b"])
        #expect(publication.current.snapshot.outline == "main: c b")
        #expect(publication.current.token.version == 3)
    }

    @Test func theTransformIsCalledAgainWhenTheFeedWasMadeAnew() throws {
        let first = try store.put(#"{"items": [{"id": "a"}]}"#)
        var calls = 0
        let publication = try store.publishInMemory(news) { version in
            calls += 1
            if calls == 1 {
                #expect(store.remove(news) { _ in })
                try store.put(#"{"items": [{"id": "a"}]}"#)
            }
            return try snapshot(#"{"items": [{"id": "c"}]}"#)
        }
        #expect(calls == 2)
        #expect(publication.current.token.version == 2)
        #expect(publication.current.token.epoch != first.current.token.epoch)
    }

    @Test func feedsAreListedByName() throws {
        for name in ["b", "a", "c.d", "c-d"] {
            try store.put(#"{"items": []}"#, to: feedName(name))
        }
        #expect(store.all().map(\.feed.rawValue) == ["a", "b", "c-d", "c.d"])
        #expect(store.current(feedName("d")) == nil)
    }

    @Test func versionsSayWhenTheyWerePublished() throws {
        let time = HandClock()
        let store = FeedStore(clock: time.clock)
        time.advance(by: .seconds(5))
        #expect(try store.put(#"{"items": []}"#).current.published == 1_000_005)
        time.advance(by: .seconds(5))
        #expect(try store.put(#"{"items": []}"#).current.published == 1_000_005)
        #expect(try store.put(#"{"items": [], "x": 1}"#).current.published == 1_000_010)
    }
}

@Suite struct DryRun {
    @Test func aDryRunOfANewFeedKeepsNothing() throws {
        let draws = Atomic(0)
        let store = FeedStore(drawEpoch: {
            draws.add(1, ordering: .relaxed)
            return "aaaaaaaa"
        })
        let publication = store.publishInMemory(news, dryRun: true) { _ in Snapshot() }
        #expect(publication.isChanged)
        #expect(publication.previous == nil)
        #expect(Token("\(publication.current.token)") == nil)
        #expect(store.current(news) == nil)
        #expect(store.all().isEmpty)
        #expect(draws.load(ordering: .relaxed) == 0)
    }

    @Test func aDryRunOfAChangeKeepsNothing() throws {
        let store = FeedStore()
        let first = try store.put(#"{"items": [{"id": "a"}]}"#)
        let dry = try store.publishInMemory(news, dryRun: true) { _ in
            try snapshot(#"{"items": [{"id": "b"}]}"#)
        }
        #expect(dry.isChanged)
        #expect(dry.counts.items.inserted == 1)
        #expect(dry.counts.items.removed == 1)
        #expect(store.current(news) === first.current)
        #expect(store.version(dry.current.token, of: news) == nil)
        #expect(try store.put(#"{"items": [{"id": "c"}]}"#).current.token.version == 2)
    }

    @Test func aDryRunOfNoChangeSaysSo() throws {
        let store = FeedStore()
        let first = try store.put(#"{"items": [{"id": "a"}]}"#)
        let dry = store.publishInMemory(news, dryRun: true) { $0?.snapshot ?? Snapshot() }
        #expect(!dry.isChanged)
        #expect(dry.current === first.current)
    }
}

@Suite struct Lives {
    @Test func aFeedMadeAgainHasAnotherEpoch() throws {
        let draws = Mutex(["aaaaaaaa", "aaaaaaaa", "aaaaaaaa", "bbbbbbbb", "aaaaaaaa"])
        let store = FeedStore(drawEpoch: { draws.withLock { $0.removeFirst() } })
        var tokens: [String] = []
        for _ in 0..<3 {
            let version = try store.put(#"{"items": [{"id": "a"}]}"#).current
            tokens.append("\(version.token)")
            #expect(store.remove(news) { _ in })
            #expect(store.version(version.token, of: news) == nil)
            #expect(store.current(news) == nil)
        }
        #expect(tokens == ["aaaaaaaa.1", "bbbbbbbb.1", "aaaaaaaa.1"])
    }

    @Test func aTokenOfAnotherLifeIsNotRemembered() throws {
        let store = FeedStore()
        let old = try store.put(#"{"items": [{"id": "a"}]}"#).current.token
        #expect(store.remove(news) { _ in })
        try store.put(#"{"items": [{"id": "b"}]}"#)
        #expect(store.version(old, of: news) == nil)
    }

    @Test func removalHasACondition() throws {
        struct Refusal: Error {}
        let store = FeedStore()
        #expect(!store.remove(news) { _ in Issue.record("there is no feed") })
        let version = try store.put(#"{"items": []}"#).current
        #expect(throws: Refusal.self) {
            try store.remove(news) { _ throws(Refusal) in throw Refusal() }
        }
        #expect(store.current(news) === version)
    }

    @Test func theConditionSeesWhatIsRemoved() throws {
        let store = FeedStore()
        try store.put(#"{"items": []}"#)
        var seen: [Int] = []
        let removed = try store.remove(news) { version in
            seen.append(version.token.version)
            if seen.count == 1 { try store.put(#"{"items": [{"id": "a"}]}"#) }
        }
        #expect(removed)
        #expect(seen == [1, 2])
    }

    @Test func epochsAreOfATokensForm() {
        let epochs = (0..<200).map { _ in Token.randomEpoch() }
        #expect(epochs.allSatisfy { Token("\($0).1")?.epoch == $0 })
        #expect(Set(epochs).count == 200)
        #expect(Set(epochs.joined().utf8) == Set(Token.epochAlphabet))
    }
}

extension FeedStore {
    /// Publishes the body of a `PUT`.
    @discardableResult
    func put(_ json: String, to feed: FeedName = news) throws -> Publication {
        let new = try snapshot(json)
        return publishInMemory(feed) { _ in new }
    }
}
