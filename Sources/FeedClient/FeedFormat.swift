/// The format in which a feed is requested.
public enum FeedFormat: String, Sendable, CaseIterable {
    /// The protocol's own documents: a snapshot, changes, or the statement that nothing changed.
    case json

    /// A JSON Patch (RFC 6902) from the client's version to the current one.
    case jsonPatch = "json-patch"

    /// The media type of the response.
    public var mediaType: String {
        switch self {
        case .json: "application/json"
        case .jsonPatch: "application/json-patch+json"
        }
    }
}
