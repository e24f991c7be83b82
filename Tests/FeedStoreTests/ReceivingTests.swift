import FeedModel
import HeapModule
import Synchronization
import TestSupport
import Testing

@testable import FeedStore

/// Versions that were made elsewhere.
@Suite struct ReceivingTests {
    private let store = FeedStore()
    private let feed: FeedName

    init() throws {
        feed = try #require(FeedName("news"))
    }

    private func snapshot(_ ids: [String]) throws -> Snapshot {
        let items = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        return try Snapshot(parsing: Array(#"{"items":[\#(items)]}"#.utf8)).indexed()
    }

    private func version(_ number: Int, _ ids: [String], epoch: String = "aaaaaaaa") throws
        -> VersionContent
    {
        VersionContent(
            token: Token(epoch: epoch, version: number),
            snapshot: try snapshot(ids),
            published: Double(number)
        )
    }

    private func whole(_ version: VersionContent) -> RemoteChange {
        .feed(RecoveredFeed(feed: feed, versions: [version], times: [], floor: 0))
    }

    private func token(_ number: Int) -> Token { Token(epoch: "aaaaaaaa", version: number) }

    @Test func versionsFollowEachOtherWithGaps() throws {
        store.receive(whole(try version(3, ["a"])))
        for number in [4, 7, 8, 12] {
            store.receive(.version(try version(number, ["a", "b\(number)"]), of: feed))
        }
        #expect(store.current(feed)?.token == token(12))
        let known = (1...12).filter { store.version(token($0), of: feed) != nil }
        #expect(known == [3, 4, 7, 8, 12])
        #expect(store.version(token(7), of: feed)?.snapshot.item("b7") != nil)
    }

    @Test func whatIsForgottenIsTheOldestAlsoWithGaps() throws {
        var limits = HistoryLimits()
        limits.alwaysVersions = 3
        limits.alwaysDuration = .zero
        limits.versions = 3
        let time = Atomic(0)
        let store = FeedStore(
            limits: limits,
            clock: FeedStore.Clock(
                now: { .seconds(time.add(10, ordering: .relaxed).newValue) },
                wall: { 0 }
            )
        )
        store.receive(whole(try version(1, ["a"])))
        for number in stride(from: 3, through: 21, by: 2) {
            store.receive(.version(try version(number, ["a\(number)"]), of: feed))
        }
        let known = (1...21).filter { store.version(token($0), of: feed) != nil }
        #expect(known == [17, 19, 21])
        store.receive(.removal(feed, latestDeleted: nil))
        #expect(store.cost == FeedCost())
    }

    @Test func anOlderVersionChangesNothing() throws {
        store.receive(whole(try version(3, ["a"])))
        store.receive(.version(try version(2, ["b"]), of: feed))
        store.receive(.version(try version(4, ["b"], epoch: "bbbbbbbb"), of: feed))
        #expect(store.current(feed)?.token == token(3))
    }

    @Test func anotherIncarnationTakesTheFeedsPlaceAtOnce() throws {
        let seen = Mutex<[Token?]>([])
        store.observe { name in
            let token = store.current(name)?.token
            seen.withLock { $0.append(token) }
        }
        store.receive(whole(try version(3, ["a"])))
        let other = try version(1, ["b"], epoch: "bbbbbbbb")
        store.receive(whole(other))
        store.receive(.removal(feed, latestDeleted: 99))
        #expect(seen.withLock(\.self) == [token(3), other.token, nil])
        #expect(store.lastDeletedSecond >= 99)
        #expect(store.current(feed) == nil)
    }

    /// A server reads a feed of another one as a whole again and again, whenever that one has
    /// stored it anew.
    @Test func aFeedThatIsReplacedAgainAndAgainTakesNoMoreMemory() throws {
        for number in 0..<500 {
            store.receive(whole(try version(2 * number + 1, ["a"])))
            store.receive(.version(try version(2 * number + 2, ["a", "b"]), of: feed))
        }
        let counts = store.state.withLock { $0.queues.map(\.count) }
        #expect(counts.allSatisfy { $0 <= 200 }, "\(counts)")
    }
}
