import Dispatch
import FeedDiff
import FeedModel
import Synchronization
import TestSupport

/// An origin that says what its test tells it to, part by part.
final class ScriptedOrigin: Sendable {
    /// A request that has come, and its answer.
    final class Exchange: Sendable {
        /// The method and the target, with a space between them.
        let line: String
        let head: String
        let body: String
        private let parts = Mutex<[String?]>([])
        private let count = DispatchSemaphore(value: 0)

        fileprivate init(_ head: String, _ body: String) {
            self.head = head
            self.body = body
            line = head.split(separator: " ").prefix(2).joined(separator: " ")
        }

        /// Sends bytes as they are.
        func send(_ text: String) { add(text) }

        /// Ends the connection.
        func end() { add(nil) }

        /// Begins a stream of events, which lasts as long as the connection.
        func beginStream() {
            send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        }

        func ready() { send("event: ready\ndata: {\"kind\":\"ready\",\"feeds\":0}\n\n") }

        func event(_ document: String) { send("event: any\ndata: \(document)\n\n") }

        /// Sends a whole answer.
        func answer(_ status: Int, _ body: String = "", length: Int? = nil) {
            let length = "Content-Length: \(length ?? body.utf8.count)"
            send("HTTP/1.1 \(status) Any\r\nConnection: close\r\n\(length)\r\n\r\n\(body)")
            end()
        }

        /// Answers a question by documents about feeds.
        func answer(with documents: (feed: String, json: String)...) {
            let members = documents.map { "\"\($0.feed)\":\($0.json)" }
            answer(200, "{\"kind\":\"pull\",\"feeds\":{\(members.joined(separator: ","))}}")
        }

        private func add(_ part: String?) {
            parts.withLock { $0.append(part) }
            count.signal()
        }

        /// Waits for the next part on the connection's thread; `nil`: the connection ends.
        fileprivate func nextPart() -> String? {
            count.wait()
            return parts.withLock { $0.removeFirst() }
        }
    }

    private let server: RawServer
    private let streams: AsyncStream<Exchange>
    private let questions: AsyncStream<Exchange>
    private let open: Open

    private final class Open: Sendable {
        let exchanges = Mutex<[Exchange]>([])
    }

    init() {
        let (streams, newStreams) = AsyncStream.makeStream(of: Exchange.self)
        let (questions, newQuestions) = AsyncStream.makeStream(of: Exchange.self)
        let open = Open()
        (self.streams, self.questions, self.open) = (streams, questions, open)
        server = RawServer { connection in
            guard let exchange = ScriptedOrigin.read(connection) else { return }
            open.exchanges.withLock { $0.append(exchange) }
            let isStream = exchange.line.hasPrefix("POST /events")
            (isStream ? newStreams : newQuestions).yield(exchange)
            while let part = exchange.nextPart(), connection.send(part) {}
        }
    }

    deinit {
        for exchange in open.exchanges.withLock(\.self) { exchange.end() }
    }

    var url: String { server.url }

    private static func read(_ connection: RawServer.Connection) -> Exchange? {
        guard let head = connection.readHead() else { return nil }
        let lines = head.lowercased().split(separator: "\r\n")
        let length = lines.first { $0.hasPrefix("content-length:") }?.split(separator: ":")[1]
        let count = length.flatMap { Int($0.drop { $0 == " " }) } ?? 0
        guard let body = connection.read(count) else { return nil }
        return Exchange(head, String(decoding: body, as: UTF8.self))
    }

    /// Waits for the next request for the stream.
    func stream() async -> Exchange? {
        var streams = streams.makeAsyncIterator()
        return await streams.next()
    }

    /// Waits for the next question.
    func question() async -> Exchange? {
        var questions = questions.makeAsyncIterator()
        return await questions.next()
    }
}

/// A version of the feed `news` as an origin tells of it.
struct Told {
    let token: String
    private let snapshot: Snapshot

    init(_ token: String, _ ids: String...) throws {
        self.token = token
        let items = ids.map { "{\"id\":\"\($0)\"}" }.joined(separator: ",")
        snapshot = try Snapshot(publishing: Array("{\"items\":[\(items)]}".utf8))
    }

    /// The document of all of it.
    func whole(of feed: String = "news") throws -> String {
        let encoder = DocumentEncoder(feed: try Told.name(feed))
        let json = encoder.snapshot(FeedView()(snapshot), token: try Told.token(token))
        return String(decoding: json, as: UTF8.self)
    }

    /// The document of what changed.
    func changes(since old: Told) throws -> String {
        let (before, after) = (FeedView()(old.snapshot), FeedView()(snapshot))
        let json = DocumentEncoder(feed: try Told.name("news")).changes(
            Changes(from: before, to: after),
            since: try Told.token(old.token),
            token: try Told.token(token),
            now: after
        )
        return String(decoding: json, as: UTF8.self)
    }

    /// The document that nothing has changed.
    var unchanged: String {
        get throws {
            let json = DocumentEncoder(feed: try Told.name("news"))
                .unchanged(token: try Told.token(token), now: FeedView()(snapshot))
            return String(decoding: json, as: UTF8.self)
        }
    }

    static func missing(_ feed: String = "news") -> String {
        "{\"kind\":\"missing\",\"feed\":\"\(feed)\"}"
    }

    private struct Invalid: Error {}

    private static func name(_ text: String) throws -> FeedName {
        guard let name = FeedName(text) else { throw Invalid() }
        return name
    }

    private static func token(_ text: String) throws -> Token {
        guard let token = Token(text) else { throw Invalid() }
        return token
    }
}

extension String {
    /// A document whose check of the order is another.
    var spoiled: String {
        var bytes = Array(utf8)
        let mark = Array("\"order\":\"".utf8)
        let start = bytes.indices.first { bytes[$0...].starts(with: mark) }
        guard let start else { return self }
        let digits = start + mark.count
        bytes.replaceSubrange(digits..<digits + 8, with: "00000000".utf8)
        return String(decoding: bytes, as: UTF8.self)
    }
}
