import FeedDiff
import FeedModel
import FeedStore
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedJournal

/// What every journal promises, whatever it is built on.
@Suite struct JournalContract {
    /// What is known of a feed: the content of every version that there was of its current epoch.
    private struct Known {
        var plain = PlainFeed()
        var epoch = ""
        var contents: [Int: [String]] = [:]
        var current = 0
    }

    @Test(arguments: Keeping.Kind.allCases, 0..<6 as Range<UInt64>)
    func whatIsKeptIsTheSameByteForByte(_ kind: Keeping.Kind, seed: UInt64) async throws {
        let keeping = try Keeping(kind)
        var draw = RandomEdits(
            random: SeededGenerator(seed: seed),
            rowCount: seed % 2 == 0 ? 25 : 2000,
            partCount: 6
        )
        var known: [FeedName: Known] = [:]
        for _ in 0..<5 {
            try await keeping.use { store, _ in
                for (feed, known) in known { try compare(store, feed, known) }
                for _ in 0..<60 {
                    keeping.time.add(Int.random(in: 0..<3, using: &draw.random), ordering: .relaxed)
                    try await step(store, &known, &draw)
                }
            }
        }
    }

    /// Has a journal keep states of sources, and returns whether they are kept.
    private func keep(_ states: SourceStates, in journal: any Journal) async -> Bool {
        await withCheckedContinuation { done in
            journal.keep(states) { done.resume(returning: $0) }
        }
    }

    @Test(arguments: Keeping.Kind.allCases)
    func statesOfSourcesAreKept(_ kind: Keeping.Kind) async throws {
        let keeping = try Keeping(kind)
        let long = [UInt8](repeating: 7, count: 100_000)
        try await keeping.use { store, journal in
            await lead(journal)
            #expect(await keep(["a": [1], "b": [2, 0], "c": [3]], in: journal))
            try await store.keep(news, try items(0..<3))
            #expect(await keep(["a": long, "c": [], "é/x": [4], "": [5]], in: journal))
            #expect(await keep([:], in: journal))
            // Both may wait for one transaction.
            async let isKept = keep(["d": [6]], in: journal)
            try await store.keep(news, try items(0..<4))
            #expect(await isKept)
        }
        let journal = try keeping.journal()
        let state = try journal.recover { _ in }
        journal.close()
        #expect(state.sources == ["a": long, "b": [2, 0], "é/x": [4], "": [5], "d": [6]])
        #expect(state.oldSources == nil)
        #expect(await !keep(["e": [1]], in: journal) || kind == .memory)
    }

    /// Waits until a journal that several servers share lets this one lead.
    private func lead(_ journal: any Journal) async {
        guard let journal = journal as? any SharedJournal else { return }
        await withCheckedContinuation { done in
            journal.lead { event in
                if case .began(let states) = event, states.isEmpty { done.resume() }
            }
        }
    }

    /// Publishes or removes something.
    private func step(
        _ store: FeedStore,
        _ known: inout [FeedName: Known],
        _ draw: inout RandomEdits
    ) async throws {
        let feed = feedName(["a", "b", "c"].randomElement(using: &draw.random) ?? "a")
        if draw.chance(3) {
            guard case .deleted(let last) = await store.drop(feed) else { throw Refusal.condition }
            #expect((last != nil) == (known.removeValue(forKey: feed) != nil))
            return
        }
        let current = store.current(feed)?.snapshot ?? Snapshot()
        var changed = current
        var plain = known[feed]?.plain ?? PlainFeed()
        for _ in 0..<Int.random(in: 1..<(draw.chance(10) ? 200 : 6), using: &draw.random) {
            let edit = try draw.edit(of: plain)
            guard let next = try? changed.applying([edit]) else { continue }
            changed = next
            let isApplied = plain.apply(edit)
            #expect(isApplied)
        }
        let publication = try await store.keep(feed, changed)
        let token = publication.current.token
        if known[feed] == nil { known[feed] = Known(epoch: token.epoch) }
        #expect(known[feed]?.epoch == token.epoch)
        known[feed]?.plain = plain
        known[feed]?.current = token.version
        known[feed]?.contents[token.version] = publication.current.snapshot.everything
    }

    private func compare(_ store: FeedStore, _ feed: FeedName, _ known: Known) throws {
        let current = try #require(store.current(feed))
        #expect(current.token == Token(epoch: known.epoch, version: known.current))
        var remembered = 0
        for (number, content) in known.contents {
            let token = Token(epoch: known.epoch, version: number)
            guard let version = store.version(token, of: feed) else { continue }
            remembered += 1
            #expect(version.snapshot.everything == content)
        }
        #expect(remembered >= min(8, known.contents.count))
    }

    @Test(arguments: Keeping.Kind.allCases)
    func anEntryNeedsTheVersionThatItFollows(_ kind: Keeping.Kind) async throws {
        try await Keeping(kind).use { store, journal in
            let token = try await store.keep(news, try items(0..<3)).current.token
            // Of a version that was never kept; of another one that would have had the token.
            for (version, base) in [(2, nil), (1, -1)] as [(Int, Int?)] {
                let stale = JournalEntry(
                    feed: news,
                    previous: Token(epoch: token.epoch, version: version),
                    base: base,
                    change: .deletion
                )
                let outcome = await withCheckedContinuation { continuation in
                    journal.append(stale) { continuation.resume(returning: $0) }
                }
                switch outcome {
                case .refused, .late: break
                case .durable, .unknown: Issue.record("\(outcome)")
                }
            }
        }
    }

