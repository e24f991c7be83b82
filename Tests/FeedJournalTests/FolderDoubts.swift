import FeedModel
import FeedStore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FeedJournal

/// A folder whose disk has failed, and one whose clock has.
@Suite struct FolderDoubts {
    private let keeping: Keeping

    init() throws {
        keeping = try Keeping(.disk)
    }

    /// Publishes, and says what became of it once that is written.
    private func publish(_ snapshot: Snapshot, _ store: FeedStore) -> Outcomes {
        let outcomes = Outcomes()
        store.publish(
            news,
            { _ throws(Refusal) in snapshot },
            refusal: { _ in Refusal.shortage },
            decided: { outcome in
                if case .done = outcome { outcomes.add("done") } else { outcomes.add("\(outcome)") }
            }
        )
        return outcomes
    }

    private final class Outcomes: Sendable {
        private let list = Mutex<[String]>([])

        func add(_ text: String) { list.withLock { $0.append(text) } }

        var texts: [String] { list.withLock(\.self) }
    }

    private func answer(_ key: String, at time: Double, of owner: UInt8 = 1) -> JournalEntry {
        JournalEntry(
            feed: news,
            previous: nil,
            change: .nothing,
            answer: .sample(key, at: time, of: owner)
        )
    }

    /// As when somebody clears the folder.
    @Test func nothingIsKeptInAFileThatIsGone() async throws {
        let journal = try SQLiteJournal(DataFolder(keeping.path), keeping.settings)
        defer { journal.close() }
        let store = keeping.store(journal)
        _ = try store.restore()
        try await store.keep(news, try items(0..<1))
        let path = keeping.path + "/feeds.db"
        #expect(rename(path, path + ".other") == 0)
        let later = try items(0..<2)
        let outcome = await store.outcome(news) { _ throws(Refusal) in later }
        if case .done = outcome { Issue.record("kept") }
        #expect(store.current(news)?.count == 1)
        while journal.trouble?.hasPrefix("\(path) is gone") != true { await Task.yield() }
        #expect(rename(path + ".other", path) == 0)
        while journal.trouble != nil { await Task.yield() }
        try await store.keep(news, later)
    }

    @Test(arguments: [false, true])
    func aCompactionThatBeganBeforeAnotherIsNotWrittenAfterIt(inOneTransaction: Bool) throws {
        let journal = try HeldFolder(keeping)
        let store = keeping.store(journal)
        _ = try store.restore()
        var plans: [Compaction.Plan] = []
        // Of the first chunks, one differs in the eleventh version, from which the first compaction
        // starts; the second starts from the twelfth. What differs in all is at the end.
        for version in 1...19 {
            let list = (0..<600).filter { $0 != 300 || version == 11 }.map { number in
                let value = number >= 560 ? version : 0
                let text = String(repeating: "word ", count: 40)
                return #"{"id":"i\#(number)","value":\#(value),"text":"\#(text)"}"#
            }
            let content = try snapshot(#"{"items":[\#(list.joined(separator: ","))]}"#)
            let outcomes = publish(content, store)
            // While the first is made, a sync fails.
            if version == 19 { try journal.writeInDoubt() } else { plans += try journal.write() }
            #expect(outcomes.texts == ["done"])
        }
        _ = publish(try items(0..<1), store)
        plans += try journal.write()
        #expect(plans.map(\.target.version).count == 2)
        if inOneTransaction {
            try journal.write(plans)
        } else {
            for plan in plans { try journal.write([plan]) }
        }
        journal.close()
        let again = try SQLiteJournal(DataFolder(keeping.path), keeping.settings)
        defer { again.close() }
        let other = keeping.store(again)
        _ = try other.restore()
        #expect(other.current(news)?.count == 1)
    }

    /// Its request may be sent again before the answer is known.
    @Test func anAnswerWhoseSyncFailedAndThatIsThereIsKept() throws {
        let journal = try HeldFolder(keeping)
        _ = try journal.recover { _ in }
        let outcomes = Outcomes()
        journal.append(answer("a", at: 1_700_000_000)) { outcomes.add("\($0)") }
        try journal.writeInDoubt()
        journal.append(answer("a", at: 1_700_000_001)) { outcomes.add("\($0)") }
        try journal.write()
        journal.close()
        #expect(outcomes.texts.first == "durable")
        #expect(outcomes.texts.dropFirst().allSatisfy { $0.hasPrefix("refused") })
        #expect(outcomes.texts.count == 2)
        let again = try HeldFolder(keeping)
        defer { again.close() }
        #expect(try again.recover { _ in }.answers.count == 1)
    }

    @Test func aFeedThatTheDiskHasLostVersionsOfGetsANewEpoch() throws {
        let journal = try HeldFolder(keeping)
        let store = keeping.store(journal)
        _ = try store.restore()
        for count in 1...3 {
            _ = publish(try items(0..<count), store)
            try journal.write()
        }
        let token = try #require(store.current(news)?.token)
        #expect(throws: JournalError.self) {
            try journal.reopen { try $0.execute("DELETE FROM log WHERE version = 3") }
        }
        journal.close()
        // The server is started again.
        let again = try HeldFolder(keeping)
        defer { again.close() }
        let other = keeping.store(again)
        _ = try other.restore()
        #expect(other.current(news)?.count == 2)
        #expect(other.current(news)?.token.hasSameEpoch(as: token) == false)
    }

