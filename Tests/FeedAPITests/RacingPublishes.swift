import Dispatch
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// Publishes that another server is quicker than, and those whose fate is known late.
@Suite(.timeLimit(.minutes(2))) struct RacingPublishes {
    private static let item = #"{"id":"x"}"#
    private static let keyed = ["Idempotency-Key": "once"]

    /// Holds what has to be there before it can be used.
    private final class Later<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    private func api(
        _ journal: ScriptedJournal,
        _ configure: (inout APIConfiguration) -> Void = { _ in }
    ) -> FeedAPI {
        var configuration = APIConfiguration.patient
        configuration.keys = [AccessKey(API.key)]
        configure(&configuration)
        return FeedAPI(store: FeedStore(journal: journal), configuration: configuration)
    }

    private func send(
        _ api: FeedAPI,
        _ method: String,
        _ target: String,
        _ body: String,
        _ headers: [String: String] = [:]
    ) async throws -> TestResponse {
        let all = headers.merging([
            "Authorization": "Bearer " + API.key, "Content-Type": "application/json",
        ]) { $1 }
        return try await InMemoryServer(api).send(
            method,
            target,
            headers: all.map { ($0.key, $0.value) },
            body: Array(body.utf8)
        )
    }

    @Test(arguments: [[:], keyed])
    func areTriedAgain(_ headers: [String: String]) async throws {
        let journal = ScriptedJournal([[.durable], [.late], [.late]])
        let api = api(journal)
        #expect(try await send(api, "PUT", "/feeds/news", #"{"items":[]}"#).status == 201)
        let answer = try await send(api, "POST", "/feeds/news/items", Self.item, headers)
        #expect(answer.status == 201)
        #expect(journal.count == 4)
        let name = try #require(FeedName("news"))
        #expect(api.store.current(name)?.token.version == 2)
        let removal = try await send(api, "DELETE", "/feeds/news", "", headers)
        #expect(removal.status == 204)
    }

    @Test func deletionsAreTriedAgain() async throws {
        let journal = ScriptedJournal([[.durable], [.late]])
        let api = api(journal)
        #expect(try await send(api, "PUT", "/feeds/news", #"{"items":[]}"#).status == 201)
        #expect(try await send(api, "DELETE", "/feeds/news", "").status == 204)
        #expect(journal.count == 3)
    }

    @Test func areGivenUpWhenOthersAreAlwaysQuicker() async throws {
        let clock = TestClock()
        let journal = ScriptedJournal(Array(repeating: [.late], count: 100)) { _, _ in
            clock.advance(by: .seconds(3))
        }
        let answer = try await send(
            api(journal) { $0.clock = { clock.now } },
            "PUT",
            "/feeds/news",
            #"{"items":[]}"#
        )
        #expect(answer.status == 503)
        #expect(answer.problem == "not-kept")
        #expect(journal.count == 4)
    }

    /// A patch that is short may rewrite much, each time that it is tried.
    @Test(arguments: [false, true])
    func waitAmongLargeWorkAgainIfTheyAreLarge(_ isLarge: Bool) async throws {
        let (holder, gate) = (Later<FeedAPI>(), Later<Gate>())
        let journal = ScriptedJournal([[.durable], [.late]]) { count, _ in
            guard count == 2, let api = holder.value.withLock(\.self) else { return }
            // The first try has ended, and there is no room among the other work.
            for size in [WorkSize.small, .large] {
                while api.service.work.publishes(size).load != (0, 0) {}
            }
            let taken = Gate(api.service.work.publishes(isLarge ? .small : .large))
            gate.value.withLock { $0 = taken }
        }
        let api = api(journal) { $0.waitingPublishes.count = 1 }
        holder.value.withLock { $0 = api }
        #expect(try await send(api, "PUT", "/feeds/news", #"{"items":[]}"#).status == 201)
        let space = String(repeating: " ", count: isLarge ? 20 << 10 : 10 << 10)
        let edits = #"{"edits":[{"setFeed":{"n":1}}]}"# + space
        var answer = try await send(api, "PATCH", "/feeds/news", edits)
        while answer.problem == "overloaded", journal.count < 2 {
            // What the PUT was done by is over a moment after its answer.
            answer = try await send(api, "PATCH", "/feeds/news", edits)
        }
        #expect(answer.status == 200)
        #expect(journal.count == 3)
        gate.value.withLock { $0 }?.open()
    }

    @Test(arguments: [[:], keyed])
    func areNotTriedAgainOnceNobodyKnew(_ headers: [String: String]) async throws {
        let journal = ScriptedJournal([[.durable], [.unknown("it is away"), .late]])
        let api = api(journal)
        #expect(try await send(api, "PUT", "/feeds/news", #"{"items":[]}"#).status == 201)
        let answer = try await send(api, "POST", "/feeds/news/items", Self.item, headers)
        #expect(answer.problem == "outcome-unknown")
        // What comes after it in the feed's line has its answer later.
        journal.close()
        let next = try await send(api, "POST", "/feeds/news/items", #"{"id":"y"}"#)
        #expect(next.status == 201)
        #expect(next.json["token"]?.string?.hasSuffix(".2") == true)
        let name = try #require(FeedName("news"))
        #expect(api.store.current(name)?.snapshot.count == 1)
        #expect(journal.count == 3)
    }

    @Test(arguments: [[:], keyed])
    func whatTheDiskKeepsWaitingIsBounded(_ headers: [String: String]) async throws {
        let held = DispatchSemaphore(value: 0)
        let journal = ScriptedJournal([]) { _, _ in held.wait() }
        let api = api(journal) { $0.waitingPublishes.byteCount = 200_000 }
        let words = String(repeating: "x", count: 20_000)
        let body = #"{"items":[{"id":"a","text":"\#(words)"}]}"#
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<20 {
                group.addTask {
                    // Those with a key are one request that is sent again and again.
                    let target = "/feeds/f\(headers.isEmpty ? number : 0)"
                    return try await send(api, "PUT", target, body, headers).status
                }
            }
            // As many wait as may, and the others are refused.
            while api.service.work.refusals.count(.publishes) < 15 { await Task.yield() }
            for _ in 0..<100 { held.signal() }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 201 } == 5)
        #expect(statuses.count { $0 == 503 } == 15)
        // There is room again.
        #expect(try await send(api, "PUT", "/feeds/news", #"{"items":[]}"#).status == 201)
    }

    @Test func whatAnotherServerCarriedOutIsAnsweredAsThere() async throws {
        let holder = Later<ScriptedJournal>()
        let journal = ScriptedJournal([[.durable], [.late]]) { count, entry in
            if count == 2 { holder.value.withLock { $0?.elsewhere = entry.answer } }
        }
        holder.value.withLock { $0 = journal }
        let api = api(journal)
        #expect(try await send(api, "PUT", "/feeds/news", #"{"items":[]}"#).status == 201)
        let target = "/feeds/news/items"
        let answer = try await send(api, "POST", target, Self.item, Self.keyed)
        #expect(answer.status == 201)
        #expect(answer["Location"] == "items/x")
        #expect(journal.count == 2)
        // It is known here now.
        journal.elsewhere = nil
        #expect(try await send(api, "POST", target, Self.item, Self.keyed).body == answer.body)
        let other = try await send(api, "POST", target, Self.item + " ", Self.keyed)
        #expect(other.problem == "idempotency-key")
        #expect(journal.count == 2)
        holder.value.withLock { $0 = nil }
    }

    @Test func whatTurnsOutToBeKeptIsNotCarriedOutAgain() async throws {
        let journal = ScriptedJournal([[.durable], [.unknown("who knows"), .durable]])
        let api = api(journal)
        #expect(try await send(api, "PUT", "/feeds/news", #"{"items":[]}"#).status == 201)
        let target = "/feeds/news/items"
        let first = try await send(api, "POST", target, Self.item, Self.keyed)
        #expect(first.problem == "outcome-unknown")
        journal.close()
        let second = try await send(api, "POST", target, Self.item, Self.keyed)
        #expect(second.status == 201)
        #expect(journal.count == 2)
    }
}

