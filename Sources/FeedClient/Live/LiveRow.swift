public import FeedModel
public import Foundation

/// A row of a feed, whose item is decoded on demand.
public struct LiveRow<Item: Decodable & Sendable>: Identifiable, Sendable {
    /// The result of decoding an item.
    public enum Content: Sendable {
        /// The decoded item.
        case item(Item)
        /// The error of an item that cannot be decoded; other rows are not affected.
        case undecodable(id: String, any Error)
    }

    /// The item before decoding.
    public let raw: FeedItem

    let decoder: JSONDecoder

    /// The item's id, unique in its feed.
    public var id: String { raw.id.string }

    /// The item's JSON.
    public var json: Data { Data(raw.json.bytes) }

    /// The decoded item, or the error.
    ///
    /// The item is decoded at each call.
    public var content: Content {
        do {
            return .item(try decoder.decode(Item.self, from: json))
        } catch {
            return .undecodable(id: id, error)
        }
    }

    /// The decoded item; `nil`: it cannot be decoded.
    public var item: Item? {
        if case .item(let item) = content { item } else { nil }
    }
}

extension LiveRow: Equatable {
    /// Returns whether both rows have equal items.
    ///
    /// Comparing an item with itself takes constant time.
    public static func == (left: LiveRow, right: LiveRow) -> Bool { left.raw == right.raw }
}

/// The rows of a section, made on demand.
public struct LiveRows<Item: Decodable & Sendable>: RandomAccessCollection, Sendable {
    let items: ItemList
    let decoder: JSONDecoder

    /// The index of the first row: 0.
    public var startIndex: Int { 0 }

    /// The number of rows.
    public var endIndex: Int { items.count }

    /// The row at an index, in time logarithmic in the number of rows.
    public subscript(index: Int) -> LiveRow<Item> {
        LiveRow(raw: items[index], decoder: decoder)
    }
}
