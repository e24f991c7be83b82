import FeedAPI
import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedMirror

/// Mirrors of a server of this project, over sockets.
@Suite(.timeLimit(.minutes(2))) struct MirroredServers {
    /// A server of feeds, which can stop and come back at the same address.
    private final class Origin: Sendable {
        let store: FeedStore
        let api: FeedAPI
        let server: HTTPServer

        /// Starts it; `upstream` makes it a mirror.
        init(_ store: FeedStore = FeedStore(), port: Int = 0, upstream: Mirror? = nil) throws {
            self.store = store
            var configuration = APIConfiguration()
            configuration.keys = [AccessKey("a-key")]
            api = FeedAPI(store: store, configuration: configuration, upstream: upstream)
            server = try HTTPServer(host: "127.0.0.1", port: port, loops: 2, handler: api)
            server.start()
        }

        var url: String { "http://127.0.0.1:\(server.port)" }

        func stop() async { await server.stopped(within: .zero) }

        @discardableResult
        func publish(_ feed: String, _ ids: [Int]) throws -> Token {
            let items = ids.map { "{\"id\":\"\($0)\",\"text\":\"longer than a change of it\"}" }
            let json = "{\"items\":[\(items.joined(separator: ","))]}"
            let snapshot = try Snapshot(publishing: Array(json.utf8))
            let name = try #require(FeedName(feed))
            return store.publishInMemory(name) { _ in snapshot }.current.token
        }

        func remove(_ feed: String) throws {
            _ = store.remove(try #require(FeedName(feed))) { _ in }
        }

        /// Publishes or removes some feed.
        func changeSomething(_ random: inout SeededGenerator) throws {
            let feed = "feed-\(Int.random(in: 0..<5, using: &random))"
            if Int.random(in: 0..<8, using: &random) == 0 { return try remove(feed) }
            let count = Int.random(in: 0..<6, using: &random)
            try publish(feed, Array((0..<12).shuffled(using: &random).prefix(count)))
        }
    }

    /// The versions of a store as its readers see them, in the order in which they came.
    private final class Seen: Sendable {
        private let tokens = Mutex<[FeedName: [Token]]>([:])

        init(_ store: FeedStore) {
            store.observe { [weak self, weak store] feed in
                guard let self, let token = store?.current(feed)?.token else { return }
                tokens.withLock { $0[feed, default: []].append(token) }
            }
        }

        /// Whether a version came after a later one, or an epoch after it had ended.
        var goesBack: Bool {
            tokens.withLock { tokens in
                tokens.values.contains { seen in
                    let epochs = seen.map(\.epoch)
                    let lives = epochs.indices.filter { $0 == 0 || epochs[$0] != epochs[$0 - 1] }
                    let isOld = zip(seen, seen.dropFirst()).contains {
                        $0.hasSameEpoch(as: $1) && $0.version > $1.version
                    }
                    return isOld || Set(epochs).count != lives.count
                }
            }
        }
    }

    /// The documents of all feeds of a store.
    private func documents(_ store: FeedStore) -> [String] {
        store.all().map { version in
            let encoder = DocumentEncoder(feed: version.feed)
            let json = encoder.snapshot(FeedView()(version.snapshot), token: version.token)
            return String(decoding: json, as: UTF8.self)
        }
    }

    private func mirror(of origin: String) throws -> MirrorTrial {
        try MirrorTrial(of: origin) { settings in
            settings.pause = { _ in try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    private func until(_ mirror: MirrorTrial, hasAllOf origin: FeedStore) async {
        await FeedMirrorTests.until {
            mirror.store.all().map(\.token) == origin.all().map(\.token)
                && mirror.mirror.isFollowing
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func haveItsVersionsAndNeverGoBack(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let origin = try Origin()
        for _ in 0..<20 { try origin.changeSomething(&random) }
        let first = try mirror(of: origin.url)
        let seen = Seen(first.store)
        let middle = try Origin(first.store, upstream: first.mirror)
        first.start { middle.api.upstreamBecameReady() }
        let second = try mirror(of: middle.url)
        let seenBehind = Seen(second.store)
        second.start()
        for round in 0..<200 {
            try origin.changeSomething(&random)
            if round.isMultiple(of: 50) { await until(second, hasAllOf: origin.store) }
        }
        await until(first, hasAllOf: origin.store)
        await until(second, hasAllOf: origin.store)
        #expect(documents(first.store) == documents(origin.store))
        #expect(documents(second.store) == documents(origin.store))
        #expect(!seen.goesBack && !seenBehind.goesBack)
        #expect(first.mirror.behindFeedCount == 0 && second.mirror.behindFeedCount == 0)
        await middle.stop()
        await origin.stop()
    }

    @Test func serveWhatTheyHaveUntilItIsBackAndThenCatchUp() async throws {
        let origin = try Origin()
        let kept = try origin.publish("kept", [1, 2])
        try origin.publish("changed", [1])
        try origin.publish("removed", [1])
        let renewed = try origin.publish("renewed", [1])
        let trial = try mirror(of: origin.url)
        trial.start()
        await until(trial, hasAllOf: origin.store)
        let before = documents(trial.store)
        await origin.stop()
        await FeedMirrorTests.until { !trial.mirror.isFollowing }
        #expect(documents(trial.store) == before && trial.mirror.cutOffTime != nil)
        #expect(await !trial.asks(("kept", "\(kept)9")))
        let changed = try origin.publish("changed", [2])
        try origin.remove("removed")
        try origin.remove("renewed")
        #expect(try origin.publish("renewed", [1]).epoch != renewed.epoch)
        try origin.publish("new", [3])
        let again = try Origin(origin.store, port: origin.server.port)
        await until(trial, hasAllOf: origin.store)
        #expect(documents(trial.store) == documents(origin.store))
        #expect(trial.mirror.cutOffTime == nil && trial.token("changed") == changed.description)
        #expect(trial.reports.last == "\(origin.url) is followed again")
        #expect(trial.readyCount == 1)
        await again.stop()
    }

    @Test func haveNewerVersionsForReadersWhoAsk() async throws {
        let origin = try Origin()
        try origin.publish("news", [1])
        let trial = try mirror(of: origin.url)
        trial.start()
        await until(trial, hasAllOf: origin.store)
        for number in 2..<20 {
            let token = try origin.publish("news", [number])
            #expect(await trial.asks(("news", token.description)))
            #expect(trial.token() == token.description)
        }
        try origin.remove("news")
        #expect(await trial.asks(("news", nil)))
        #expect(trial.token() == nil)
        await origin.stop()
    }

    @Test func areToldOfAKeyThatMayNotFollow() async throws {
        var configuration = APIConfiguration()
        let digest = SHA256Digest(of: "a-key".utf8.span)
        configuration.keys = [AccessKey(digest: digest, read: [.all])]
        let server = try SocketServer(FeedAPI(store: FeedStore(), configuration: configuration))
        let trial = try mirror(of: "http://127.0.0.1:\(server.port)")
        trial.start()
        await FeedMirrorTests.until { !trial.reports.isEmpty }
        #expect(trial.reports.first?.hasSuffix("its key needs the right follow there") == true)
    }
}
