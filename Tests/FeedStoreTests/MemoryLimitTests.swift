import FeedDiff
import FeedModel
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedStore

/// What feeds take is known, and bounded.
@Suite struct MemoryLimiting {
    /// What hangs on a version, of a size that a test says.
    private final class Weight: VersionAttachment {
        private let size: Mutex<Int>
        private let counter: ByteCounter

        init(_ byteCount: Int, on version: Version, of store: FeedStore) {
            size = Mutex(byteCount)
            counter = store.attachedBytes
            counter.add(byteCount)
            version.attachment.withLock { $0 = self }
        }

        var byteCount: Int { size.withLock(\.self) }

        func clear() { retire() }

        func retire() {
            size.withLock { size in
                counter.add(-size)
                size = 0
            }
        }
    }

    /// Edits of four feeds, whole publishes and deletes, where there is room for some.
    @Test(arguments: 0..<12 as Range<UInt64>)
    func nothingIsLostButHistory(seed: UInt64) throws {
        var draw = RandomEdits(random: SeededGenerator(seed: seed))
        let time = HandClock()
        let store = FeedStore(clock: time.clock)
        store.memoryByteLimit = 12_200
        let names = ["a", "b", "c", "d"].map(feedName)
        var contents: [FeedName: PlainFeed] = [:]
        var refusals = 0
        for _ in 0..<300 {
            time.advance(by: .milliseconds(10))
            let feed = names.randomElement(using: &draw.random) ?? news
            if draw.chance(4) {
                #expect(store.remove(feed) { _ in } == (contents[feed] != nil))
                contents[feed] = nil
            } else if try publish(feed, in: store, to: &contents, drawing: &draw) == false {
                refusals += 1
            }
            if draw.chance(20), let version = store.current(feed) {
                version.attachment.withLock { $0 }?.retire()
                _ = Weight(Int.random(in: 0..<2000, using: &draw.random), on: version, of: store)
                store.makeRoom()
                store.trimAttached(to: store.attachedByteLimit)
            }
            check(store, contents)
        }
        #expect(refusals > 0)
        for feed in names { _ = store.remove(feed) { _ in } }
        #expect(store.cost == FeedCost())
    }

    /// Publishes, and checks that it is refused when it has to be.
    private func publish(
        _ feed: FeedName,
        in store: FeedStore,
        to contents: inout [FeedName: PlainFeed],
        drawing draw: inout RandomEdits
    ) throws -> Bool {
        var content = contents[feed] ?? PlainFeed()
        for _ in 0..<Int.random(in: 0...9, using: &draw.random) {
            _ = content.apply(try draw.edit(of: content))
        }
        let new = try snapshot(content.json)
        let old = store.current(feed)
        let token = Token(epoch: "aaaaaaaa", version: 1)
        let size = Version(
            VersionContent(token: token, snapshot: new, published: 0),
            of: feed
        ).memoryByteCount
        let growth = size - (old?.memoryByteCount ?? 0)
        let isAllowed =
            growth <= 0 || store.cost.current + growth <= store.memoryByteLimit
            || content == contents[feed]
        do {
            let publication = try store.publishInMemory(feed, refusal: asItIs) {
                _ throws(MemoryShortage) in new
            }
            #expect(isAllowed)
            #expect(PlainFeed(publication.current.snapshot) == content)
            contents[feed] = content
            return true
        } catch {
            #expect(!isAllowed)
            #expect(error.byteLimit == 12_200)
            #expect(error.byteCount == store.cost.current + growth)
            #expect(store.current(feed) === old)
            return false
        }
    }

    private func check(_ store: FeedStore, _ contents: [FeedName: PlainFeed]) {
        let versions = store.all()
        #expect(versions.map(\.feed) == contents.keys.sorted())
        var sum = FeedCost()
        for version in versions {
            #expect(PlainFeed(version.snapshot) == contents[version.feed])
            sum += store.cost(of: version.feed) ?? FeedCost()
        }
        #expect(sum == store.cost)
        #expect(sum.current <= store.memoryByteLimit)
        #expect(sum.total <= store.memoryByteLimit)
    }

