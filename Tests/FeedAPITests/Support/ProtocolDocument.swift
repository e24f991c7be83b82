import FeedModel
import Foundation
import TestSupport

/// The pages of the protocol, taken apart into examples that a test can replay.
///
/// A block of `http` is a request, or the head of its response; a block of `json` is the document
/// of the response. Comments, which readers do not see, say the rest: `given: birds 2` publishes
/// the states 1 and 2 of a feed, `given: METHOD TARGET BODY` sends a request, `status: 201` is the
/// status of the next block, `state: birds 2` and `changes: birds 1 2` are its names, `order: CRC`
/// is the check over its lines.
struct ProtocolDocument: Sendable {
    /// What stands under a heading of the first or second level, replayed on a server of its own.
    struct Chapter: Sendable {
        let title: String
        var steps: [Step] = []
    }

    struct Step: Sendable {
        /// The page, and the line in it from 1.
        let place: String
        let action: Action
    }

    enum Action: Sendable {
        /// Publishes the named states of a feed up to this one.
        case publish(feed: String, version: Int)
        /// Sends what the reader is not shown.
        case prepare(Request)
        case send(Request)
        /// What the response is to say, besides other fields.
        case head(status: Int, fields: [Field])
        case document(TestJSON, status: Int?)
        case events([ServerEvent])
    }

    struct Field: Sendable {
        let name: String
        let value: String
    }

    struct Request: Sendable {
        let method: String
        let target: String
        var fields: [Field] = []
        var body = ""

        var isStream: Bool { target.contains("/events") }
    }

    /// An event of a stream; comments and times to come again are left out.
    struct ServerEvent: Sendable, Equatable {
        var name: String
        var data: TestJSON
        var id: String?
    }

    /// The lines that an order check is over.
    struct OrderCheck: Sendable {
        let place: String
        let check: String
        let text: String
    }

    /// Why a page cannot be tested.
    struct Fault: Error, CustomStringConvertible {
        let place: String
        let reason: String

        var description: String { "\(place): \(reason)" }
    }

    var chapters: [Chapter] = []
    /// The JSON of blocks that have a name, such as `state birds 2`.
    var documents: [String: String] = [:]
    var orderChecks: [OrderCheck] = []
    /// The epoch of each feed in the examples.
    var epochs: [String: String] = [:]
}

extension ProtocolDocument {
    /// The paths of the pages.
    static let pages = ["docs/READING.md", "docs/PUBLISHING.md", "docs/PROTOCOL.md"]

    /// The pages, taken apart.
    static let published = Result {
        try ProtocolDocument(parsing: pages.map { ($0, try text(of: $0)) })
    }

    /// A file of the package.
    static func text(of path: String) throws -> String {
        let file = "Tests/FeedAPITests/Support/ProtocolDocument.swift"
        let root = #filePath.replacing(file, with: "")
        return try String(contentsOfFile: root + path, encoding: .utf8)
    }

    /// The chapters that have something to replay.
    static var examples: [String] {
        let chapters = (try? published.get())?.chapters ?? []
        return chapters.filter { !$0.steps.isEmpty }.map(\.title)
    }
}

extension ProtocolDocument.Request {
    /// Reads a request line, fields and a body as they stand in a message.
    init?(parsing text: String) {
        let parts = text.split(separator: "\n\n", maxSplits: 1)
        var lines = (parts.first ?? "").split(separator: "\n")[...]
        let start = (lines.popFirst() ?? "").split(separator: " ")
        guard start.count == 2, start[1].hasPrefix("/") else { return nil }
        let fields = lines.compactMap(ProtocolDocument.Field.init(parsing:))
        guard fields.count == lines.count else { return nil }
        method = String(start[0])
        target = String(start[1])
        self.fields = fields
        body = parts.count == 2 ? String(parts[1]) : ""
    }
}

extension ProtocolDocument.Field {
    init?(parsing line: Substring) {
        let parts = line.split(separator: ": ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        name = String(parts[0])
        value = String(parts[1])
    }
}

extension ProtocolDocument.ServerEvent {
    /// The events in the text of a stream; an end that is not whole is left out.
    static func list(in text: String) -> [Self] {
        let blocks = text.split(separator: "\n\n", omittingEmptySubsequences: false)
        return blocks.dropLast().compactMap(Self.init(parsing:))
    }

    /// - Returns: `nil` for what has no data.
    private init?(parsing block: Substring) {
        var lines: [Substring: String] = [:]
        for line in block.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            lines[parts[0]] = parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
        }
        guard let data = lines["data"].flatMap({ TestJSON($0) }) else { return nil }
        self.data = data
        name = lines["event"] ?? "message"
        id = lines["id"]
    }
}
