import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes

/// Publishes single items.
extension FeedAPI {
    /// `POST /feeds/{feed}/items`: inserts one item, or several.
    func postItem(_ routed: borrowing RoutedRequest) throws(Problem) -> Reply {
        let request = try PublishRequest(
            routed,
            access,
            knowing: Query.placingParameters,
            insertsItems: true
        )
        let target = try routed.query.insertionTarget()
        let limit = configuration.itemLimit
        return beginPublish(
            request,
            .change { body throws(Problem) in
                do throws(DocumentError) {
                    return try FeedAPI.insertion(body, at: target, limit: limit)
                } catch {
                    return try FeedAPI.transform(refusing: error, in: body)
                }
            }
        )
    }

    /// `PUT /feeds/{feed}/items/{id}`: replaces the item, or inserts it if the feed lacks it.
    func putItem(_ routed: borrowing RoutedRequest) throws(Problem) -> Reply {
        let id = routed.id
        let request = try PublishRequest(
            routed,
            access,
            item: id,
            knowing: Query.placingParameters,
            insertsItems: true
        )
        let target = try routed.query.insertionTarget()
        return beginPublish(
            request,
            .change { body throws(Problem) in
                let item = try FeedAPI.reading(body) { () throws(DocumentError) in
                    try FeedItem(parsing: body, id: id)
                }
                return { current throws(Problem) in
                    let edit = Edit.put(item, section: target.section, at: target.position)
                    return try FeedAPI.apply([edit], to: current) {
                        Problem(.conflict, .conflict, $0.reason)
                    }
                }
            }
        )
    }

    /// `PATCH /feeds/{feed}/items/{id}`: applies a merge patch (RFC 7396).
    func patchItem(_ routed: borrowing RoutedRequest) throws(Problem) -> Reply {
        let id = routed.id
        let request = try PublishRequest(
            routed,
            access,
            item: id,
            accepting: BodyType.itemPatches
        )
        return beginPublish(
            request,
            .change { body throws(Problem) in
                let patch = try FeedAPI.reading(body) { () throws(DocumentError) in
                    try JSONValue(parsing: body)
                }
                return { current throws(Problem) in
                    try FeedAPI.patch(id, patch, current)
                }
            }
        )
    }

    /// `DELETE /feeds/{feed}/items/{id}`: removes the item.
    func deleteItem(_ routed: borrowing RoutedRequest) throws(Problem) -> Reply {
        let id = routed.id
        let request = try PublishRequest(routed, access, item: id, accepting: [])
        return beginPublish(
            request,
            .change { _ throws(Problem) in
                { current throws(Problem) in
                    _ = try FeedAPI.item(id, of: current)
                    return try FeedAPI.apply([.remove(id)], to: current) {
                        .notFound($0.reason)
                    }
                }
            }
        )
    }
}

extension FeedAPI {
    /// Reads the body of `POST /feeds/{feed}/items`, JSON in UTF-8: an item, or an array of items.
    ///
    /// - Parameters:
    ///   - target: The section and the position of the first item; each further item follows the
    ///     one before.
    ///   - limit: The most items of a feed.
    /// - Returns: The transform that inserts the items in their order.
    /// - Throws: ``DocumentError`` for a malformed body, and for too many items.
    private static func insertion(
        _ body: [UInt8],
        at target: (section: ExactString?, position: Edit.Position?),
        limit: Int
    ) throws(DocumentError) -> Publish.Transform {
        let isList = body.isJSONArray
        let items =
            isList
            ? try FeedItem.list(parsing: body, itemLimit: limit) : [try FeedItem(parsing: body)]
        var edits: [Edit] = []
        edits.reserveCapacity(items.count)
        for item in items {
            edits.append(
                edits.isEmpty
                    ? .insert(item, section: target.section, at: target.position)
                    : .insert(item, section: nil, at: .after(items[edits.count - 1].id))
            )
        }
        return { [edits] current throws(Problem) in
            try apply(edits, to: current) { failure in
                var problem = Problem(.conflict, .conflict, failure.reason)
                if isList, failure.kind == .exists {
                    problem.item = failure.index
                    problem.locate("[\(failure.index)].id", in: body)
                }
                return problem
            }
        }
    }

    /// Returns a feed's content after a merge patch of one item.
    ///
    /// - Throws: `404` for a missing item, `422` for an invalid result.
    private static func patch(
        _ id: ExactString,
        _ patch: JSONValue,
        _ current: Version?
    ) throws(Problem) -> Snapshot {
        let item = try item(id, of: current)
        let edit = try patching { () throws(DocumentError) in
            try Edit.merging(patch, into: item)
        }
        return try apply([edit], to: current) {
            Problem(.conflict, .conflict, $0.reason)
        }
    }

    /// Returns an item of a feed.
    ///
    /// - Throws: `404` if the feed lacks it.
    private static func item(_ id: ExactString, of current: Version?) throws(Problem) -> FeedItem {
        guard let item = current?.snapshot.item(id) else {
            throw .notFound("there is no such item in this feed")
        }
        return item
    }
}

extension [UInt8] {
    /// Whether the bytes, JSON in UTF-8, are an array, even of a single element.
    var isJSONArray: Bool {
        first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: "[")
    }
}

/// Reads the position of a new item from a query.
extension Query {
    /// The parameters of publishes that place items.
    static let placingParameters: [Parameter] = [
        .dryRun, .removals, .section, .at, .before, .after,
    ]

    /// Returns the section and the position of a new item; `nil` where the query does not name
    /// them.
    ///
    /// - Throws: `400` for malformed parameters, and for more than one position.
    fileprivate func insertionTarget() throws(Problem)
        -> (section: ExactString?, position: Edit.Position?)
    {
        let section = try value(.section).map(ExactString.init(_:))
        let before = try value(.before).map { Edit.Position.before(ExactString($0)) }
        let after = try value(.after).map { Edit.Position.after(ExactString($0)) }
        let positions = [try end(), before, after].compactMap(\.self)
        guard positions.count <= 1 else {
            throw .malformed(
                "of the query parameters \"at\", \"before\" and \"after\" there may be one"
            )
        }
        return (section, positions.first)
    }

    private func end() throws(Problem) -> Edit.Position? {
        guard let at = try value(.at) else { return nil }
        switch ExactString(at) {
        case "start": return .start
        case "end": return .end
        default: throw Query.refusal(.at, "is neither \"start\" nor \"end\"")
        }
    }
}