    @Test func theOldestVersionsOfAllFeedsGoFirst() throws {
        let time = HandClock()
        let store = FeedStore(clock: time.clock)
        let names = ["a", "b"].map(feedName)
        var tokens: [(feed: FeedName, token: Token)] = []
        for number in 0..<6 {
            for feed in names {
                time.advance(by: .seconds(1))
                let publication = try store.put(#"{"n": \#(number), "items": []}"#, to: feed)
                if number < 5 { tokens.append((feed, publication.current.token)) }
            }
        }
        func remembered() -> [Bool] {
            tokens.map { store.version($0.token, of: $0.feed) != nil }
        }
        #expect(!remembered().contains(false))
        let each = store.cost.history / tokens.count
        for kept in [9, 6, 1, 0] {
            store.memoryByteLimit = store.cost.current + each * kept + each / 2
            #expect(remembered() == tokens.indices.map { $0 >= tokens.count - kept })
        }
    }

    @Test func historyGoesBeforeWhatHangsOnVersions() throws {
        let store = FeedStore()
        for number in 0..<4 { try store.put(#"{"n": \#(number), "items": []}"#) }
        let version = try #require(store.current(news))
        _ = Weight(500, on: version, of: store)
        store.memoryByteLimit = store.cost.current + 600
        #expect(store.cost.history == 0)
        #expect(store.cost.attached == 500)
        #expect(store.attachedByteLimit == 600)
    }

    @Test func whatIsNoLongerCurrentIsRetired() throws {
        let store = FeedStore()
        for isDeleted in [false, true] {
            let version = try store.put(#"{"n": \#(isDeleted), "items": []}"#).current
            _ = Weight(500, on: version, of: store)
            if isDeleted {
                #expect(store.remove(news) { _ in })
            } else {
                try store.put(#"{"items": []}"#)
            }
            #expect(store.cost.attached == 0)
            #expect(version.attachment.withLock { $0 == nil })
        }
    }

    @Test func withoutRoomFeedsCanShrinkAndGo() throws {
        let store = FeedStore()
        let text = String(repeating: "x", count: 5000)
        try store.put(#"{"items": [{"id": "a", "text": "\#(text)"}, {"id": "b"}]}"#)
        store.memoryByteLimit = 1000
        let larger = try snapshot(#"{"items": [{"id": "a", "text": "\#(text)yyyyyyyyyyyyyyyy"}]}"#)
        let smaller = try snapshot(#"{"items": [{"id": "b"}]}"#)
        _ = try store.publishInMemory(news, refusal: asItIs) { _ throws(MemoryShortage) in larger }
        #expect(store.current(news)?.count == 1, "it is the smaller one for lack of an item")
        let more = try snapshot(#"{"items": [{"id": "a", "text": "\#(text)\#(text)"}]}"#)
        #expect(throws: MemoryShortage.self) {
            try store.publishInMemory(news, refusal: asItIs) { _ throws(MemoryShortage) in more }
        }
        #expect(throws: MemoryShortage.self) {
            try store.publishInMemory(feedName("other"), refusal: asItIs) {
                _ throws(MemoryShortage) in smaller
            }
        }
        _ = try store.publishInMemory(news, dryRun: true, refusal: asItIs) {
            _ throws(MemoryShortage) in more
        }
        _ = try store.publishInMemory(news, refusal: asItIs) { _ throws(MemoryShortage) in smaller }
        #expect(store.current(news)?.snapshot.outline == "main: b")
        #expect(store.remove(news) { _ in })
        #expect(store.cost == FeedCost())
    }

    /// What is told of a feed is what it takes, whatever led to it.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func sizeDependsOnContentAlone(seed: UInt64) throws {
        var draw = RandomEdits(random: SeededGenerator(seed: seed))
        var edited = Snapshot().indexed()
        for _ in 0..<200 {
            let edit = try draw.edit(of: PlainFeed(edited))
            if let next = try? edited.applying([edit]) { edited = next }
            let read = try snapshot(PlainFeed(edited).json)
            #expect(edited.memoryByteCount == read.memoryByteCount)
        }
    }
}
