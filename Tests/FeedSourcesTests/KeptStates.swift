import FeedAPI
import FeedModel
import FeedStore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FeedSources

/// The states of sources in a journal, also of several servers that share it.
@Suite struct KeptStates {
    private let now = 1_700_000_000

    private func sources(_ names: [String]) throws -> [SourceSettings] {
        try names.map { name in
            SourceSettings(
                feed: try #require(FeedName(name)),
                location: .web("http://a.invalid/\(name)")
            )
        }
    }

    /// The state of a source that was tried a while ago.
    private func state(_ name: String, next: Int) -> SourceState {
        var state = SourceState(address: "http://a.invalid/\(name)")
        (state.succeeded, state.nextTry, state.failureCount) = (now - 100, next, 2)
        return state
    }

    @Test func recordsAreReadAsTheyWereWritten() {
        var state = state("a", next: 5)
        state.eTag = [0, 200, 34]
        state.movedTo = "http://b.invalid/é"
        state.push = PushSubscription(
            hub: "h",
            topic: "t",
            base: "b",
            random: [UInt8](repeating: 7, count: 64)
        )
        let bytes = SourceRecord.bytes(state)
        #expect(SourceRecord.state(bytes) == state)
        #expect(SourceRecord.state([]) == nil)
        for end in bytes.indices { #expect(SourceRecord.state(Array(bytes[..<end])) == nil) }
        #expect(SourceRecord.state([2] + bytes.dropFirst()) == nil)
        state.nextTry = .max
        #expect(SourceRecord.state(SourceRecord.bytes(state)) == nil)
    }

    @Test func theFileOfAnEarlierServerFillsWhatTheJournalLacks() throws {
        var recovered = RecoveredState()
        recovered.sources = ["a": SourceRecord.bytes(state("a", next: 1)), "b": [1, 2]]
        let old = ["a": state("a", next: 2), "b": state("b", next: 3), "c": state("c", next: .max)]
        recovered.oldSources = ("the file", Array(try JSONEncoder().encode(old)))
        let known = KnownSources(recovered)
        #expect(known.states.mapValues(\.nextTry) == ["a": 1, "b": 3])
        #expect(known.damage.count == 2)
        #expect(known.damage.last?.contains("the file is damaged: a number of feed \"c\"") == true)
        recovered.oldSources = ("the file", Array("{".utf8))
        #expect(KnownSources(recovered).damage.last?.contains("the file is damaged") == true)
    }

    @Test func onlyChangedStatesAreKeptAndGoneSourcesForgotten() throws {
        let known = ["a": state("a", next: now), "b": state("b", next: now)]
        var table = SourceTable(known: known, kept: known)
        table.take(try sources(["a", "c"]), now: now) { 0 }
        let taken = table.takeChanges()
        let changes = try #require(taken)
        #expect(Set(changes.keys) == ["b", "c"])
        #expect(changes["b"] == .some(nil))
        // What was not kept is taken again.
        table.endKeeping(nil, now: now)
        let again = table.takeChanges()
        #expect(again == changes)
        table.endKeeping(changes, now: now)
        let none = table.takeChanges()
        #expect(none?.isEmpty == true)
    }

    @Test func aSourceThatComesBackBeginsAnew() throws {
        let known = ["a": state("a", next: now), "b": state("b", next: now)]
        var table = SourceTable(known: known, kept: known)
        table.take(try sources(["a"]), now: now) { 0 }
        #expect(table.report(on: try #require(FeedName("a")))?.failureCount == 2)
        table.take([], now: now) { 0 }
        table.take(try sources(["a", "b"]), now: now) { 0 }
        let counts = table.entries.values.map(\.state.failureCount)
        #expect(counts == [0, 0])
    }

    @Test func aWriteThatFailsIsTriedAgain() throws {
        var table = SourceTable(known: [:])
        table.take(try sources(["a"]), now: now) { 0 }
        table.needsWrite = true
        var now = now
        // The first write is refused before it takes the states, the second one fails.
        for fails in [true, true, false] {
            now += 10
            let begins = table.beginWrite(now: now)
            #expect(begins)
            guard now > self.now + 10 else { continue }
            let changes = table.takeChanges()
            table.endKeeping(fails ? nil : changes, now: now)
        }
        let begins = table.beginWrite(now: now + 10)
        #expect(!begins)
    }

    @Test func aServerThatBeginsToLeadGoesOnFromWhatWasKept() throws {
        var table = SourceTable(known: [:], isShared: true)
        table.take(try sources(["a", "b"]), now: now) { 0 }
        var attempts = table.due(now: now + 10)
        #expect(attempts.isEmpty)
        #expect(isFollowing(&table))
        table.adopt(["a": state("a", next: now + 500)], now: now + 10)
        #expect(table.report(on: try #require(FeedName("a")))?.failureCount == 2)
        #expect(isFollowing(&table))
        let other = SourceState(address: "http://elsewhere.invalid/b")
        table.lead(["a": state("a", next: now + 600), "b": other], now: now + 20)
        attempts = table.due(now: now + 20)
        #expect(attempts.map(\.settings.feed.rawValue) == ["b"])
        attempts = table.due(now: now + 599)
        #expect(attempts.isEmpty)
        let dueAttempts = try leave(&table, "b", at: now + 600)
        let due = try #require(dueAttempts.first)
        #expect(dueAttempts.count == 1)
        #expect(due.settings.feed.rawValue == "a")
        #expect(due.state == state("a", next: now + 600))
        let changes = table.takeChanges()
        #expect(changes?.keys.contains("b") == true)
    }

    /// Whether a table leaves the states to another server.
    private func isFollowing(_ table: inout SourceTable) -> Bool { table.takeChanges() == nil }

    /// Ends the try of a source, and returns what is due then.
    private func leave(
        _ table: inout SourceTable,
        _ name: String,
        at now: Int
    ) throws -> [SourceTable.Attempt] {
        let feed = try #require(FeedName(name))
        let entry = try #require(table.entries[feed])
        let attempt = SourceTable.Attempt(
            settings: entry.settings,
            state: entry.state,
            host: entry.host
        )
        _ = table.end(attempt, entry.state, .success(nil), now: now, random: 0)
        return table.due(now: now)
    }

    @Test func aHubIsAskedWhenOtherServersKnowOfTheSubscription() throws {
        let feed = try #require(FeedName("a"))
        func table(isShared: Bool) throws -> SourceTable {
            var table = SourceTable(known: [:], isShared: isShared, "http://feeds.invalid/websub/")
            table.take(try sources(["a"]), now: now) { 0 }
            if isShared { table.lead([:], now: now) }
            table.entries[feed]?.state.hub = "http://a.invalid/hub"
            table.renewSubscription(of: feed)
            return table
        }
        var alone = try table(isShared: false)
        let aloneDue = alone.dueSubscriptions(now: now)
        #expect(aloneDue.count == 1)
        var table = try table(isShared: true)
        var due = table.dueSubscriptions(now: now)
        #expect(due.isEmpty)
        // It is kept at once.
        let needsWrite = table.beginWrite(now: now)
        #expect(needsWrite)
        let taken = table.takeChanges()
        let changes = try #require(taken)
        table.endKeeping(changes, now: now)
        due = table.dueSubscriptions(now: now)
        #expect(due.isEmpty)
        due = table.dueSubscriptions(now: now + 1)
        let push = try #require(due.first?.push)

        // Another server knows of it, and does not subscribe itself.
        var other = SourceTable(known: [:], isShared: true, "http://feeds.invalid/websub/")
        other.take(try sources(["a"]), now: now) { 0 }
        other.adopt(changes.compactMapValues(\.self), now: now)
        #expect(other.secret(of: push.id) == push.secret)
        due = other.dueSubscriptions(now: now + 9)
        #expect(due.isEmpty)
        let question = SourceHubQuestion(mode: "subscribe", topic: push.topic)
        let (isRight, isWrong) = (
            other.verify(push.id, question, now: now + 1), other.verify("0", question, now: now + 1)
        )
        #expect(isRight && !isWrong)
        // Once it leads, it goes on with it.
        other.lead(changes.compactMapValues(\.self), now: now)
        #expect(other.entries[feed]?.state.push?.id == push.id)
        // The hub was asked, and answers within an hour if at all.
        due = other.dueSubscriptions(now: now + 1)
        #expect(due.isEmpty)
        #expect(other.entries[feed]?.isToSubscribe == false)
    }
}

extension SourceTable {
    /// The states of all sources, by feed.
    var states: [String: SourceState] {
        Dictionary(uniqueKeysWithValues: entries.map { ($0.key.rawValue, $0.value.state) })
    }
}
