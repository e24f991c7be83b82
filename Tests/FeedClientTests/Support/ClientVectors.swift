import FeedModel
import Foundation
import Testing

/// The vectors for clients of docs/conformance, whose README says what they mean.
struct ClientVectors {
    /// Documents that a client takes one after the other.
    struct Copy: Sendable, CustomTestStringConvertible {
        let name: String
        let isView: Bool
        let documents: [[UInt8]]
        /// Whether the last document has to be refused.
        let isRefused: Bool
        /// What the client then holds, unless it is refused.
        let holds: JSONValue?

        var testDescription: String { name }
    }

    /// The text of a stream, and the events in it.
    struct Stream: Sendable, CustomTestStringConvertible {
        struct Event: Sendable, Equatable {
            let name: String
            let data: String
            let id: String?
        }

        let name: String
        let text: String
        let events: [Event]
        /// The time to wait before connecting again, in milliseconds, where the vector says it.
        let retry: Int?

        var testDescription: String { name }
    }

    /// Sections, and the check on their order.
    struct Order: Sendable, CustomTestStringConvertible {
        let name: String
        let sections: [(id: String, items: [String])]
        let order: String

        var testDescription: String { name }
    }

    /// What a client asks, refresh by refresh.
    struct Session: Sendable, CustomTestStringConvertible {
        struct Exchange: Sendable {
            /// The token that is asked with.
            let since: String?
            let status: Int
            let fields: [String: String]
            let content: String
        }

        struct Step: Sendable {
            let exchanges: [Exchange]
            let holds: JSONValue
        }

        let name: String
        let steps: [Step]

        var testDescription: String { name }
    }

    var orders: [Order] = []
    var copies: [Copy] = []
    var sessions: [Session] = []
    var streams: [Stream] = []

    /// All of them.
    static let all = try? ClientVectors()

    init() throws {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/conformance/client.json")
        let document = try JSONValue(parsing: Array(try Data(contentsOf: file)))
        copies = try #require(document["vectors"]?.elements).map { vector in
            Copy(
                name: try #require(vector["name"]?.string),
                isView: vector["view"].map { $0 == .bool(true) } ?? false,
                documents: try #require(vector["documents"]?.elements).map(\.bytes),
                isRefused: vector["refused"].map { $0 == .bool(true) } ?? false,
                holds: vector["holds"]
            )
        }
        streams = try #require(document["streams"]?.elements).map { stream in
            Stream(
                name: try #require(stream["name"]?.string),
                text: try #require(stream["stream"]?.string),
                events: try #require(stream["events"]?.elements).map { event in
                    Stream.Event(
                        name: try #require(event["event"]?.string),
                        data: try #require(event["data"]?.string),
                        id: event["id"]?.string
                    )
                },
                retry: stream["retry"]?.whole
            )
        }
        orders = try #require(document["checks"]?.elements).map { check in
            Order(
                name: try #require(check["name"]?.string),
                sections: try #require(check["sections"]?.elements).map { section in
                    let items = try #require(section["items"]?.elements)
                    return (try #require(section["id"]?.string), items.compactMap(\.string))
                },
                order: try #require(check["order"]?.string)
            )
        }
        sessions = try #require(document["sessions"]?.elements).map { session in
            Session(
                name: try #require(session["name"]?.string),
                steps: try #require(session["steps"]?.elements).map(ClientVectors.step)
            )
        }
    }

    private static func step(_ step: JSONValue) throws -> Session.Step {
        let exchanges = try #require(step["exchanges"]?.elements).map { exchange in
            let json = exchange["json"].map { String(decoding: $0.bytes, as: UTF8.self) }
            var fields: [String: String] = [:]
            if case .object(let entries) = exchange["fields"] {
                for entry in entries { fields[entry.name.string] = entry.value.string }
            }
            return Session.Exchange(
                since: exchange["since"]?.string,
                status: try #require(exchange["status"]?.whole),
                fields: fields,
                content: try #require(json ?? exchange["text"]?.string)
            )
        }
        return Session.Step(exchanges: exchanges, holds: try #require(step["holds"]))
    }
}

extension JSONValue {
    fileprivate var whole: Int? {
        digits.flatMap { Int($0) }
    }
}
