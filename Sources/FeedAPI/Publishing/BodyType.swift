import HTTPServer
import HTTPTypes
import HTTPWire

/// The media types of request bodies that the API reads.
enum BodyType: String, Sendable {
    case json = "application/json"
    case jsonPatch = "application/json-patch+json"
    case mergePatch = "application/merge-patch+json"

    /// The media type of JSON Feed 1.1.
    case jsonFeed = "application/feed+json"

    /// The types of bodies that are JSON documents of this protocol.
    static let documents: [BodyType] = [.json]
    /// The types of whole feeds.
    static let feeds: [BodyType] = [.json, .jsonFeed]
    /// The types of changes of a feed: edits, or a JSON Patch (RFC 6902).
    static let feedPatches: [BodyType] = [.json, .jsonPatch]
    /// The types of changes of an item, which are merge patches (RFC 7396).
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
                with: [request.method == .patch ? .acceptPatch : .accept: accepted.list]
            )
        }
        self = type
    }
}

extension BodyType {
    private static func isUTF8(_ type: MediaType?) -> Bool {
        [nil, "utf-8", "utf8"].contains(type?.parameters["charset"]?.lowercased())
    }

    /// The media types of a QUERY, as a value of Accept-Query.
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
            throw Problem(.mediaType, .unsupportedMediaType, reason, with: [.acceptQuery: queries])
        }
    }
}

extension [BodyType] {
    /// The media types as a value of Accept or Accept-Patch.
    var list: String { map(\.rawValue).joined(separator: ", ") }
}