    /// Its bytes may still be in the log, which a second order overwrites.
    @Test func forgettingIsInDoubtUntilTheLogIsOverwritten() async throws {
        let journal = try HeldFolder(keeping)
        defer { journal.close() }
        let store = keeping.store(journal)
        _ = try store.restore()
        for count in 1...3 {
            _ = publish(try items(0..<count), store)
            try journal.write()
        }
        let token = Token(epoch: try #require(store.current(news)).token.epoch, version: 2)
        // The log cannot be emptied while something is being read.
        let rows = try journal.writer.session.query("SELECT id FROM feed")
        #expect(try rows.next())
        guard case .undecided = await forget(token, store) else {
            Issue.record("the version was forgotten, or was not")
            return
        }
        #expect(try !rows.next())
        guard case .done = await forget(token, store) else {
            Issue.record("the version was not forgotten")
            return
        }
        #expect(store.version(token, of: news) == nil)
    }

    private func forget(_ token: Token, _ store: FeedStore) async -> ForgetOutcome {
        await withCheckedContinuation { continuation in
            store.forget(token, of: news) { continuation.resume(returning: $0) }
        }
    }

    @Test func answersGoWithTheirTimeHoweverManyComeAtOnce() throws {
        let journal = try HeldFolder(keeping)
        defer { journal.close() }
        _ = try journal.recover { _ in }
        for round in 0..<16 {
            let time = 1_700_000_000 + 100 * Double(round)
            for number in 0..<1000 {
                journal.append(answer("\(round)/\(number)", at: time)) { _ in }
            }
            try journal.write()
        }
        // Those of ten minutes are there.
        #expect(try journal.writer.session.number("SELECT count(*) FROM answer") == 7000)
        #expect(try journal.writer.session.number("SELECT min(time) FROM answer") == 1_700_000_900)
    }

    /// An owner has its last answers after a restart, however many another one has.
    @Test func ofVeryManyAnswersTheOldestOfTheirOwnerGo() throws {
        let time = 1_700_000_000.0
        for rounds in [0..<7, 7..<14] {
            let journal = try HeldFolder(keeping)
            defer { journal.close() }
            _ = try journal.recover { _ in }
            if rounds.lowerBound == 0 {
                for key in ["a", "b"] { journal.append(answer(key, at: time, of: 2)) { _ in } }
                try journal.write()
                // As if very many others had come since.
                journal.writer.nextAnswer = 1_000_000
            }
            for number in rounds.lowerBound * 1000..<rounds.upperBound * 1000 {
                journal.append(answer("\(number)", at: time)) { _ in }
                if number % 1000 == 999 { try journal.write() }
            }
            journal.append(answer("last of \(rounds)", at: time)) { _ in }
            try journal.write()
        }
        let again = try HeldFolder(keeping)
        defer { again.close() }
        let answers = try again.recover { _ in }.answers
        #expect(answers.count { $0.owner == [2] } == 2)
        let others = answers.filter { $0.owner == [1] }.map(\.key)
        #expect(others.count == JournalAnswer.countLimit)
        #expect(others.first == Array("\(14_002 - JournalAnswer.countLimit)".utf8))
    }

    @Test func anAnswerOfATimeThatIsYetToComeIsInNobodysWay() throws {
        let journal = try HeldFolder(keeping)
        defer { journal.close() }
        _ = try journal.recover { _ in }
        let outcomes = Outcomes()
        // The clock is put back by a day, and the key is sent again later.
        for time in [1_700_086_400.0, 1_700_001_000] {
            journal.append(answer("a", at: time)) { outcomes.add("\($0)") }
            try journal.write()
        }
        #expect(outcomes.texts == ["durable", "durable"])
    }
}

/// What is drawn from a seed: syncs that fail, compactions that come late, restarts.
extension FolderDoubts {
    /// What was acknowledged, and the content of every version that there ever was.
    private struct Known {
        var contents: [Token: [String]] = [:]
        var current: [FeedName: Token] = [:]
        /// The versions that were looked at since the start: a store does not change them.
        var seen: Set<Token> = []

