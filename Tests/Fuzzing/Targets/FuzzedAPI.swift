import FeedAPI
import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization
import TestSupport

/// Feeds that are always the same behind the routes of the protocol, without a socket.
struct FuzzedAPI: Sendable {
    /// What a client is told.
    struct Answer: Equatable {
        var status: Int
        /// Lines in alphabetical order, without the content's length.
        var fields: [String]
        var body: [UInt8]
        var isStream = false
    }

    static let key = "k3y"
    static let epoch = "q7x2m5kd"

    /// Everyone may read everything.
    static let open = FuzzedAPI { $0.openFeeds = [.all] }
    /// Everyone may read one feed.
    static let closed = FuzzedAPI { $0.openFeeds = FeedPattern("news").map { [$0] } ?? [] }

    private let handler: FeedAPI

    private init(_ configure: (inout APIConfiguration) -> Void) {
        let clock = FeedStore.Clock(now: { .seconds(1000) }, wall: { 1_700_000_000 })
        let store = FeedStore(clock: clock, drawEpoch: { FuzzedAPI.epoch })
        for (name, documents) in FuzzedAPI.documents {
            for document in documents { FuzzedAPI.publish(document, name, store) }
        }
        var configuration = APIConfiguration()
        configuration.keys = [AccessKey(FuzzedAPI.key)]
        configuration.clock = { .zero }
        configure(&configuration)
        handler = FeedAPI(store: store, configuration: configuration)
    }

    private static func publish(_ document: String, _ name: String, _ store: FeedStore) {
        guard let feed = FeedName(name),
            let snapshot = try? Snapshot(publishing: Array(document.utf8))
        else { preconditionFailure("\(name) is a feed: \(document)") }
        store.publish(feed, { _ in snapshot }, decided: { _ in })
    }

    /// The versions of each feed.
    private static let documents: [(String, [String])] = [
        (
            "news",
            [
                #"{"title":"News","sections":[{"id":"a","items":[{"id":"1"}]}]}"#,
                #"{"sections":[{"id":"a","items":[{"id":"2"},{"id":"1"}]},{"id":"b","items":[]}]}"#,
                #"{"maxAge":9,"sections":[{"id":"b","items":[{"id":"1","n":1.0},{"id":"3"}]}]}"#,
            ]
        ),
        ("empty", [#"{"sections":[]}"#]),
        ("long.feed", [long(40), long(60)]),
    ]

    private static func long(_ count: Int) -> String {
        let items = (0..<count).map { #"{"id":"i\#($0)","text":"The same words again, \#($0)"}"# }
        return #"{"sections":[{"id":"s","title":"é/","items":[\#(items.joined(separator: ","))]}]}"#
    }
}

extension FuzzedAPI {
    /// What is said.
    func answer(_ head: RequestHead) throws(Finding) -> Answer {
        var reply = handler.receive(Request(head: head))
        if case .wait(let wait) = reply {
            try require(.zero <= wait.time && wait.time <= .seconds(60), "a wait of \(wait.time)")
            guard let last = wait.attempt(false) ?? wait.attempt(true) else {
                throw Finding("a wait ends without an answer")
            }
            reply = last
        }
        switch reply {
        case .response(let response): return try FuzzedAPI.read(response)
        case .later(let take): return try FuzzedAPI.read(FuzzedAPI.awaited(take))
        case .wait: throw Finding("a wait ends in another one")
        case .body: throw Finding("a body is wanted of a request without one")
        }
    }

    private static func awaited(_ take: (Responder) -> Void) throws(Finding) -> Response {
        let found = Mutex<Response?>(nil)
        let event = Event()
        take(
            Responder { answer in
                found.withLock { $0 = answer }
                event.happened()
            }
        )
        guard event.wait(), let answer = found.withLock(\.self) else {
            throw Finding("no answer comes")
        }
        return answer
    }

    private static func read(_ answer: Response) throws(Finding) -> Answer {
        let response = answer.decoded
        var result = Answer(status: response.status.code, fields: [], body: [])
        switch response.body {
        case .none: break
        case .bytes(let bytes): result.body = bytes
        case .parts(let parts):
            for case .bytes(let bytes) in parts { result.body += bytes }
        case .stream(let stream):
            result.isStream = true
            result.body = content(of: stream)
        case .file: throw Finding("a file of nowhere")
        }
        for field in response.fields where field.name == .contentLength {
            let isRight = field.value == String(result.body.count)
            try require(isRight, "a length of \(field.value) for \(result.body.count) bytes")
        }
        result.fields = response.fields.filter { $0.name != .contentLength }
            .map { "\($0.name.canonicalName): \($0.value)" }.sorted()
        return result
    }

    /// All that a stream has for now, and its end.
    private static func content(of stream: any ResponseStream) -> [UInt8] {
        defer { stream.closed() }
        var bytes: [UInt8] = []
        for _ in 0..<1000 {
            switch stream.next(StreamWaker()) {
            case .bytes(let part): bytes += part
            case .shared(let first, let second): bytes += first.body + second
            case .askAgain: continue
            case .pending: return bytes + stream.idlePart() + stream.ending()
            case .end: return bytes + stream.ending()
            }
        }
        return bytes
    }
}

extension FuzzedAPI.Answer {
    /// The value of a field, its name in lower case.
    subscript(name: String) -> String? {
        let start = name + ": "
        return fields.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }

    /// The content without its coding; `nil` when that is not what the field says.
    var content: [UInt8]? {
        switch self["content-encoding"] {
        case nil: body
        case "gzip": gunzip(body)
        default: nil
        }
    }
}
