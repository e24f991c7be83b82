import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// The response to a publish that was carried out (docs/PUBLISHING.md, "The requests").
enum PublishedDocument {
    /// Returns the response: `201` if the publish created a feed or an item, otherwise `200`.
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

    /// Returns the response to the dry run of a DELETE, which has only counts.
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
        writer.member("items", publication.counts.items)
        writer.member("sections", publication.counts.sections)
        if tellsChanges {
            let encoder = DocumentEncoder(feed: feed)
            writer.member("changes", json: encoder.object(publication.changes))
        }
        writer.endObject()
        return writer.finish()
    }
}

/// The media types of bodies.
enum BodyType: String, Sendable {
    case json = "application/json"
    case jsonPatch = "application/json-patch+json"
    case mergePatch = "application/merge-patch+json"

    /// The media type of JSON Feed 1.1.
    case jsonFeed = "application/feed+json"

    static let documents: [BodyType] = [.json]
    static let feeds: [BodyType] = [.json, .jsonFeed]
    static let feedPatches: [BodyType] = [.json, .jsonPatch]
    static let itemPatches: [BodyType] = [.mergePatch, .json]

    /// Determines the media type of a body; a request without Content-Type has the first of
    /// `accepted`.
    ///
    /// If no type is accepted, the request has no body, and the type has no meaning.
    ///
    /// - Throws: `415` with Accept-Patch or Accept (RFC 5789 §2.2, RFC 9110 §15.5.16).
    init(_ request: borrowing RoutedRequest, accepted: [BodyType]) throws(Problem) {
        guard let value = request.head.value(.contentType), !accepted.isEmpty else {
            self = accepted.first ?? .json
            return
        }
        let mediaType = MediaType(value)
        guard let type = accepted.first(where: { $0.rawValue == mediaType?.essence }),
            BodyType.isUTF8(mediaType)
        else {
            throw Problem(
                .mediaType,
                .unsupportedMediaType,
                "the body is \(value), what is taken here is \(accepted.list)",
                [request.method == .patch ? .acceptPatch : .accept: accepted.list]
            )
        }
        self = type
    }
}

extension BodyType {
    /// Returns whether a media type names no character set, or UTF-8 by one of its names.
    private static func isUTF8(_ type: MediaType?) -> Bool {
        [nil, "utf-8", "utf8"].contains(type?.parameters["charset"]?.lowercased())
    }

    /// The media types of a QUERY, in the form of Accept-Query.
    static let queries = "\"application/json\""

    /// Refuses a QUERY without a media type, or with another one (RFC 10008 §2.1).
    static func checkQuery(_ head: borrowing RequestHead) throws(Problem) {
        guard let value = head.value(.contentType) else {
            throw .malformed(
                "the QUERY does not say what its content is: Content-Type: application/json"
            )
        }
        let type = MediaType(value)
        guard type?.essence == BodyType.json.rawValue, isUTF8(type) else {
            let reason = "the content is \(value), what is taken here is \(BodyType.json.rawValue)"
            throw Problem(.mediaType, .unsupportedMediaType, reason, [.acceptQuery: queries])
        }
    }
}

extension [BodyType] {
    /// The media types in the form of Accept.
    var list: String { map(\.rawValue).joined(separator: ", ") }
}
