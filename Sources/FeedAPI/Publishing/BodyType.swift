import HTTPTypes
import HTTPWire

/// The media types of bodies.
enum BodyType: String, Sendable {
    case json = "application/json"
    case jsonPatch = "application/json-patch+json"
    case mergePatch = "application/merge-patch+json"

    /// JSON Feed 1.1's own.
    case jsonFeed = "application/feed+json"

    static let documents: [BodyType] = [.json]
    static let feeds: [BodyType] = [.json, .jsonFeed]
    static let feedPatches: [BodyType] = [.json, .jsonPatch]
    static let itemPatches: [BodyType] = [.mergePatch, .json]

    /// The type of a request's body; one that says nothing has the first of `accepted`, and
    /// where none is accepted the body does not count.
    ///
    /// - Throws: `415` with Accept-Patch or Accept (RFC 5789 §2.2, RFC 9110 §15.5.16).
    init(_ request: borrowing RoutedRequest, accepted: [BodyType]) throws(Problem) {
        guard let value = request.head.value(.contentType), !accepted.isEmpty else {
            self = accepted.first ?? .json
            return
        }
        let type = MediaType(value)
        let charset = type?.parameters["charset"].map { $0.lowercased() }
        guard let type = accepted.first(where: { $0.rawValue == type?.essence }),
            [nil, "utf-8", "utf8"].contains(charset)
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

extension [BodyType] {
    /// As in Accept.
    var list: String { map(\.rawValue).joined(separator: ", ") }
}
