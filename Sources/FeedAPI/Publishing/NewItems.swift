import FeedDiff
import FeedModel
import FeedStore
import HTTPTypes

/// The body of `POST /feeds/{feed}/items`: an item, or an array of items.
struct NewItems: Sendable {
    private let items: [FeedItem]
    /// Whether the body is an array, even of a single item.
    let isList: Bool

    /// Parses a body.
    ///
    /// - Parameters:
    ///   - body: The body, JSON in UTF-8.
    ///   - limit: The most items.
    /// - Throws: ``DocumentError`` for a malformed body, and for too many items.
    init(parsing body: [UInt8], limit: Int) throws(DocumentError) {
        isList = body.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: "[")
        items =
            isList
            ? try FeedItem.list(parsing: body, itemLimit: limit) : [try FeedItem(parsing: body)]
    }

    /// Makes the change that inserts the items into a feed, in their order.
    ///
    /// - Parameters:
    ///   - place: The position of the first item.
    ///   - limit: The most items of a feed.
    ///   - body: The body that the items were read from, for errors.
    /// - Returns: The transform of the feed.
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
