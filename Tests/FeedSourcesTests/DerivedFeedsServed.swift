import Dispatch
import FeedAPI
import FeedModel
import FeedStore
import Platform
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedSources

/// Derived feeds of a store that publishes go to.
@Suite struct DerivedFeedsServed {
    @Test func areMadeOfWhatIsThereAndKeptUp() async throws {
        let feeds = try DerivedFeeds(["all": ["news", "sports-*"]])
        try feeds.put("news", ["n1", "n2"])
        feeds.service.start()
        try await feeds.wait("all", for: ["news/n1", "news/n2"])
        try feeds.put("sports-1", ["s1"])
        try await feeds.wait("all", for: ["news/n1", "news/n2", "sports-1/s1"])
        try feeds.put("weather", ["w1"])
        try feeds.put("news", ["n2", "n3"])
        try await feeds.wait("all", for: ["news/n2", "news/n3", "sports-1/s1"])
        let news = try #require(FeedName("news"))
        _ = feeds.store.remove(news) { _ in }
        try await feeds.wait("all", for: ["sports-1/s1"])
    }

    @Test func changeInsteadOfBeingMadeAnew() async throws {
        let feeds = try DerivedFeeds(["all": ["news"]])
        try feeds.put("news", ["n1", "n2"])
        feeds.service.start()
        try await feeds.wait("all", for: ["news/n1", "news/n2"])
        let name = try #require(FeedName("all"))
        let first = try #require(feeds.store.current(name))
        try feeds.put("news", ["n1", "n2", "n3"])
        try await feeds.wait("all", for: ["news/n1", "news/n2", "news/n3"])
        let second = try #require(feeds.store.current(name))
        #expect(second.token.epoch == first.token.epoch)
        #expect(second.token.version == first.token.version + 1)
        #expect(second.snapshot.item("news/n1") === first.snapshot.item("news/n1"))
    }

