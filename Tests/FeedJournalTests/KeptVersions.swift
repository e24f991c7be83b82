import FeedDiff
import FeedModel
import FeedStore
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedJournal

/// Older versions that are kept over restarts, on every journal (docs/OPERATIONS.md, "Kept
/// versions").
@Suite struct KeptVersions {
    /// The versions of a feed as they were published, the oldest first.
    private struct Known {
        var versions: [(token: Token, content: [String], counts: ChangeCounts.Tally)] = []
        var plain = PlainFeed()
    }

    /// Random publishes, ways back and orders to forget, with restarts between, against a list of
    /// what was published.
    @Test(arguments: Keeping.Kind.allCases, 0..<6 as Range<UInt64>)
    func whatIsTakenBackIsWhatWasThere(_ kind: Keeping.Kind, seed: UInt64) async throws {
        let keeping = try Keeping(kind, .short)
        var draw = RandomEdits(
            random: SeededGenerator(seed: seed),
            rowCount: seed % 2 == 0 ? 12 : 600,
            partCount: 4
        )
        let limit = [5, 40, 10_000][Int(seed % 3)]
        var known = Known()
        for _ in 0..<4 {
            try await keeping.use { store, _ in
                store.retention.add(.count(limit), for: .all)
                if !known.versions.isEmpty { try await compare(store, known, limit: limit) }
                for _ in 0..<40 { try await step(store, &known, &draw) }
                try await compare(store, known, limit: limit)
            }
        }
    }

