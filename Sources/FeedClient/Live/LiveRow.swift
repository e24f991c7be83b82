public import FeedModel
public import Foundation

/// A row of a feed: its item, decoded when that is asked for.
public struct LiveRow<Item: Decodable & Sendable>: Identifiable, Sendable {
    /// The result of decoding an item.
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
    /// Whether both rows have equal items; comparing an item with itself costs nothing.
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