    /// One more derived feed has only those made anew whose patterns name it.
    @Test(arguments: [("sports-2", ["all"]), ("other", [])])
    func areMadeAnewWhereThatCounts(_ new: String, others: [String]) async throws {
        let old = ["all": ["sports-*"], "exact": ["sports-2", "news"], "last": ["weather"]]
        let feeds = try DerivedFeeds(old)
        try feeds.put("sports-1", ["s1"])
        try feeds.put("news", ["n1"])
        try feeds.put("weather", ["w1"])
        feeds.service.start()
        try await feeds.wait("all", for: ["sports-1/s1"])
        try await feeds.wait("exact", for: ["news/n1"])
        try await feeds.wait("last", for: ["weather/w1"])
        // A feed that is made anew has its own items again.
        for name in old.keys { try feeds.put(name, ["x"]) }
        feeds.service.take(
            try old.map { try derivation($0.key, $0.value) } + [try derivation(new, ["weather"])]
        )
        try await feeds.wait(new, for: ["weather/w1"])
        try feeds.put("weather", ["w2"])
        for name in ["last", new] { try await feeds.wait(name, for: ["weather/w2"]) }
        for name in others { try await feeds.wait(name, for: ["sports-1/s1"]) }
        if new == "other" {
            for name in ["all", "exact"] { #expect(try feeds.ids(name) == ["x"]) }
        }
    }

    @Test func canBeMadeOfEachOther() async throws {
        let feeds = try DerivedFeeds(["second": ["first", "*"], "first": ["news"]])
        feeds.service.start()
        try feeds.put("news", ["n1"])
        // The pattern names no derived feed, the name does.
        try await feeds.wait("second", for: ["first/news/n1", "news/n1"])
    }

    @Test func followTheConfiguration() async throws {
        let feeds = try DerivedFeeds(["all": ["news"]])
        try feeds.put("news", ["n1"])
        try feeds.put("sports", ["s1"])
        feeds.service.start()
        try await feeds.wait("all", for: ["news/n1"])
        feeds.service.take([try derivation("all", ["sports", "news"])])
        try await feeds.wait("all", for: ["sports/s1", "news/n1"])
        feeds.service.take([try derivation("other", ["sports"])])
        try await feeds.wait("other", for: ["sports/s1"])
        // It stays as it was, and nobody makes it.
        try feeds.put("news", ["n2"])
        try feeds.put("sports", ["s2"])
        try await feeds.wait("other", for: ["sports/s2"])
        #expect(try feeds.ids("all") == ["sports/s1", "news/n1"])
    }

    /// A publish by the derivation before may wait while the new one's is done.
    @Test func keepWhatANewDerivationMade() async throws {
        let held = (0..<MachineCores.count).map { "held-\($0)" }
        var derived = ["all": ["news"], "mark": ["many"]]
        for name in held { derived[name] = ["of-\(name)"] }
        let feeds = try DerivedFeeds(derived)
        for name in held { try feeds.put("of-\(name)", ["1"]) }
        try feeds.put("news", ["n1"])
        try feeds.put("sports", ["s1"])
        feeds.service.start()
        try await feeds.wait("all", for: ["news/n1"])
        for name in held { try await feeds.wait(name, for: ["of-\(name)/1"]) }
        let gate = DispatchSemaphore(value: 0)
        let isOpen = Atomic(false)
        feeds.store.observe { feed in
            let isHeld = feed.rawValue.hasPrefix("held-")
            if isHeld, !isOpen.load(ordering: .relaxed) { gate.wait() }
        }
        // They take all threads for small work, so the next publish waits.
        for name in held { try feeds.put("of-\(name)", ["2"]) }
        try feeds.put("news", ["n1", "n2"])
        // What is large has threads of its own; so the others have had their turn.
        let many = (0..<11_000).map(String.init)
        try feeds.put("many", many)
        try await feeds.wait("mark", for: many.map { "many/\($0)" })
        derived["all"] = ["sports"]
        feeds.service.take(try derived.map { try derivation($0.key, $0.value) })
        try await feeds.wait("all", for: ["sports/s1"])
        isOpen.store(true, ordering: .relaxed)
        for _ in held { gate.signal() }
        for name in held { try feeds.put("of-\(name)", ["3"]) }
        for name in held { try await feeds.wait(name, for: ["of-\(name)/3"]) }
        #expect(try feeds.ids("all") == ["sports/s1"])
    }

    @Test func goOnAfterAStop() async throws {
        let feeds = try DerivedFeeds(["all": ["news"]])
        feeds.service.start()
        try feeds.put("news", ["n1"])
        try await feeds.wait("all", for: ["news/n1"])
        feeds.service.stop()
        try feeds.put("news", ["n2"])
        feeds.service.start()
        try await feeds.wait("all", for: ["news/n2"])
    }

    @Test func findWaysRound() throws {
        let way = Derivation.cycle(
            in: [
                try derivation("a", ["b"]), try derivation("b", ["x", "c"]),
                try derivation("c", ["*", "b"]),
            ]
        )
        #expect(way?.map(\.rawValue) == ["b", "c", "b"])
        let itself = Derivation.cycle(in: [try derivation("a", ["a"])])
        #expect(itself?.map(\.rawValue) == ["a", "a"])
        let none = Derivation.cycle(
            in: [
                try derivation("a", ["b", "c"]), try derivation("b", ["c"]),
                try derivation("c", ["*"]),
            ]
        )
        #expect(none == nil)
    }

    /// What items must be like, and which are.
    @Test(
        arguments: [
            (ItemCondition.Value.text("a"), #"{"id":"1","m":"a"}"#, true),
            (.text("a"), #"{"id":"1","m":"A"}"#, false), (.text("1"), #"{"id":"1","m":1}"#, false),
            (.number(1), #"{"id":"1","m":1.0}"#, true), (.number(1), #"{"id":"1","m":"1"}"#, false),
            (.bool(true), #"{"id":"1","m":true}"#, true),
            (.bool(false), #"{"id":"1"}"#, false), (.nothing, #"{"id":"1"}"#, true),
            (.nothing, #"{"id":"1","m":null}"#, true), (.nothing, #"{"id":"1","m":0}"#, false),
        ]
    ) func equal(_ value: ItemCondition.Value, _ item: String, _ isEqual: Bool) throws {
        let path = try #require(MemberPath("m"))
        #expect(try holds(.equal(path, [value]), item) == isEqual)
        #expect(try holds(.equal(path, [.text("other"), value]), item) == isEqual)
        #expect(try holds(.not(.equal(path, [value])), item) == !isEqual)
    }

    @Test(
        arguments: [
            ("swift", #"{"id":"1","m":"About Swift 6"}"#, true),
            ("swift", #"{"id":"1","m":["Swift","rust"]}"#, true),
            ("swif", #"{"id":"1","m":["Swift"]}"#, false), ("swift", #"{"id":"1"}"#, false),
            ("", #"{"id":"1","m":"x"}"#, true), ("é", #"{"id":"1","m":"CAFÉ"}"#, true),
        ]
    ) func contain(_ part: String, _ item: String, _ isPart: Bool) throws {
        let path = try #require(MemberPath("m"))
        #expect(try holds(.contains(path, .text(part)), item) == isPart)
    }

    @Test(
        arguments: [
            (#""2025-12-31T23:30:00Z""#, true, false),
            (#""2026-01-01T00:30:00+01:00""#, true, false),
            (#""2026-01-01T00:00:00Z""#, false, false), (#""2026-01-01""#, false, false),
            (#""2026-01-02""#, false, true), (#""soon""#, false, false), ("5", false, false),
            ("null", false, false), (#""2026-01-01T00:00:00.0000001Z""#, false, true),
            (#""2025-12-31T23:59:59.9999999Z""#, true, false),
            (#""2026-01-01T00:00:00.0000000Z""#, false, false),
        ]
    ) func compareTimes(_ value: String, _ isBefore: Bool, _ isAfter: Bool) throws {
        let path = try #require(MemberPath("/m"))
        let key = SortKey(text: "2026-01-01")
        let item = "{\"id\":\"1\",\"m\":\(value)}"
        #expect(try holds(.before(path, key), item) == isBefore)
        #expect(try holds(.after(path, key), item) == isAfter)
    }

    @Test(
        arguments: [
            ("1", true, false), ("2.0", false, false), ("30e-1", false, true),
            ("true", false, false), ("false", false, false), (#""1""#, false, false),
        ]
    ) func compareNumbers(_ value: String, _ isBefore: Bool, _ isAfter: Bool) throws {
        let path = try #require(MemberPath("m"))
        let item = "{\"id\":\"1\",\"m\":\(value)}"
        #expect(try holds(.before(path, .number(2)), item) == isBefore)
        #expect(try holds(.after(path, .number(2)), item) == isAfter)
    }

    @Test(
        arguments: [
            ("5Z", "51Z", true), ("0001Z", "0002Z", true), ("12309Z", "1231Z", true),
            ("1234Z", "12340Z", nil), ("1Z", "1000000Z", nil), ("9999Z", "99991+00:00", true),
        ]
    ) func compareFractions(_ left: String, _ right: String, _ isFirst: Bool?) throws {
        for mark in [".", ","] {
            let keys = [left, right].map { SortKey(text: "1969-12-31T23:59:59\(mark)\($0)") }
            #expect(keys[0].precedes(keys[1], isDescending: false) == isFirst)
            #expect(keys[1].precedes(keys[0], isDescending: false) == isFirst.map { !$0 })
        }
    }

    /// Items have other ids here, of which the titles say nothing.
    @Test func haveSectionsByIDs() async throws {
        var derivation = try derivation("all", ["a", "b"])
        derivation.sections = .byMember(try #require(MemberPath("id")))
        let feeds = DerivedFeeds([derivation])
        feeds.service.start()
        try feeds.put("b", ["1"])
        try await feeds.wait("all", for: ["b/1"])
        try feeds.put("a", ["2", "1"])
        try await feeds.wait("all", for: ["a/1", "b/1", "a/2"])
        let sections = feeds.store.current(derivation.feed)?.snapshot.sections ?? []
        #expect(sections.map(\.id) == ["1", "2"])
        #expect(sections.map { $0.members["title"]?.stringValue } == ["1", "2"])
    }

    @Test(arguments: [("/a/b", "2"), ("/a~1b", "3"), ("/l/1", "4"), ("a/b", "3")])
    func findMembers(_ path: String, _ expected: String) throws {
        let item = #"{"id":"1","a":{"b":2},"a/b":3,"l":[0,4]}"#
        let way = try #require(MemberPath(path))
        let values = try FeedItem(parsing: Array(item.utf8)).values(of: [way.name])
        #expect(way.value(in: values) == .number(expected))
    }

    private func holds(_ condition: ItemCondition, _ item: String) throws -> Bool {
        let item = try FeedItem(parsing: Array(item.utf8))
        return condition.holds(for: item.values(of: condition.names))
    }
}

func derivation(_ name: String, _ from: [String]) throws -> Derivation {
    Derivation(
        feed: try #require(FeedName(name)),
        from: try from.map { try #require(FeedPattern($0)) }
    )
}

/// A store with derived feeds.
final class DerivedFeeds: Sendable {
    let store = FeedStore()
    let service: DerivationService
    private let waiters = Mutex<[@Sendable () -> Bool]>([])

    convenience init(_ derived: [String: [String]]) throws {
        self.init(try derived.map { try derivation($0.key, $0.value) })
    }

    init(_ derivations: [Derivation]) {
        service = DerivationService(derivations, store)
        service.publish(with: FeedAPI(store: store))
        store.observe { [weak self] _ in self?.look() }
    }

    /// Those that have found what they wait for do nothing more.
    private func look() {
        for waiter in waiters.withLock(\.self) { _ = waiter() }
    }

    func put(_ name: String, _ ids: [String]) throws {
        let items = ids.map { "{\"id\":\"\($0)\"}" }.joined(separator: ",")
        let snapshot = try Snapshot(parsing: Array("{\"items\":[\(items)]}".utf8))
        _ = store.publishInMemory(try #require(FeedName(name))) { _ in snapshot }
    }

    func ids(_ name: String) throws -> [String] {
        let version = store.current(try #require(FeedName(name)))
        return version?.snapshot.sections.flatMap { $0.items.map(\.id.string) } ?? []
    }

    /// Waits until a feed has these items.
    func wait(_ name: String, for ids: [String]) async throws {
        let isDone = Mutex(false)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let look: @Sendable () -> Bool = { [self] in
                guard (try? self.ids(name)) == ids else { return false }
                let isFirst = isDone.withLock { isDone in
                    defer { isDone = true }
                    return !isDone
                }
                if isFirst { continuation.resume() }
                return true
            }
            waiters.withLock { $0.append(look) }
            _ = look()
        }
    }
}
