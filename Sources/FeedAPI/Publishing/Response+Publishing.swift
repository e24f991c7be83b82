import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// Makes the responses to publishes that were carried out (docs/PUBLISHING.md, "The requests").
extension Response {
    /// Returns the response to a publish: `201` if it created a feed or an item, otherwise `200`.
    ///
    /// - Parameters:
    ///   - location: The reference to the new item; `nil`: the response has no Location.
    ///   - includesChanges: Whether the response has the changes, and not only their numbers.
    static func published(
        _ publication: Publication,
        isDryRun: Bool,
        isNew: Bool,
        location: String? = nil,
        includesChanges: Bool = false
    ) -> Response {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", "published")
        writer.member("feed", publication.current.feed.rawValue)
        if let previous = publication.previous {
            writer.member("since", previous.token.description)
        }
        if isDryRun {
            writer.member("dryRun", true)
        } else {
            writer.member("token", publication.current.token.description)
        }
        writer.member("changed", publication.isChanged)
        writer.member("items", publication.counts.items)
        writer.member("sections", publication.counts.sections)
        if includesChanges {
            let encoder = DocumentEncoder(feed: publication.current.feed)
            writer.member("changes", json: encoder.object(publication.changes))
        }
        writer.endObject()
        var fields = HTTPFields.notStored("application/json")
        if let location, !isDryRun { fields[.location] = location }
        return Response(
            status: isNew && !isDryRun ? .created : .ok,
            fields: fields,
            body: .bytes(writer.finish())
        )
    }
}

/// Encodes and decodes the response to a successful publish (its status, Location and JSON
/// content), which is stored for repeated requests with the same Idempotency-Key.
extension Response {
    /// The encoded response; `nil` for the response to a failed request.
    var kept: [UInt8]? {
        guard status.kind == .successful else { return nil }
        var content: [UInt8] = []
        if case .bytes(let bytes) = body { content = bytes }
        var writer = ByteWriter(capacity: content.count + 64)
        writer.number(status.code)
        writer.text(fields[.location] ?? "")
        writer.block(content)
        return writer.bytes
    }

    /// Decodes a response, without the fields that depend on the request; `nil` for damaged bytes.
    init?(kept: [UInt8]) {
        var reader = ByteReader(kept)
        guard let code = try? reader.number(), let location = try? reader.text(),
            let content = try? reader.block()
        else { return nil }
        let status = HTTPResponse.Status(code: code)
        guard !content.isEmpty else {
            self.init(status: status)
            return
        }
        var fields = HTTPFields.notStored("application/json")
        fields[.location] = location.isEmpty ? nil : location
        self.init(status: status, fields: fields, body: .bytes(content))
    }
}

extension HTTPFields {
    /// Returns the fields of a response with content that no cache may store.
    static func notStored(_ mediaType: String) -> HTTPFields {
        [
            .contentType: mediaType, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
        ]
    }
}
