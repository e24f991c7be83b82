import FeedDiff
import FeedModel
import FeedStore
import HTTPTypes

/// The body of `POST /feeds/{feed}/items`: an item, or an array of items.
struct NewItems: Sendable {
    private let items: [FeedItem]
    /// Whether they came in an array, be it of one.
    let isList: Bool

    /// Reads a body.
    ///
    /// - Parameters:
    ///   - body: JSON.
    ///   - limit: The most items.
    /// - Throws: ``DocumentError`` for what is malformed, and for more items than that.
    init(parsing body: [UInt8], limit: Int) throws(DocumentError) {
        isList = body.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: "[")
        items =
            isList
            ? try FeedItem.list(parsing: body, itemLimit: limit) : [try FeedItem(parsing: body)]
    }

    /// Puts them into a feed, so that they stand in their order.
    ///
    /// - Parameters:
    ///   - place: Where the first one goes.
    ///   - limit: How many items a feed may have.
    ///   - body: The body that they were read from.
    /// - Returns: The closure that makes the feed's new state.
    func insertion(_ place: ItemPlacement, limit: Int, in body: [UInt8]) -> PublishAction.Transform
    {
        var edits: [Edit] = []
        edits.reserveCapacity(items.count)
        var last: ExactString?
        for item in items {
            edits.append(
                last.map { .insert(item, section: nil, at: .after($0)) }
                    ?? .insert(item, section: place.section, at: place.place)
            )
            last = item.id
        }
        return { [edits, isList] current throws(Problem) in
            try FeedAPI.apply(edits, to: current, limit: limit) { failure in
                var problem = Problem(.conflict, .conflict, failure.reason)
                if isList, failure.kind == .exists {
                    problem.item = failure.index
                    problem.locate("[\(failure.index)].id", in: body)
                }
                return problem
            }
        }
    }
}
