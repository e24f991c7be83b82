import FeedDiff
import FeedModel
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedStore

/// docs/PROTOCOL.md, "One validator for everything": a version that was lost never comes again.
@Suite struct TokensAfterBreaks {
    private static let start = 1_800_000_000.0

    /// Milliseconds since 2020 at the start.
    private static let milliseconds = Int(start - 1_577_836_800) * 1000

    /// A monotonic time, and a time of day that can be set.
    private final class Clocks: Sendable {
        private let times = Mutex((now: Duration.zero, wall: TokensAfterBreaks.start))

        func pass(_ seconds: Int) {
            times.withLock {
                $0.now += .seconds(seconds)
                $0.wall += Double(seconds)
            }
        }

        func set(by seconds: Double) { times.withLock { $0.wall += seconds } }

        var clock: FeedStore.Clock {
            FeedStore.Clock(
                now: { self.times.withLock(\.now) },
                wall: { self.times.withLock(\.wall) }
            )
        }
    }

    /// Publishes a feed of one item, and returns the version.
    private static func publish(
        _ store: FeedStore,
        _ value: Int,
        to feed: FeedName = news
    ) async throws -> Int {
        let text = #"{"items":[{"id":"a","value":\#(value)}]}"#
        let snapshot = try Snapshot(publishing: Array(text.utf8))
        return await withCheckedContinuation { continuation in
            store.publish(feed) { _ throws(CancellationError) in
                snapshot
            } refusal: { _ in
                CancellationError()
            } decided: { outcome in
                guard case .done(let publication) = outcome else {
                    return continuation.resume(returning: -1)
                }
                continuation.resume(returning: publication.current.token.version)
            }
        }
    }

    @Test func theFirstVersionAfterAStartGoesOnFromTheTime() async throws {
        let medium = MemoryJournal.Medium()
        let clocks = Clocks()
        var last = 0
        for start in 0..<4 {
            let store = FeedStore(clock: clocks.clock, journal: MemoryJournal(medium))
            _ = try store.restore()
            let first = try await Self.publish(store, 10 * start)
            if start == 0 {
                #expect(first == 1)
            } else {
                #expect(first > last)
                #expect(first >= Self.milliseconds)
            }
            // From then on by one, whatever time it is.
            clocks.pass(1000)
            for step in 1...3 {
                #expect(try await Self.publish(store, 10 * start + step) == first + step)
            }
            #expect(try await Self.publish(store, 1, to: feedName("new-\(start)")) == 1)
            last = first + 3
        }
    }

    /// Each start draws anew: two that follow the same version differ, as a rule, even in the same
    /// millisecond and with a clock that stands in the past.
    @Test func startsFromTheSameVersionDiffer() async throws {
        var found: Set<Int> = []
        for _ in 0..<16 {
            let medium = MemoryJournal.Medium()
            let clock = FeedStore.Clock(now: { .zero }, wall: { 0 })
            let first = FeedStore(clock: clock, journal: MemoryJournal(medium))
            _ = try first.restore()
            #expect(try await Self.publish(first, 1) == 1)
            let second = FeedStore(clock: clock, journal: MemoryJournal(medium))
            _ = try second.restore()
            let version = try await Self.publish(second, 2)
            #expect(1 < version && version <= 1 + 1 << 20)
            found.insert(version)
        }
        #expect(found.count > 8)
    }

    @Test(arguments: [(9.0, false), (-9.0, false), (11.0, true), (-11.0, true), (1e9, true)])
    func aJumpOfTheTimeOfDayIsABreak(_ seconds: Double, _ isBreak: Bool) async throws {
        let clocks = Clocks()
        let store = FeedStore(clock: clocks.clock)
        for value in 1...3 { #expect(try await Self.publish(store, value) == value) }
        clocks.pass(100_000)
        #expect(try await Self.publish(store, 4) == 4)
        clocks.set(by: seconds)
        let version = try await Self.publish(store, 5)
        #expect((version > 5) == isBreak)
        #expect(try await Self.publish(store, 6) == version + 1)
    }

    @Test func aBreakIsOneOfEachFeed() async throws {
        let store = FeedStore(clock: Clocks().clock)
        let feeds = (0..<3).map { feedName("feed-\($0)") }
        for feed in feeds { #expect(try await Self.publish(store, 1, to: feed) == 1) }
        store.continuity.noteBreak()
        for feed in feeds {
            let version = try await Self.publish(store, 2, to: feed)
            #expect(version >= Self.milliseconds)
            #expect(try await Self.publish(store, 3, to: feed) == version + 1)
        }
    }

    /// The last 8 versions are remembered whatever lies between their numbers.
    @Test func gapsDoNotForgetVersions() async throws {
        let clocks = Clocks()
        var limits = HistoryLimits()
        (limits.alwaysDuration, limits.versions) = (.zero, 8)
        let store = FeedStore(
            limits: limits,
            clock: clocks.clock
        )
        var tokens: [Token] = []
        for value in 0..<12 {
            _ = try await Self.publish(store, value)
            clocks.pass(1)
            tokens.append(try #require(store.current(news)?.token))
            if value % 3 == 1 { store.continuity.noteBreak() }
        }
        for (index, token) in tokens.enumerated() {
            #expect((store.version(token, of: news) != nil) == (index >= 4))
        }
    }
}