    @Test(arguments: Keeping.Kind.allCases)
    func aDeletedFeedStaysDeletedAndComesBackAsAnother(_ kind: Keeping.Kind) async throws {
        let keeping = try Keeping(kind)
        let epoch = try await keeping.use { store, _ in
            let first = try await store.keep(news, try items(0..<3))
            _ = await store.drop(news)
            return first.current.token.epoch
        }
        keeping.time.add(10, ordering: .relaxed)
        try await keeping.use { store, _ in
            #expect(store.current(news) == nil)
            #expect(store.lastDeletedSecond == 1_700_000_000)
            let again = try await store.keep(news, try items(0..<3)).current
            #expect(again.token.epoch != epoch)
        }
        try await keeping.use { store, _ in
            #expect(store.current(news)?.token.version == 1)
            #expect(store.current(news)?.published == 1_700_000_010)
        }
    }

    @Test(arguments: Keeping.Kind.allCases)
    func anAnswerIsKeptWithItsChangeOrNotAtAll(_ kind: Keeping.Kind) async throws {
        let keeping = try Keeping(kind)
        try await keeping.use { store, _ in
            let content = try items(0..<2)
            _ = await store.outcome(news) { _ in
                .sample("one")
            } _: { _ in
                content
            }
            // What changes nothing is remembered, too.
            _ = await store.outcome(news) { _ in
                .sample("two")
            } _: { _ in
                content
            }
            // Another server may have carried a request out; this one knows its own.
            guard kind == .database else { return }
            let again = await store.outcome(news) { _ in
                .sample("one")
            } _: { _ in
                Snapshot()
            }
            switch again {
            case .refused, .late: break
            case .done, .deleted, .failed, .unknown: Issue.record("\(again)")
            }
            #expect(store.current(news)?.token.version == 1)
        }
        let journal = try keeping.journal()
        let state = try journal.recover { _ in }
        #expect(state.answers.areAbout([.sample("one"), .sample("two")]))
        journal.close()
    }

    /// A request with the same key may come again a day later.
    @Test(arguments: Keeping.Kind.allCases)
    func anAnswerThatHasOutlivedItsTimeIsInNobodysWay(_ kind: Keeping.Kind) async throws {
        let keeping = try Keeping(kind)
        let time = 1_700_000_000 + JournalAnswer.lifetime + 1
        try await keeping.use { store, _ in
            let content = try items(0..<2)
            for answer in [JournalAnswer.sample("one"), .sample("one", at: time)] {
                let outcome = await store.outcome(news) { _ in
                    answer
                } _: { _ in
                    content
                }
                guard case .done = outcome else {
                    Issue.record("\(outcome)")
                    return
                }
            }
        }
        let journal = try keeping.journal()
        let state = try journal.recover { _ in }
        #expect(state.answers.areAbout([.sample("one", at: time)]))
        journal.close()
    }

    private struct Weak {
        weak let content: VersionContent?
    }

    /// Only the store decides which versions take memory.
    @Test(arguments: Keeping.Kind.allCases.filter { $0 != .memory })
    func aVersionThatTheStoreForgetsIsFreed(_ kind: Keeping.Kind) async throws {
        let keeping = try Keeping(kind)
        var tokens: [Token] = []
        // The second time, some were read from the journal.
        for start in [0, 4] {
            try await keeping.use { store, journal in
                for value in start..<start + 4 {
                    let content = try items(0..<3, value: value)
                    tokens.append(try await store.keep(news, content).current.token)
                }
                let past = tokens.dropLast().map { token in
                    Weak(content: store.version(token, of: news)?.content)
                }
                #expect(past.allSatisfy { $0.content != nil })
                store.memoryByteLimit = 1
                // Nothing is under way then that has a version.
                journal.close()
                #expect(past.allSatisfy { $0.content == nil })
            }
        }
    }

    @Test(arguments: Keeping.Kind.allCases)
    func intervalsOutliveARestart(_ kind: Keeping.Kind) async throws {
        let keeping = try Keeping(kind)
        try await keeping.use { store, _ in
            for number in 1..<40 {
                try await store.keep(news, try items(0..<number))
                keeping.time.add(100, ordering: .relaxed)
            }
        }
        try await keeping.use { store, _ in
            let version = try #require(store.current(news))
            // The last change was 100 s ago, and they came 100 s apart.
            #expect(store.pollingHint(version) <= 10)
            keeping.time.subtract(50, ordering: .relaxed)
            #expect(store.pollingHint(version) >= 45)
        }
    }
}

extension [JournalAnswer] {
    /// Whether they are the same, of about the same times: a database goes by its own clock.
    fileprivate func areAbout(_ others: [JournalAnswer]) -> Bool {
        count == others.count
            && zip(self, others).allSatisfy { own, other in
                abs(own.time - other.time) < 60 && own.key == other.key && own.owner == other.owner
                    && own.fingerprint == other.fingerprint && own.response == other.response
            }
    }
}
