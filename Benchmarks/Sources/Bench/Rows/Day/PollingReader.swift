import FeedBenchmarks
import Foundation

/// A reader that asks for a list now and then, and the server's side of it.
protocol PollingReader {
    /// How the results call it.
    var name: String { get }
    var server: Server { get }
    /// Makes a version the current one.
    mutating func publish(_ version: EditHistory.Version) throws
    /// Asks for what is new.
    var request: Request { get }
    /// Takes an answer in, as an app would.
    mutating func take(_ answer: Answer) throws
    /// Whether it has this version, as far as it can have it; `nil`: it keeps no copy.
    func has(_ version: EditHistory.Version) throws -> Bool?
    /// Forgets the list, so that the next history begins anew.
    func end() throws
}

extension PollingReader {
    /// Fields that all readers send.
    static func request(_ target: String) -> Request {
        Request(target: target, fields: ClientKind.phone.fields(1, takesGzip: true))
    }
}

/// A reader of the server that all this is about.
struct DeltaReader: PollingReader {
    static let pollingName = "Freshet"

    let name = DeltaReader.pollingName
    let server: Server
    let feed: String
    private var copy = ReaderBenchmark()

    init(_ server: Server, _ feed: String) {
        (self.server, self.feed) = (server, feed)
    }

    var token: String { copy.token }

    func publish(_ version: EditHistory.Version) throws {
        _ = try server.put(feed, version.document)
    }

    var request: Request { request() }

    /// Asks for what is new, with more in the query.
    func request(_ more: String = "") -> Request {
        if token.isEmpty { return Self.request("/feeds/\(feed)") }
        return Self.request("/feeds/\(feed)?since=\(token)\(more)")
            .with("If-None-Match", "\"\(token)\"")
    }

    mutating func take(_ answer: Answer) throws {
        if answer.status != 304 { try copy.take(answer.decodedBody()) }
    }

    /// Takes the data of an event.
    mutating func take(_ document: [UInt8]) throws {
        try copy.take(document)
    }

    func has(_ version: EditHistory.Version) throws -> Bool? {
        try copy.has(version.document)
    }

    func end() throws {
        _ = try server.exchange(Server.publish("DELETE", feed, []))
    }
}

/// A reader of Atom that asks for new entries alone (RFC 3229).
struct AtomReader: PollingReader {
    let name = "Atom, `A-IM: feed`"
    let server: Server
    let feed: String
    private var tag = ""

    init(_ server: Server, _ feed: String) {
        (self.server, self.feed) = (server, feed)
    }

    func publish(_ version: EditHistory.Version) throws {
        _ = try server.put(feed, version.document)
    }

    var request: Request {
        let request = Self.request("/feeds/\(feed).atom")
        if tag.isEmpty { return request }
        return request.with("A-IM", "feed").with("If-None-Match", tag)
    }

    mutating func take(_ answer: Answer) throws {
        if let tag = answer["ETag"] { self.tag = tag }
        _ = try answer.decodedBody()
    }

    func has(_ version: EditHistory.Version) throws -> Bool? { nil }

    func end() throws {
        _ = try server.exchange(Server.publish("DELETE", feed, []))
    }
}

/// A reader of a whole file, which nginx has compressed.
struct FileReader: PollingReader {
    static let conditionalName = "nginx, `ETag` + gzip"

    let name: String
    let server: Server
    let feed: String
    private let lab: Lab
    private let isConditional: Bool
    private var tag = ""
    private var copy = ReaderBenchmark()

    /// Begins without a copy; one that is conditional asks with the tag of what it has.
    init(_ server: Server, _ feed: String, isConditional: Bool, in lab: Lab) {
        name = isConditional ? FileReader.conditionalName : "nginx, gzip"
        (self.server, self.feed) = (server, feed)
        (self.lab, self.isConditional) = (lab, isConditional)
    }

    func publish(_ version: EditHistory.Version) throws {
        let compressed = try GzipCoder.compress(version.document)
        for (name, bytes) in [("\(feed).json", version.document), ("\(feed).json.gz", compressed)] {
            let file = try lab.write(bytes, to: name)
            // nginx makes tags of the time and the size.
            let date = Date(timeIntervalSince1970: 1_795_651_200 + Double(version.second))
            try FileManager.default.setAttributes(
                [.modificationDate: date],
                ofItemAtPath: file.path
            )
        }
    }

    var request: Request {
        let request = Self.request("/\(feed).json")
        return isConditional && !tag.isEmpty ? request.with("If-None-Match", tag) : request
    }

    mutating func take(_ answer: Answer) throws {
        if answer.status == 304 { return }
        tag = answer["ETag"] ?? ""
        try copy.replace(answer.decodedBody())
    }

    func has(_ version: EditHistory.Version) throws -> Bool? {
        try copy.has(version.document)
    }

    func end() {}
}
