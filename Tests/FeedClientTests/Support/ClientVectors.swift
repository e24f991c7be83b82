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

    var copies: [Copy] = []
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
    }
}

extension JSONValue {
    fileprivate subscript(name: ExactString) -> JSONValue? {
        guard case .object(let entries) = self else { return nil }
        return entries.position(of: name).map { entries[$0].value }
    }

    fileprivate var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    fileprivate var whole: Int? {
        guard case .number(let digits) = self else { return nil }
        return Int(digits)
    }

    fileprivate var string: String? {
        guard case .string(let text) = self else { return nil }
        return text.string
    }
}
