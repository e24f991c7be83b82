import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes

/// The response to a publish that was carried out (docs/PUBLISHING.md, "The requests").
enum PublishedDocument {
    /// The response: `201` where something new came to be, else `200`.
    static func response(
        _ publication: Publication,
        isDryRun: Bool,
        isNew: Bool,
        location: String? = nil
    ) -> Response {
        var fields: HTTPFields = [
            .contentType: "application/json", .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
        ]
        if let location, !isDryRun { fields[.location] = location }
        let status: HTTPResponse.Status = isNew && !isDryRun ? .created : .ok
        let body = document(publication, isDryRun: isDryRun, tellsChanges: isDryRun)
        return Response(status: status, fields: fields, body: .bytes(body))
    }

    /// The response to the dry run of a DELETE: counts alone.
    static func removal(_ publication: Publication) -> Response {
        let fields: HTTPFields = [
            .contentType: "application/json", .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
        ]
        let body = document(publication, isDryRun: true, tellsChanges: false)
        return Response(status: .ok, fields: fields, body: .bytes(body))
    }

    private static func document(
        _ publication: Publication,
        isDryRun: Bool,
        tellsChanges: Bool
    ) -> [UInt8] {
        let feed = publication.current.feed
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", "published")
        writer.member("feed", feed.rawValue)
        if let previous = publication.previous {
            writer.member("since", previous.token.description)
        }
        if isDryRun {
            writer.member("dryRun", true)
        } else {
            writer.member("token", publication.current.token.description)
        }
        writer.member("changed", publication.isChanged)
        write("items", publication.counts.items, to: &writer)
        write("sections", publication.counts.sections, to: &writer)
        if tellsChanges {
            let encoder = DocumentEncoder(feed: feed)
            writer.member("changes", json: encoder.object(publication.changes))
        }
        writer.endObject()
        return writer.finish()
    }

    static func write(
        _ name: String,
        _ tally: ChangeCounts.Tally,
        to writer: inout JSONWriter
    ) {
        writer.beginObject(name)
        writer.member("inserted", tally.inserted)
        writer.member("removed", tally.removed)
        writer.member("moved", tally.moved)
        writer.member("updated", tally.updated)
        writer.endObject()
    }
}
