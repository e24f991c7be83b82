import FeedDiff
public import FeedModel
public import Foundation
import Synchronization

/// A feed server in memory, for previews and for an app's tests: it needs no network.
///
/// ```swift
/// let server = InMemoryServer()
/// try server.replace(feed, withItems: [Story(id: "a", title: "One")])
/// let stories = LiveFeed(feed, of: server.service(), as: Story.self)
/// await stories.refresh()
/// ```
///
/// It answers as a server does: changes since a version, views, rows by their place, several feeds
/// at once, requests that wait, streams, and all that ``FeedService`` can publish. It has changes
/// sent also where a snapshot would be shorter, knows the last 100 versions, and sorts nothing by
/// collation.
public final class InMemoryServer: Sendable {
    /// A fault that requests meet.
    public enum Fault: Sendable, Equatable {
        /// No answer comes; streams end.
        case offline
        /// The server refuses, with this status and problem.
        case refusal(
            status: Int,
            type: String = "about:blank",
            detail: String = "refused",
            retryAfter: Duration? = nil
        )
        /// Something between answers with a page of its own, as in a hotel's network.
        case page(String = "<p>Sign in")
    }

    /// A request that has come.
    public struct Request: Sendable, Equatable {
        /// For example `GET`.
        public let method: String
        /// The path with the query, percent-encoded.
        public let target: String
        /// The header fields.
        public let fields: [String: String]
        /// The content; empty where there is none.
        public let body: Data
    }

    struct State {
        var feeds = InMemoryFeeds()
        var fault: Fault?
        /// For so many requests.
        var faultCount = 0
        var isHolding = false
        var requests: [Request] = []
    }

    let state = Mutex(State())
    /// Counts what those who wait have to look at.
    let revision = ChangeMonitor(0)

    /// Where its services are: nowhere (RFC 2606 §2).
    public static let baseURL = URL(string: "http://feeds.invalid") ?? URL(fileURLWithPath: "/")

    /// Makes a server without feeds.
    public init() {}

    /// A service whose requests it answers.
    ///
    /// - Parameters:
    ///   - key: The key that requests carry; the server takes any.
    ///   - cache: Where feeds are kept on disk.
    public func service(key: String? = nil, cache: FeedCache? = nil) -> FeedService {
        FeedService(baseURL: InMemoryServer.baseURL, key: key, cache: cache, transport: self)
    }

    /// The requests that have come, in turn.
    public var requests: [Request] { state.withLock(\.requests) }

    func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let result = state.withLock { body(&$0) }
        revision.update { $0 += 1 }
        return result
    }
}

/// Feeds.
extension InMemoryServer {
    /// Replaces a whole feed; readers are sent what changed.
    ///
    /// - Parameters:
    ///   - document: `{"title": …, "sections": [{"id": …, "items": […]}]}`, or `"items"` alone.
    ///   - feed: The feed, which comes to be if it is not there.
    /// - Returns: The version that there is now.
    /// - Throws: `DocumentError`: what is wrong, and where.
    @discardableResult
    public func publish(_ document: Data, to feed: FeedName) throws -> Token {
        let snapshot = try FeedDocument(parsing: Array(document)).snapshot
        return change { $0.feeds.publish(snapshot, as: feed).now.token }
    }

    /// Replaces a whole feed by a value that becomes such a document.
    @discardableResult
    public func replace(_ feed: FeedName, with document: some Encodable) throws -> Token {
        try publish(try JSONEncoder().encode(document), to: feed)
    }

    /// Replaces a whole feed by items in one section; each becomes an object with an `id`.
    @discardableResult
    public func replace<Item: Encodable>(
        _ feed: FeedName,
        withItems items: [Item]
    ) throws -> Token {
        try replace(feed, with: ["items": items])
    }

    /// Removes a feed.
    ///
    /// - Returns: Whether it was there.
    @discardableResult
    public func remove(_ feed: FeedName) -> Bool {
        change { $0.feeds.remove(feed) }
    }
}

/// The faults that requests meet.
extension InMemoryServer {
    /// Has requests fail from now on.
    ///
    /// - Parameters:
    ///   - fault: The fault that they meet.
    ///   - count: To so many of them.
    public func fail(_ fault: Fault, count: Int = .max) {
        change { state in
            state.fault = fault
            state.faultCount = count
        }
    }

    /// Has everything work again.
    public func recover() {
        change { state in
            state.fault = nil
            state.faultCount = 0
        }
    }

    /// Holds the answers to requests from now on, until ``release()``: a test sees what an app
    /// shows meanwhile.
    public func hold() {
        change { $0.isHolding = true }
    }

    /// Lets answers go that were held.
    public func release() {
        change { $0.isHolding = false }
    }
}
