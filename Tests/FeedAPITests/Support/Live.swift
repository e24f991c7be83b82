import Dispatch
import FeedDiff
import FeedModel
import FeedStore
import Foundation
import HTTPServer
import StoreModel
import Synchronization
import TestSupport

@testable import FeedAPI

/// A server whose feeds change while somebody waits.
struct LiveAPI {
    let api: FeedAPI
    let server: any TestServer

    init(_ configure: (inout APIConfiguration) -> Void = { _ in }) throws {
        var configuration = APIConfiguration.patient
        configuration.keys = [AccessKey(API.key)]
        configure(&configuration)
        api = FeedAPI(store: FeedStore(), configuration: configuration)
        server = try Way.current.server(api)
    }

    func get(_ target: String, _ headers: [String: String] = [:]) async throws -> TestResponse {
        try await server.send(
            "GET",
            target,
            headers: headers.map { ($0.key, $0.value) },
            body: []
        )
    }

    /// Publishes a whole feed, without a request.
    @discardableResult
    func put(_ feed: String, _ body: String) throws -> Token {
        try LiveAPI.put(feed, body, in: api.store)
    }

    @discardableResult
    static func put(_ feed: String, _ body: String, in store: FeedStore) throws -> Token {
        guard let name = FeedName(feed) else { preconditionFailure("\(feed) is no name") }
        let snapshot = try Snapshot(publishing: Array(body.utf8))
        return store.publishInMemory(name) { _ in snapshot }.current.token
    }

    /// Does something on another thread as soon as somebody waits for the feed.
    func whenAwaited(_ feed: String, _ work: @escaping @Sendable (FeedStore) -> Void) {
        guard let name = FeedName(feed) else { preconditionFailure("\(feed) is no name") }
        let topic = api.service.topics.topic(of: name)
        // The topic is held until then, and so is found by whoever comes to wait.
        DispatchQueue.global().async { [api, topic] in
            while topic.subscriberCount == 0 { sched_yield() }
            work(api.store)
        }
    }

    /// The same with the publish of a feed.
    func whenAwaited(_ feed: String, put body: String) {
        whenAwaited(feed) { store in
            do {
                _ = try LiveAPI.put(feed, body, in: store)
            } catch {
                preconditionFailure("\(body): \(error)")
            }
        }
    }
}

/// Holds what a server would hold after its configuration was read again.
final class Successor: Sendable {
    let api = Mutex<FeedAPI?>(nil)
}
