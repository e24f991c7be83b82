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
/// The server answers requests for changes since a version, for views, for rows by position or id,
/// and for several feeds at once; long polls; streams; and publishes of feeds, edits and items.
///
/// Unlike a real server, it sends changes even if a snapshot is shorter, remembers 100 versions of
/// a feed, does not sort by collation, and neither lists nor restores older versions.
public final class InMemoryServer: Sendable {
    /// A fault with which requests fail.
    public enum Fault: Sendable, Equatable {
        /// The server cannot be reached; streams end.
        case offline
        /// The server refuses requests with a status and a problem (RFC 9457).
        case refusal(
            status: Int,
            type: String = "about:blank",
            detail: String = "refused",
            retryAfter: Duration? = nil
        )
        /// Another site answers with an HTML page, as in a hotel's network.
        case page(String = "<p>Sign in")
    }

    /// A request that the server received.
    public struct Request: Sendable, Equatable {
        /// The method, such as `GET`.
        public let method: String
        /// The path with the query, percent-encoded.
        public let target: String
        /// The header fields.
        public let fields: [String: String]
        /// The content; empty if there is none.
        public let body: Data
    }

    struct State {
        var feeds = InMemoryFeeds()
        var fault: Fault?
        /// The number of further requests that fail with `fault`.
        var faultCount = 0
        /// Whether answers are held until ``InMemoryServer/release()``.
        var isHolding = false
        var requests: [Request] = []
    }

    let state = Mutex(State())
    /// The number of changes of ``state``; waiting requests look again after each.
    let revision = ChangeMonitor(0)

    /// The base URL of the server's services, at a host that does not exist (RFC 2606 §2).
    public static let baseURL = URL(string: "http://feeds.invalid") ?? URL(fileURLWithPath: "/")

    /// Makes a server without feeds.
    public init() {}

    /// Makes a service whose requests this server answers.
    ///
    /// - Parameters:
    ///   - key: The key in requests; the server accepts any.
    ///   - cache: The cache for feeds on disk; `nil`: none.
    /// - Returns: The service.
    public func service(key: String? = nil, cache: FeedCache? = nil) -> FeedService {
        FeedService(baseURL: InMemoryServer.baseURL, key: key, cache: cache, transport: self)
    }

    /// The requests that the server received, the oldest first.
    public var requests: [Request] { state.withLock(\.requests) }

    /// Changes the state, and lets waiting requests look at it again.
    func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let result = state.withLock { body(&$0) }
        revision.update { $0 += 1 }
        return result
    }
}

/// Publishes and removes feeds.
extension InMemoryServer {
    /// Replaces a whole feed; waiting readers get the changes.
    ///
    /// - Parameters:
    ///   - document: The feed in JSON: `{"title": …, "sections": [{"id": …, "items": […]}]}`, or
    ///     `{"items": […]}`.
    ///   - feed: The feed's id; a feed that does not exist is created.
    /// - Returns: The token of the current version, which is the old one if nothing changed.
    /// - Throws: `DocumentError` with the reason and the position if the document is no feed.
    @discardableResult
    public func publish(_ document: Data, to feed: FeedName) throws -> Token {
        let snapshot = try Snapshot(publishing: Array(document))
        return change { $0.feeds.publish(snapshot, as: feed).now.token }
    }

    /// Replaces a whole feed by a value that is encoded as a feed's document.
    ///
    /// - Parameters:
    ///   - feed: The feed's id.
    ///   - document: The value; see ``publish(_:to:)`` for its form in JSON.
    /// - Returns: The token of the current version.
    /// - Throws: The encoder's error, or `DocumentError` if the document is no feed.
    @discardableResult
    public func replace(_ feed: FeedName, with document: some Encodable) throws -> Token {
        try publish(try JSONEncoder().encode(document), to: feed)
    }

    /// Replaces a whole feed by items in one section.
    ///
    /// - Parameters:
    ///   - feed: The feed's id.
    ///   - items: The items; each is encoded as an object with an `id`.
    /// - Returns: The token of the current version.
    /// - Throws: The encoder's error, or `DocumentError` if an item is malformed.
    @discardableResult
    public func replace<Item: Encodable>(
        _ feed: FeedName,
        withItems items: [Item]
    ) throws -> Token {
        try replace(feed, with: ["items": items])
    }

    /// Removes a feed.
    ///
    /// - Returns: Whether the feed existed.
    @discardableResult
    public func remove(_ feed: FeedName) -> Bool {
        change { $0.feeds.remove(feed) }
    }
}

/// Lets requests fail or wait.
extension InMemoryServer {
    /// Lets requests fail from now on.
    ///
    /// - Parameters:
    ///   - fault: The fault with which they fail.
    ///   - count: The number of requests that fail; by default, all until ``recover()``.
    public func fail(_ fault: Fault, count: Int = .max) {
        change { state in
            state.fault = fault
            state.faultCount = count
        }
    }

    /// Lets requests succeed again.
    public func recover() {
        change { state in
            state.fault = nil
            state.faultCount = 0
        }
    }

    /// Holds the answers to requests until ``release()``, so that a test sees what an app shows
    /// while it waits.
    public func hold() {
        change { $0.isHolding = true }
    }

    /// Sends the answers that were held, and holds no more.
    public func release() {
        change { $0.isHolding = false }
    }
}