    private func step(
        _ store: FeedStore,
        _ known: inout Known,
        _ draw: inout RandomEdits
    ) async throws {
        let current = store.current(news)?.snapshot ?? Snapshot()
        var next = current
        if draw.chance(30), known.versions.count > 1 {
            let old = try #require(
                try await store.listed(news).randomElement(using: &draw.random)
            )
            let version = try #require(try await store.older(old.token, of: news))
            let recorded = known.versions.first { $0.token == old.token }
            #expect(version.snapshot.content == recorded?.content)
            next = version.snapshot
        } else if draw.chance(15), known.versions.count > 2 {
            let old = try #require(
                try await store.listed(news).dropFirst().randomElement(using: &draw.random)
            )
            guard case .done = await store.forgetting(old.token, of: news) else {
                Issue.record("\(old.token) was not forgotten")
                return
            }
            known.versions.removeAll { $0.token == old.token }
            return
        } else {
            for _ in 0..<Int.random(in: 1..<(draw.chance(10) ? 100 : 5), using: &draw.random) {
                let edit = try draw.edit(of: known.plain)
                guard let edited = try? next.applying([edit]) else { continue }
                next = edited
                let isApplied = known.plain.apply(edit)
                #expect(isApplied)
            }
        }
        let publication = try await store.keep(news, next)
        known.plain = PlainFeed(publication.current.snapshot)
        let token = publication.current.token
        guard known.versions.last?.token != token else { return }
        let fewest = Changes(from: FeedView()(current), to: FeedView()(next))
        #expect(publication.counts == fewest.counts(from: current))
        known.versions.append(
            (token, publication.current.snapshot.content, publication.counts.items)
        )
    }

    private func compare(_ store: FeedStore, _ known: Known, limit: Int) async throws {
        let listed = try await store.listed(news)
        let all = known.versions.map(\.token).reversed()
        #expect(listed.map(\.token) == Array(all.prefix(listed.count)))
        if limit == 10_000 { #expect(listed.count == known.versions.count) }
        #expect(listed.count <= max(limit, 7) + 1)
        for version in listed {
            let recorded = try #require(known.versions.first { $0.token == version.token })
            let older = try #require(try await store.older(version.token, of: news))
            #expect(older.snapshot.content == recorded.content)
            #expect(version.count == older.count)
            #expect(older.isKept == (store.version(version.token, of: news) == nil))
            #expect(version.details.itemCounts == recorded.counts)
        }
        // By pages, it is the same list.
        var pages: [Token] = []
        while pages.count < listed.count {
            let page = try #require(
                try await store.listed(news, before: pages.last, limit: 3)
            )
            guard !page.isEmpty else { break }
            pages += page.map(\.token)
        }
        #expect(pages == listed.map(\.token))
    }

    @Test(arguments: Keeping.Kind.allCases)
    func whoPublishedIsKnownAfterARestart(_ kind: Keeping.Kind) async throws {
        let keeping = try Keeping(kind, .short)
        let token = Token(epoch: "aaaaaaaa", version: 3)
        let origins: [VersionOrigin?] = [
            .key("a"), .signer("b"), .source, .derivation, .restored(token), nil, .key("c"),
        ]
        try await keeping.use { store, _ in
            store.retention.add(.count(2), for: .all)
            for (number, origin) in origins.enumerated() {
                try await store.publish(news, try items(0..<number + 1), by: origin)
            }
        }
        for _ in 0..<2 {
            try await keeping.use { store, _ in
                let listed = try await store.listed(news)
                #expect(listed.map(\.details.origin) == origins.reversed())
                #expect(listed.dropLast().allSatisfy { $0.details.itemCounts?.inserted == 1 })
            }
        }
    }

    @Test(arguments: Keeping.Kind.allCases)
    func versionsGoWithTheirTime(_ kind: Keeping.Kind) async throws {
        let keeping = try Keeping(kind, .short)
        try await keeping.use { store, _ in
            store.retention.add(.age(1000), for: .all)
            for number in 1...40 {
                try await store.keep(news, try items(0..<number))
                keeping.time.add(100, ordering: .relaxed)
            }
        }
        try await keeping.use { store, journal in
            store.retention.add(.age(1000), for: .all)
            // The last 8 are remembered; those were current within 1000 s that were followed since.
            let versions = try await store.listed(news)
            #expect(versions.map(\.token.version).min() == 30)
            keeping.time.add(100, ordering: .relaxed)
            #expect(try await store.listed(news).map(\.token.version).min() == 31)
            let token = try #require(versions.last?.token)
            #expect(try await store.older(token, of: news) == nil)
            try await store.keep(news, try items(0..<50))
            let kept = try await journal.kept(news, token.epoch)
            #expect(kept.map(\.version).min() == 31)
        }
    }

    @Test(arguments: Keeping.Kind.allCases)
    func allVersionsPastAShorterTimeGoWithOnePublish(_ kind: Keeping.Kind) async throws {
        let keeping = try Keeping(kind, .short)
        try await keeping.use { store, journal in
            store.retention.add(.age(10_000), for: .all)
            for number in 1...50 {
                try await store.keep(news, try items(0..<number))
                keeping.time.add(100, ordering: .relaxed)
            }
            store.retention = FeedRules()
            store.retention.add(.age(500), for: .all)
            let token = try await store.keep(news, try items(0..<51)).current.token
            let kept = try await journal.kept(news, token.epoch)
            #expect(kept.map(\.version).sorted() == [45, 46, 47, 48, 49, 50])
        }
    }

    @Test(arguments: Keeping.Kind.allCases.filter { $0 != .memory })
    func aClockThatWasAheadForOneVersionKeepsNoOthers(_ kind: Keeping.Kind) async throws {
        let keeping = try Keeping(kind, .short)
        try await keeping.use { store, journal in
            store.retention.add(.age(500), for: .all)
            var token: Token?
            for number in 1...30 {
                let isAhead = number == 10
                if isAhead { keeping.time.add(1_000_000, ordering: .relaxed) }
                token = try await store.keep(news, try items(0..<number)).current.token
                if isAhead { keeping.time.subtract(1_000_000, ordering: .relaxed) }
                keeping.time.add(100, ordering: .relaxed)
            }
            let kept = try await journal.kept(news, try #require(token).epoch)
            #expect(kept.map(\.version).min() == 24)
        }
    }

    @Test(arguments: Keeping.Kind.allCases)
    func withoutTheSettingTheNextPublishForgetsAll(_ kind: Keeping.Kind) async throws {
        let keeping = try Keeping(kind, .short)
        try await keeping.use { store, _ in
            store.retention.add(.count(100), for: .all)
            for number in 1...30 { try await store.keep(news, try items(0..<number)) }
        }
        try await keeping.use { store, journal in
            let epoch = try #require(store.current(news)?.token.epoch)
            // They are there, and for nobody.
            #expect(try await journal.kept(news, epoch).count == 29)
            #expect(try await store.listed(news).count < 30)
            try await store.keep(news, try items(0..<31))
            #expect(try await journal.kept(news, epoch).isEmpty)
        }
        try await keeping.use { store, journal in
            store.retention.add(.count(100), for: .all)
            for number in 1...9 { try await store.keep(news, try items(0..<number)) }
            let listed = try await store.listed(news)
            for version in listed {
                #expect(try await store.older(version.token, of: news) != nil)
            }
        }
    }

    @Test(arguments: Keeping.Kind.allCases)
    func aDeletedFeedHasNoVersions(_ kind: Keeping.Kind) async throws {
        let keeping = try Keeping(kind, .short)
        try await keeping.use { store, journal in
            store.retention.add(.count(100), for: .all)
            for number in 1...20 { try await store.keep(news, try items(0..<number)) }
            let token = try #require(store.current(news)?.token)
            _ = await store.drop(news)
            try await store.keep(news, try items(0..<1))
            #expect(try await store.listed(news).count == 1)
            #expect(try await journal.kept(news, token.epoch).isEmpty)
            let old = Token(epoch: token.epoch, version: token.version - 1)
            #expect(try await store.older(old, of: news) == nil)
        }
        try await keeping.use { store, _ in
            store.retention.add(.count(100), for: .all)
            let listed = try await store.listed(news)
            #expect(listed.count == 1)
        }
    }

    @Test(arguments: Keeping.Kind.allCases, [0, 3, 17, 28])
    func whatIsForgottenIsForgottenForGood(_ kind: Keeping.Kind, place: Int) async throws {
        let keeping = try Keeping(kind, .short)
        let secret = "a secret that was published"
        func content(_ number: Int) throws -> Snapshot {
            let list = (0..<40).map { item in
                let text = number == place && item == 7 ? secret : "words of \(number)"
                return #"{"id":"i\#(item)","text":"\#(item == 7 || item == number ? text : "-")"}"#
            }
            return try snapshot(#"{"items":[\#(list.joined(separator: ","))]}"#)
        }
        var tokens: [Token] = []
        try await keeping.use { store, _ in
            store.retention.add(.count(100), for: .all)
            for number in 0..<30 {
                tokens.append(try await store.keep(news, try content(number)).current.token)
            }
            if kind == .disk { #expect(try keeping.holds(secret)) }
            guard case .done = await store.forgetting(tokens[place], of: news) else {
                Issue.record("it was not forgotten")
                return
            }
            guard case .unknown = await store.forgetting(tokens[place], of: news),
                case .isCurrent = await store.forgetting(tokens[29], of: news)
            else {
                Issue.record("it was forgotten twice, or the current one was")
                return
            }
            if kind == .disk { #expect(try !keeping.holds(secret)) }
        }
        for _ in 0..<2 {
            try await keeping.use { store, _ in
                store.retention.add(.count(100), for: .all)
                let listed = try await store.listed(news)
                var expected = tokens
                expected.remove(at: place)
                #expect(listed.map(\.token) == expected.reversed())
                #expect(try await store.older(tokens[place], of: news) == nil)
                for (number, token) in tokens.enumerated() where number != place {
                    let version = try #require(try await store.older(token, of: news))
                    #expect(try version.snapshot.content == content(number).content)
                }
                if kind == .disk { #expect(try !keeping.holds(secret)) }
            }
        }
    }

    /// 1,000 versions of one change each of a feed of 10,000 items.
    @Test func thousandVersionsTakeLittleRoom() async throws {
        let keeping = try Keeping(.disk, .short)
        let text = String(repeating: "x", count: 250)
        var feed = try snapshot(
            #"{"items":["#
                + (0..<10_000).map { #"{"id":"i\#($0)","n":0,"text":"\#(text)"}"# }
                .joined(separator: ",") + "]}"
        )
        let first = try await keeping.use { store, _ in
            store.retention.add(.count(1000), for: .all)
            let first = try await store.keep(news, feed).current.token
            for number in 1...1000 {
                let item = try FeedItem(
                    parsing: Array(
                        #"{"id":"i\#(number * 7 % 10_000)","n":\#(number),"text":"\#(text)"}"#.utf8
                    )
                )
                feed = try feed.applying([.replace(item)])
                try await store.keep(news, feed)
            }
            return first
        }
        #expect(keeping.byteCount < 16 << 20)
        try await keeping.use { store, _ in
            store.retention.add(.count(1000), for: .all)
            #expect(try await store.listed(news, limit: 2000)?.count == 1001)
            let version = try #require(try await store.older(first, of: news))
            #expect(version.snapshot.content.filter { $0.contains(#""n":0,"#) }.count == 10_000)
        }
    }

    /// A folder of a server that kept no versions.
    @Test func aFolderOfTheFormatBeforeIsTaken() async throws {
        let keeping = try Keeping(.disk, .short)
        try await keeping.use { store, _ in
            for number in 1...5 { try await store.keep(news, try items(0..<number)) }
        }
        do {
            let database = try Database(path: keeping.path + "/feeds.db")
            try database.execute("DROP TABLE kept; DROP TABLE source; PRAGMA user_version = 2")
        }
        for count in [5, 6] {
            try await keeping.use { store, _ in
                store.retention.add(.count(100), for: .all)
                #expect(try await store.listed(news).count == count)
                try await store.keep(news, try items(0..<count + 1))
            }
        }
    }

    /// A row that is damaged is said to be, and stands in the way of nothing else.
    @Test func aDamagedVersionIsNoOther() async throws {
        let keeping = try Keeping(.disk, .short)
        var tokens: [Token] = []
        try await keeping.use { store, _ in
            store.retention.add(.count(100), for: .all)
            for number in 1...30 {
                tokens.append(try await store.keep(news, try items(0..<number)).current.token)
            }
        }
        do {
            let database = try Database(path: keeping.path + "/feeds.db")
            try database.execute("UPDATE kept SET data = zeroblob(length(data)) WHERE version = 10")
        }
        try await keeping.use { store, _ in
            store.retention.add(.count(100), for: .all)
            #expect(try await store.listed(news).count == 30)
            #expect(try await store.older(tokens[10], of: news)?.count == 11)
            for number in 0..<10 {
                await #expect(throws: JournalError.self) {
                    try await store.older(tokens[number], of: news)
                }
            }
            try await store.keep(news, try items(0..<50))
        }
    }
}

extension HistoryLimits {
    /// Few versions are remembered, so that most are found among the kept ones.
    fileprivate static var short: HistoryLimits {
        var limits = HistoryLimits()
        (limits.versions, limits.weight, limits.alwaysDuration) = (8, 0, .seconds(-1))
        return limits
    }
}

extension FeedStore {
    fileprivate func listed(
        _ feed: FeedName,
        before token: Token?,
        limit: Int
    ) async throws -> [ListedVersion]? {
        try await withCheckedContinuation { continuation in
            versions(of: feed, before: token, limit: limit) { continuation.resume(returning: $0) }
        }.get()
    }

    fileprivate func listed(_ feed: FeedName, limit: Int) async throws -> [ListedVersion]? {
        try await listed(feed, before: nil, limit: limit)
    }

    fileprivate func listed(_ feed: FeedName) async throws -> [ListedVersion] {
        try await listed(feed, before: nil, limit: 20_000) ?? []
    }

    fileprivate func older(_ token: Token, of feed: FeedName) async throws -> Version? {
        try await withCheckedContinuation { continuation in
            olderVersion(token, of: feed) { continuation.resume(returning: $0) }
        }.get()
    }

    fileprivate func forgetting(_ token: Token, of feed: FeedName) async -> ForgetOutcome {
        await withCheckedContinuation { continuation in
            forget(token, of: feed) { continuation.resume(returning: $0) }
        }
    }

    fileprivate func publish(
        _ feed: FeedName,
        _ snapshot: Snapshot,
        by origin: VersionOrigin?
    ) async throws {
        let outcome: Outcome = await withCheckedContinuation { continuation in
            publish(
                feed,
                by: origin,
                { _ throws(Refusal) in snapshot },
                refusal: { _ in Refusal.shortage },
                decided: { continuation.resume(returning: $0) }
            )
        }
        guard case .done = outcome else { throw Refusal.condition }
    }
}

extension Journal {
    fileprivate func kept(_ feed: FeedName, _ epoch: String) async throws -> [KeptVersion] {
        try await withCheckedContinuation { continuation in
            findKept(.list(before: .max, limit: 20_000), of: feed, epoch: epoch) {
                continuation.resume(returning: $0)
            }
        }.get()
    }
}

extension Snapshot {
    /// What was published: members, sections, items in order.
    fileprivate var content: [String] {
        members.list.map { "\($0.name)=" + String(decoding: $0.value.bytes, as: UTF8.self) }
            + sections.flatMap { section in
                ["# \(section.id)"]
                    + section.members.list.map {
                        "\($0.name)=" + String(decoding: $0.value.bytes, as: UTF8.self)
                    }
                    + section.items.map { String(decoding: $0.json.bytes, as: UTF8.self) }
            }
    }
}

extension Keeping {
    fileprivate var files: [String] {
        ["feeds.db", "feeds.db-wal", "reserve"].map { path + "/" + $0 }
    }

    /// Whether a text stands anywhere in the folder's files.
    fileprivate func holds(_ text: String) throws -> Bool {
        files.contains { file in
            FileManager.default.contents(atPath: file)?.range(of: Data(text.utf8)) != nil
        }
    }

    /// The bytes of the database and its log.
    fileprivate var byteCount: Int {
        files.prefix(2).reduce(0) { $0 + (DataFolder.byteCount($1) ?? 0) }
    }
}
