import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes

/// The answer to a publish (docs/PROTOCOL.md, "Publishing").
enum PublishedDocument {
    /// The answer: `201` where something new came to be, else `200`.
    static func response(
        _ publication: Publication,
        isDryRun: Bool,
        isNew: Bool,
        location: String? = nil
    ) -> Response {
        var fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        if let location, !isDryRun { fields[.location] = location }
        let status: HTTPResponse.Status = isNew && !isDryRun ? .created : .ok
        let body = document(publication, isDryRun: isDryRun)
        return Response(status: status, fields: fields, body: .bytes(body))
    }

    private static func document(_ publication: Publication, isDryRun: Bool) -> [UInt8] {
        let feed = publication.current.feed
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", string: "published")
        writer.member("feed", string: feed.rawValue)
        if let previous = publication.previous {
            writer.member("since", string: previous.token.description)
        }
        if isDryRun {
            writer.member("dryRun", bool: true)
        } else {
            writer.member("token", string: publication.current.token.description)
        }
        writer.member("changed", bool: publication.isChanged)
        write("items", publication.counts.items, to: &writer)
        write("sections", publication.counts.sections, to: &writer)
        if isDryRun {
            let encoder = DocumentEncoder(feed: feed)
            writer.member("changes", json: encoder.object(publication.changes))
        }
        writer.endObject()
        return writer.bytes
    }

    private static func write(
        _ name: String,
        _ tally: ChangeCounts.Tally,
        to writer: inout JSONWriter
    ) {
        writer.beginObject(name)
        writer.member("inserted", number: tally.inserted)
        writer.member("removed", number: tally.removed)
        writer.member("moved", number: tally.moved)
        writer.member("updated", number: tally.updated)
        writer.endObject()
    }
}