/// Nothing holds a publish, with its body, after its answer.
@Suite(.timeLimit(.minutes(2))) struct FreedPublishes {
    /// Says when it is freed.
    private final class Witness: Sendable {
        let status = Atomic(0)
        private let freed: @Sendable (Int) -> Void

        init(freed: @escaping @Sendable (Int) -> Void) {
            self.freed = freed
        }

        deinit { freed(status.load(ordering: .relaxed)) }
    }

    /// - Returns: The status, when nothing holds the request's responder any more.
    private func send(
        _ api: FeedAPI,
        _ method: String,
        _ body: String?,
        _ fields: String = ""
    ) async throws -> Int {
        let head = try RequestHead(
            parsing: "\(method) /feeds/news HTTP/1.1\r\nHost: a\r\nContent-Type: application/json"
                + "\r\nAuthorization: Bearer \(API.key)\r\n\(fields)\r\n"
        )
        return await withCheckedContinuation { continuation in
            let witness = Witness { continuation.resume(returning: $0) }
            let responder = Responder { response in
                witness.status.store(response.status.code, ordering: .relaxed)
            }
            switch api.receive(Request(head: head)) {
            case .later(let take): take(responder)
            case .body(_, _, let then):
                if case .later(let take) = then(.content(Array((body ?? "").utf8))) {
                    take(responder)
                }
            default: break
            }
        }
    }

    @Test(arguments: ["", "Idempotency-Key: once\r\n"])
    func whateverBecomesOfThem(_ fields: String) async throws {
        let journal = ScriptedJournal([[.durable], [.late], [.durable], [.refused("full")]])
        var configuration = APIConfiguration.patient
        configuration.keys = [AccessKey(API.key)]
        let api = FeedAPI(store: FeedStore(journal: journal), configuration: configuration)
        #expect(try await send(api, "PUT", #"{"items":[]}"#) == 201)
        #expect(try await send(api, "PUT", #"{"items":[{"id":"a"}]}"#, fields) == 200)
        #expect(try await send(api, "PUT", #"{"items":[{"id":"b"}]}"#) == 503)
        #expect(try await send(api, "PUT", "{", "Idempotency-Key: other\r\n") == 400)
        // With the key it is the first answer, or another body.
        #expect(try await send(api, "PUT", #"{"items":[{"id":"a"}]}"#, fields) == 200)
        let other = try await send(api, "PUT", #"{"items":[{"id":"c"}]}"#, fields)
        #expect(other == (fields.isEmpty ? 200 : 422))
        #expect(try await send(api, "DELETE", nil, fields) == 204)
    }
}
