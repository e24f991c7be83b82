public import FeedModel
import Foundation

/// A section of a feed.
public struct LiveSection<Item: Decodable & Sendable>: Identifiable, Sendable {
    /// The section before decoding.
    public let raw: FeedSection

    /// The number of items that the section has in the whole feed, which may be more than the view
    /// shows.
    public let count: Int

    let decoder: JSONDecoder

    /// The section's id.
    public var id: String { raw.id.string }

    /// The member `title`; `nil`: it is missing or not a string.
    public var title: String? { raw.members.string("title") }

    /// The member `index`, for a section index; `nil`: it is missing or not a string.
    public var indexTitle: String? { raw.members.string("index") }

    /// The rows.
    public var rows: LiveRows<Item> { LiveRows(items: raw.items, decoder: decoder) }

    /// Decodes the section's own members.
    ///
    /// - Throws: The decoder's error.
    public func members<Value: Decodable>(as type: Value.Type) throws -> Value {
        try decoder.decode(type, from: raw.members.object)
    }
}

/// The sections of a feed, made on demand.
public struct LiveSections<Item: Decodable & Sendable>: RandomAccessCollection, Sendable {
    let copy: FeedCopy
    let decoder: JSONDecoder

    /// The index of the first section: 0.
    public var startIndex: Int { 0 }

    /// The number of sections.
    public var endIndex: Int { copy.snapshot.sections.count }

    /// The section at an index, in time logarithmic in the number of sections.
    public subscript(index: Int) -> LiveSection<Item> { section(copy.snapshot.sections[index]) }

    func section(_ raw: FeedSection) -> LiveSection<Item> {
        let count = copy.fullCounts[raw.id] ?? raw.items.count
        return LiveSection(raw: raw, count: count, decoder: decoder)
    }
}

extension Members {
    /// Returns a member's value if it is a string.
    func string(_ name: ExactString) -> String? {
        self[name]?.stringValue
    }

    /// All members as a JSON object.
    var object: Data {
        let members = list.map { member in
            let name = String(decoding: JSONText(string: member.name.string).bytes, as: UTF8.self)
            return "\(name):\(String(decoding: member.value.bytes, as: UTF8.self))"
        }
        return Data("{\(members.joined(separator: ","))}".utf8)
    }
}
