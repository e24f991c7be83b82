import FeedModel
import FeedStore
import HTTPServer
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// A server under test with a client that has a key for everything.
struct API: Sendable {
    static let key = "k3y-that-may-do-everything"

    let server: any TestServer
    let store: FeedStore
    /// How many publishes were carried out and refused.
    let publishes: @Sendable () -> PublishCounts
    private let handler: FeedAPI

    /// Makes a server; `configure` changes the configuration, which has one key and open reads.
    init(
        store: FeedStore = FeedStore(),
        fallback: (any RequestHandler)? = nil,
        upstream: (any Upstream)? = nil,
        _ configure: (inout APIConfiguration) -> Void = { _ in }
    ) {
        var configuration = APIConfiguration.patient
        configuration.keys = [AccessKey(API.key)]
        configure(&configuration)
        self.store = store
        let handler = FeedAPI(
            store: store,
            configuration: configuration,
            fallback: fallback,
            upstream: upstream
        )
        self.handler = handler
        publishes = { [service = handler.service] in service.publishes.withLock(\.self) }
        do {
            server = try Way.current.server(handler)
        } catch {
            preconditionFailure("this machine has a free port: \(error)")
        }
    }

    /// How many documents were made for readers, rather than sent again.
    var madeCount: Int { handler.documentCount }

    /// How many were compressed.
    var compressionCount: Int { handler.compressionCount }

    /// Sends a request; a body is JSON unless the headers say otherwise, and what changes
    /// something has the key.
    func send(
        _ method: String,
        _ target: String,
        _ body: String? = nil,
        _ headers: [String: String] = [:]
    ) async throws -> TestResponse {
        try await send(method, target, bytes: body.map { Array($0.utf8) } ?? [], headers)
    }

    func send(
        _ method: String,
        _ target: String,
        bytes: [UInt8],
        _ headers: [String: String] = [:]
    ) async throws -> TestResponse {
        var headers = headers
        if headers["Content-Type"] == nil, !bytes.isEmpty {
            headers["Content-Type"] = "application/json"
        }
        if headers["Authorization"] == nil, !["GET", "HEAD", "OPTIONS"].contains(method) {
            headers["Authorization"] = "Bearer " + API.key
        }
        if headers["Authorization"] == "" { headers["Authorization"] = nil }
        return try await server.send(
            method,
            target,
            headers: headers.map { ($0.key, $0.value) },
            body: bytes
        )
    }

    func get(_ target: String, _ headers: [String: String] = [:]) async throws -> TestResponse {
        try await send("GET", target, nil, headers)
    }

    /// Publishes a whole feed.
    ///
    /// - Returns: Its token.
    @discardableResult
    func put(_ feed: String, _ body: String) async throws -> String {
        let answer = try await send("PUT", "/feeds/\(feed)", body)
        try #require(answer.status == 200 || answer.status == 201, "\(answer.text)")
        return try #require(answer.json["token"]?.string)
    }

    /// The document of a read that has to succeed.
    func document(_ target: String) async throws -> TestJSON {
        let answer = try await get(target)
        try #require(answer.status == 200, "\(target): \(answer.text)")
        return answer.json
    }
}

extension APIConfiguration {
    /// Work waits for as long as it takes: tests share the machine with each other.
    static var patient: APIConfiguration {
        var configuration = APIConfiguration()
        configuration.waitingReads.age = .seconds(600)
        configuration.waitingPublishes.age = .seconds(600)
        return configuration
    }
}

extension TestResponse {
    /// The body as JSON, which it has to be.
    var json: TestJSON { TestJSON(body) ?? .null }

    /// The last part of a problem's `type`.
    var problem: String? {
        json["type"]?.string.map { String($0.dropFirst("/problems/".count)) }
    }

    var detail: String { json["detail"]?.string ?? "" }
}

/// A clock that stands still until it is told otherwise.
final class TestClock: Sendable {
    private let time = Mutex(Duration.zero)

    var now: Duration { time.withLock(\.self) }

    func advance(by duration: Duration) {
        time.withLock { $0 += duration }
    }
}

/// A feed of three sections and six items.
let sampleFeed = """
    {"title":"News","badge":3,"sections":[
      {"id":"today","title":"Today","items":[{"id":"a1","kind":"story","headline":"One"},
        {"id":"a2","headline":"Two"},{"id":"a3","headline":"Three"}]},
      {"id":"empty","items":[]},
      {"id":"week","title":"Week","index":"W","items":[{"id":"b1","n":1.10},{"id":"b/2 é","n":2},
        {"id":"b3"}]}]}
    """
