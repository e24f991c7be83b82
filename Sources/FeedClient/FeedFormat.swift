/// The form in which a feed is asked for.
public enum FeedFormat: String, Sendable, CaseIterable {
    /// The protocol's own documents: a snapshot, changes, or that there are none.
    case json

    /// A JSON Patch (RFC 6902) from the version that the client has to the current one.
    case jsonPatch = "json-patch"

    /// The media type of the answer.
    public var mediaType: String {
        switch self {
        case .json: "application/json"
        case .jsonPatch: "application/json-patch+json"
        }
    }
}
