import Dispatch
import FeedAPI
import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization

/// A store and its API in this process, so that their memory can be measured to the byte.
public struct StoreBenchmark: Sendable {
    /// The memory that feeds take in bytes, as the store counts it.
    public struct Cost: Sendable {
        /// The memory of the current versions.
        public let current: Int
        /// The memory of older versions, without what they share with later ones.
        public let history: Int
        /// The memory of the objects attached to versions, such as answers.
        public let attached: Int
    }

    /// The failure of a read by the status of its response.
    public struct UnexpectedStatus: Error {
        /// The status; 0: there is no response, because the request is a long poll or needs a body.
        public let code: Int
    }

    private let store = FeedStore()
    private let api: FeedAPI

    /// Makes a store without feeds.
    public init() {
        api = FeedAPI(store: store, configuration: APIConfiguration())
    }

    /// The memory that all feeds take.
    public var cost: Cost {
        let cost = store.cost
        return Cost(current: cost.current, history: cost.history, attached: cost.attached)
    }

    /// Publishes a whole feed, as `PUT` does.
    ///
    /// - Parameters:
    ///   - feed: The feed's id.
    ///   - body: The body of the request.
    /// - Throws: `DocumentError` if the body is no feed.
    public func put(_ feed: String, _ body: [UInt8]) throws {
        let name = Self.name(feed)
        let known = store.current(name)?.snapshot
        publish(try Snapshot(publishing: body, known: known), to: name)
    }

    /// Publishes edits, as `PATCH` does.
    ///
    /// - Parameters:
    ///   - feed: The feed's id.
    ///   - body: The body of the request.
    /// - Throws: An error if the body is malformed, or an edit cannot be applied.
    public func patch(_ feed: String, _ body: [UInt8]) throws {
        let name = Self.name(feed)
        let current = store.current(name)?.snapshot ?? Snapshot()
        publish(try current.applying(try Edit.list(parsing: body)), to: name)
    }

    /// Removes a feed.
    public func remove(_ feed: String) {
        publish(nil, to: Self.name(feed))
    }

    /// Publishes a version, which is there at once without a journal, or deletes a feed.
    private func publish(_ snapshot: Snapshot?, to feed: FeedName) {
        store.publish(feed, { _ in snapshot }, decided: { _ in })
    }

    /// Returns the token of a feed's current version; an empty text if the feed does not exist.
    public func token(of feed: String) -> String {
        store.current(Self.name(feed)).map { "\($0.token)" } ?? ""
    }

    /// Sends a `GET`, and waits for the response.
    ///
    /// - Parameters:
    ///   - target: The request's target, such as `/feeds/news`.
    ///   - coding: The value of Accept-Encoding.
    /// - Throws: `RequestError` if the target is malformed; ``UnexpectedStatus`` unless the status
    ///   is from 200 to 399.
    public func get(_ target: String, coding: String = "identity") throws {
        var parser = RequestParser()
        let text = "GET \(target) HTTP/1.1\r\nHost: x\r\nAccept-Encoding: \(coding)\r\n\r\n"
        _ = try parser.consume(Array(text.utf8).span)
        let status = Mutex(0)
        switch api.receive(Request(head: parser.head)) {
        case .response(let response): status.withLock { $0 = response.status.code }
        case .later(let take):
            let arrival = DispatchSemaphore(value: 0)
            take(
                Responder { response in
                    status.withLock { $0 = response.status.code }
                    arrival.signal()
                }
            )
            arrival.wait()
        case .wait, .body: break
        }
        let code = status.withLock(\.self)
        guard 200..<400 ~= code else { throw UnexpectedStatus(code: code) }
    }

    private static func name(_ feed: String) -> FeedName {
        guard let name = FeedName(feed) else { preconditionFailure("\(feed) is no name") }
        return name
    }
}