        mutating func look(at store: FeedStore, _ feed: FeedName) {
            #expect(store.current(feed)?.token == current[feed])
            guard let version = store.current(feed), seen.insert(version.token).inserted else {
                return
            }
            let content = version.snapshot.everything
            #expect(contents[version.token, default: content] == content)
            contents[version.token] = content
        }

        /// Every version that is remembered is what it was.
        func compareAll(_ store: FeedStore) -> Int {
            var count = 0
            for (token, content) in contents {
                for feed in [feedName("a"), feedName("b")] {
                    guard let version = store.version(token, of: feed) else { continue }
                    #expect(version.snapshot.everything == content, "\(token)")
                    count += 1
                }
            }
            return count
        }
    }

    private final class Current: Sendable {
        let known = Mutex(Known())
    }

    @Test(arguments: 26..<34 as Range<UInt64>)
    func whateverFailsNothingIsLost(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let shared = Current()
        let feeds = [feedName("a"), feedName("b")]
        for _ in 0..<2 {
            let journal = try HeldFolder(keeping)
            let store = keeping.store(journal)
            _ = try store.restore()
            shared.known.withLock { known in
                known.seen = []
                for feed in feeds { known.look(at: store, feed) }
                _ = known.compareAll(store)
            }
            var plans: [Compaction.Plan] = []
            for _ in 0..<150 {
                keeping.time.add(Int.random(in: 0..<2, using: &random), ordering: .relaxed)
                let feed = feeds[Int.random(in: 0..<10, using: &random) / 9]
                switch Int.random(in: 0..<100, using: &random) {
                case 0..<50: publish(feed, try drawn(&random), store, shared)
                case 50..<51: drop(feed, store, shared)
                case 51..<82: plans += try journal.write()
                case 82..<93: try journal.writeInDoubt()
                default:
                    // They are made one after the other, and written late.
                    if !plans.isEmpty { try journal.write([plans.removeFirst()]) }
                }
                shared.known.withLock { known in
                    for feed in feeds { known.look(at: store, feed) }
                }
            }
            try journal.write()
            journal.close()
        }
    }

    /// Many items of which few differ, each time others.
    private func drawn(_ random: inout SeededGenerator) throws -> Snapshot {
        let gap = Bool.random(using: &random) ? 0 : 300
        let value = Int.random(in: 0..<1000, using: &random)
        // Items bear the times of their publish: each has its own.
        let front = Self.lasting.filter { $0.id != ExactString("i\(gap)") }
            .map { FeedItem(id: $0.id, json: $0.json) }
        let end = try (541..<600).map { try Self.item($0, value) }
        return Snapshot(sections: [FeedSection(id: "main", items: front + end)])
    }

    private static let lasting = (0...540).compactMap { try? item($0, 0) }

    private static func item(_ number: Int, _ value: Int) throws -> FeedItem {
        let text = String(repeating: "word ", count: 10)
        let json = #"{"id":"i\#(number)","value":\#(value),"text":"\#(text)"}"#
        return try FeedItem(parsing: Array(json.utf8))
    }

    private func publish(
        _ feed: FeedName,
        _ snapshot: Snapshot,
        _ store: FeedStore,
        _ shared: Current
    ) {
        store.publish(
            feed,
            { _ throws(Refusal) in snapshot },
            refusal: { _ in Refusal.shortage },
            decided: { outcome in
                guard case .done(let publication) = outcome else { return }
                shared.known.withLock { $0.current[feed] = publication.current.token }
            }
        )
    }

    private func drop(_ feed: FeedName, _ store: FeedStore, _ shared: Current) {
        store.publish(
            feed,
            { _ throws(Refusal) in nil },
            decided: { outcome in
                if case .deleted(_?) = outcome {
                    shared.known.withLock { $0.current[feed] = nil }
                }
            }
        )
    }
}
