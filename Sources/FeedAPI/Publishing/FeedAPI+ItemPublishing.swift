import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import Synchronization

/// Publishes single items.
extension FeedAPI {
    /// `POST /feeds/{feed}/items`: inserts one item, or several.
    func postItem(_ routed: borrowing RoutedRequest) throws(Problem) -> Reply {
        let request = try PublishRequest(
            routed,
            access,
            knowing: ItemPlacement.parameters
        )
        let place = try ItemPlacement(routed.query)
        let limit = configuration.itemLimit
        let isList = Atomic(false)
        let change = PublishAction.change { body throws(Problem) in
            do throws(DocumentError) {
                let new = try NewItems(parsing: body, limit: limit)
                isList.store(new.isList, ordering: .relaxed)
                return new.insertion(place, limit: limit, in: body)
            } catch {
                return try FeedAPI.transform(refusing: error, in: body)
            }
        } response: { publication in
            let inserted = publication.changes.insertedItems
            let isAlone = !isList.load(ordering: .relaxed)
            let id = isAlone ? inserted.first?.item.id : nil
            return PublishedDocument.response(
                publication,
                isDryRun: request.isDryRun,
                isNew: !inserted.isEmpty,
                // The reference is relative to the request's URL, since a proxy may have another
                // path before it.
                location: id.map { "items/" + $0.string.percentEncoded }
            )
        }
        return beginPublish(request, change)
    }

    /// `PUT /feeds/{feed}/items/{id}`: replaces the item at its position, or inserts it.
    func putItem(_ routed: borrowing RoutedRequest) throws(Problem) -> Reply {
        let id = routed.id
        let request = try PublishRequest(
            routed,
            access,
            .item(id),
            knowing: ItemPlacement.parameters
        )
        let place = try ItemPlacement(routed.query)
        let limit = configuration.itemLimit
        let change = PublishAction.change { body throws(Problem) in
            let item = try FeedAPI.reading(body) { () throws(DocumentError) in
                try FeedItem(parsing: body, id: id)
            }
            return { current throws(Problem) in
                let edit = Edit.put(item, section: place.section, at: place.place)
                return try FeedAPI.apply([edit], to: current, limit: limit) {
                    Problem(.conflict, .conflict, $0.reason)
                }
            }
        } response: { publication in
            PublishedDocument.response(
                publication,
                isDryRun: request.isDryRun,
                isNew: publication.counts.items.inserted > 0
            )
        }
        return beginPublish(request, change)
    }

    /// `PATCH /feeds/{feed}/items/{id}`: applies a merge patch.
    func patchItem(_ routed: borrowing RoutedRequest) throws(Problem) -> Reply {
        let id = routed.id
        let request = try PublishRequest(
            routed,
            access,
            .item(id),
            accepting: BodyType.itemPatches
        )
        let limit = configuration.itemLimit
        let change = PublishAction.change { body throws(Problem) in
            let patch = try FeedAPI.reading(body) { () throws(DocumentError) in
                try JSONValue(parsing: body)
            }
            return { current throws(Problem) in
                try FeedAPI.patch(id, patch, current, limit: limit)
            }
        } response: { publication in
            PublishedDocument.response(publication, isDryRun: request.isDryRun, isNew: false)
        }
        return beginPublish(request, change)
    }

    /// `DELETE /feeds/{feed}/items/{id}`: removes the item.
    func deleteItem(_ routed: borrowing RoutedRequest) throws(Problem) -> Reply {
        let id = routed.id
        let request = try PublishRequest(routed, access, .item(id), accepting: [])
        let limit = configuration.itemLimit
        let change = PublishAction.change { _ throws(Problem) in
            { current throws(Problem) in
                _ = try FeedAPI.item(id, of: current)
                return try FeedAPI.apply([.remove(id)], to: current, limit: limit) {
                    .notFound($0.reason)
                }
            }
        } response: { publication in
            request.isDryRun
                ? PublishedDocument.removal(publication) : Response(status: .noContent)
        }
        return beginPublish(request, change)
    }
}

extension FeedAPI {
    private static func patch(
        _ id: ExactString,
        _ patch: JSONValue,
        _ current: Version?,
        limit: Int
    ) throws(Problem) -> Snapshot {
        let item = try item(id, of: current)
        let edit = try patching { () throws(DocumentError) in
            try Edit.merging(patch, into: item)
        }
        return try apply([edit], to: current, limit: limit) {
            Problem(.conflict, .conflict, $0.reason)
        }
    }

    private static func item(_ id: ExactString, of current: Version?) throws(Problem) -> FeedItem {
        guard let item = current?.snapshot.item(id) else {
            throw .notFound("there is no such item in this feed")
        }
        return item
    }
}
