public import FeedModel
public import Foundation

/// A row of a feed: its item, decoded when that is asked for.
public struct LiveRow<Item: Decodable & Sendable>: Identifiable, Sendable {
    /// What became of decoding an item.
    public enum Content: Sendable {
        /// The item.
        case item(Item)
        /// An item of another shape: that row's problem, not the feed's.
        case undecodable(id: String, any Error)
    }

    /// The item as it came.
    public let raw: FeedItem

    let decoder: JSONDecoder

    /// The item's id, unique in its feed.
    public var id: String { raw.id.string }

    /// The item's JSON.
    public var json: Data { Data(raw.json.bytes) }

    /// Decodes the item: about as long as it is, at each call.
    public var content: Content {
        do {
            return .item(try decoder.decode(Item.self, from: json))
        } catch {
            return .undecodable(id: id, error)
        }
    }

    /// The item; `nil` if it has another shape.
    public var item: Item? {
        if case .item(let item) = content { item } else { nil }
    }
}

extension LiveRow: Equatable {
    /// The same item, which costs nothing to see, or an equal one.
    public static func == (left: LiveRow, right: LiveRow) -> Bool { left.raw == right.raw }
}

/// The rows of a section, made when they are asked for.
public struct LiveRows<Item: Decodable & Sendable>: RandomAccessCollection, Sendable {
    let items: ItemList
    let decoder: JSONDecoder

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of rows.
    public var endIndex: Int { items.count }

    /// The row at an index: the time grows with the logarithm of their number.
    public subscript(index: Int) -> LiveRow<Item> {
        LiveRow(raw: items[index], decoder: decoder)
    }
}

/// A section of a feed.
public struct LiveSection<Item: Decodable & Sendable>: Identifiable, Sendable {
    /// The section as it came.
    public let raw: FeedSection

    /// The section's number of items in the whole feed: that of its rows, or more where a limit or
    /// sections show a part.
    public let count: Int

    let decoder: JSONDecoder

    /// The section's id.
    public var id: String { raw.id.string }

    /// The member `title`; `nil` where it is no string.
    public var title: String? { raw.members.string("title") }

    /// The member `index`, for an index bar; `nil` where it is no string.
    public var indexTitle: String? { raw.members.string("index") }

    /// The rows.
    public var rows: LiveRows<Item> { LiveRows(items: raw.items, decoder: decoder) }

    /// Decodes the section's own members.
    ///
    /// - Throws: What the decoder throws.
    public func members<Value: Decodable>(as type: Value.Type) throws -> Value {
        try decoder.decode(type, from: raw.members.object)
    }
}

/// The sections of a feed, made when they are asked for.
public struct LiveSections<Item: Decodable & Sendable>: RandomAccessCollection, Sendable {
    let copy: FeedCopy
    let decoder: JSONDecoder

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of sections.
    public var endIndex: Int { copy.snapshot.sections.count }

    /// The section at an index: the time grows with the logarithm of their number.
    public subscript(index: Int) -> LiveSection<Item> { section(copy.snapshot.sections[index]) }

    func section(_ raw: FeedSection) -> LiveSection<Item> {
        let count = copy.total == nil ? nil : copy.count(ofSection: raw.id)
        return LiveSection(raw: raw, count: count ?? raw.items.count, decoder: decoder)
    }
}

extension Members {
    /// A member that is a string.
    func string(_ name: ExactString) -> String? {
        self[name]?.stringValue
    }

    /// All as one object.
    var object: Data {
        let members = list.map { member in
            let name = String(decoding: JSONText(string: member.name.string).bytes, as: UTF8.self)
            return "\(name):\(String(decoding: member.value.bytes, as: UTF8.self))"
        }
        return Data("{\(members.joined(separator: ","))}".utf8)
    }
}
