import FeedAPI
import FeedDiff
import FeedModel
import FeedStore
import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import Platform
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedClient

/// A feed server that does something wrong, if it is told to.
final class FaultyServer: Sendable {
    let store: FeedStore
    let handler: FaultyHandler
    let server: HTTPServer

    /// Starts it.
    ///
    /// - Parameters:
    ///   - store: The feeds.
    ///   - port: 0: any that is free.
    ///   - isOpen: Whether feeds can be read without a key.
    /// - Throws: `SystemError`, when the port is taken.
    init(_ store: FeedStore = FeedStore(), port: Int = 0, isOpen: Bool = true) throws {
        self.store = store
        var configuration = APIConfiguration()
        configuration.keys = [AccessKey("a-key")]
        if !isOpen { configuration.openFeeds = [] }
        handler = FaultyHandler(FeedAPI(store: store, configuration: configuration))
        server = try HTTPServer(host: "127.0.0.1", port: port, loops: 2, handler: handler)
        server.start()
    }

    var service: FeedService {
        get throws {
            let address = "http://127.0.0.1:\(server.port)"
            return FeedService(baseURL: try #require(URL(string: address)))
        }
    }

    /// Publishes a feed of these items.
    @discardableResult
    func publish(_ feed: String, _ items: String...) throws -> Token {
        let list = items.map { #"{"id":"\#($0)","text":"much longer than its changes are"}"# }
        return try publish(feed, document: #"{"items":[\#(list.joined(separator: ","))]}"#)
    }

    @discardableResult
    func publish(_ feed: String, document: String) throws -> Token {
        let name = try #require(FeedName(feed))
        let snapshot = try Snapshot(publishing: Array(document.utf8))
        return store.publishInMemory(name) { _ in snapshot }.current.token
    }

    func remove(_ feed: String) throws {
        _ = store.remove(try #require(FeedName(feed))) { _ in }
    }

    func stop() async {
        await server.stopped(within: .zero)
    }
}

/// Passes on what an API answers, or something else.
final class FaultyHandler: RequestHandler {
    /// What goes wrong.
    enum Fault {
        /// Streams end after so many bytes, in order.
        case shortStreams(Int)
        /// Changes come to something else than they say; so many of them.
        case wrongChanges(Int)
        /// Streams are answered by a page of something between.
        case noStreams
        /// And nothing is held either.
        case noWaits
        /// Requests are sent on to another port.
        case redirects(Int)
    }

    private let api: FeedAPI
    private let fault = Mutex<Fault?>(nil)
    private let targets = Mutex<[String]>([])
    private let conditions = Mutex<[String]>([])
    private let keys = Mutex<[String]>([])

    init(_ api: FeedAPI) {
        self.api = api
    }

    func go(wrong fault: Fault?) {
        self.fault.withLock { $0 = fault }
    }

    /// What was asked for so far.
    var seen: [String] { targets.withLock(\.self) }

    /// The If-None-Match of all requests that had one.
    var seenConditions: [String] { conditions.withLock(\.self) }

    /// The Authorization of all requests that had one.
    var seenKeys: [String] { keys.withLock(\.self) }

    func receive(_ request: Request, _ label: inout RequestLabel) -> Reply {
        let target = request.head.string(request.head.target)
        targets.withLock { $0.append(target) }
        if let tags = request.head.value(.ifNoneMatch) { conditions.withLock { $0.append(tags) } }
        if let key = request.head.value(.authorization) { keys.withLock { $0.append(key) } }
        if case .redirects(let port)? = fault.withLock(\.self) {
            let location = "http://127.0.0.1:\(port)\(target)"
            return .response(
                Response(status: .found, fields: [.location: location], body: .bytes([]))
            )
        }
        let reply = api.receive(request)
        switch (fault.withLock(\.self), reply) {
        case (.noStreams?, .response(let response)),
            (.noWaits?, .response(let response)):
            guard case .stream = response.body else { return reply }
            let page = Response.Body.bytes(Array("<p>Hello".utf8))
            return .response(Response(status: .ok, fields: [.contentType: "text/html"], body: page))
        case (.noWaits?, .wait(let wait)): return wait.attempt(true) ?? reply
        case (_, .response(var response)):
            guard case .stream(let stream) = response.body else { return reply }
            response.body = .stream(FaultyStream(stream, self))
            return .response(response)
        default: return reply
        }
    }

    /// How many bytes a stream may have.
    fileprivate var streamByteLimit: Int? {
        fault.withLock { if case .shortStreams(let limit) = $0 { limit } else { nil } }
    }

    /// An event, perhaps with another check in it.
    fileprivate func spoiled(_ event: [UInt8]) -> [UInt8] {
        let mark = Array(#""order":""#.utf8)
        guard event.starts(with: Array("event: changes".utf8)),
            let place = event.indices.first(where: { event[$0...].starts(with: mark) })
        else { return event }
        let isWrong = fault.withLock { fault in
            guard case .wrongChanges(let count) = fault, count > 0 else { return false }
            fault = .wrongChanges(count - 1)
            return true
        }
        guard isWrong else { return event }
        var event = event
        event.replaceSubrange(place + mark.count..<place + mark.count + 8, with: "00000000".utf8)
        return event
    }

    func response(to refusal: RequestRefusal, origin: [UInt8]?) -> Response {
        api.response(to: refusal, origin: origin)
    }
}

/// A stream with something wrong in it.
private final class FaultyStream: ResponseStream {
    private let stream: any ResponseStream
    private let handler: FaultyHandler
    private let byteCount = Mutex(0)

    init(_ stream: any ResponseStream, _ handler: FaultyHandler) {
        self.stream = stream
        self.handler = handler
    }

    var topics: [Topic] { stream.topics }

    func next(_ waker: StreamWaker) -> StreamPart {
        let sent = byteCount.withLock(\.self)
        let limit = handler.streamByteLimit ?? .max
        guard sent < limit else { return .end }
        let part = stream.next(waker)
        let bytes: [UInt8]
        switch part {
        case .bytes(let content): bytes = content
        case .shared(let first, let second): bytes = handler.spoiled(first.body) + second
        case .pending, .askAgain, .end: return part
        }
        byteCount.withLock { $0 += bytes.count }
        return .bytes(Array(bytes.prefix(limit - sent)))
    }

    func idlePart() -> [UInt8] { stream.idlePart() }

    func closed() { stream.closed() }
}
