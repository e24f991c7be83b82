import COpenAPI
import Gzip
import HTTPServer
import HTTPTypes
import HTTPWire

/// Answers requests for the OpenAPI description of this server.
extension FeedAPI {
    /// `GET /openapi.json`: the description, which is the same for all callers.
    func readSpecification(_ request: borrowing RoutedRequest) -> Reply {
        let parts = ReadParts(request)
        let (tag, coding) = (FeedAPI.specificationTag, parts.coding.coding)
        var fields: HTTPFields = [.cacheControl: "no-cache", .vary: "Accept-Encoding"]
        if let response = conditionalResponse(parts, tag, fields) {
            return .response(response)
        }
        fields[.eTag] = tag.text(coding)
        fields[.contentType] = "application/json"
        fields[.xContentTypeOptions] = "nosniff"
        if coding != .identity { fields[.contentEncoding] = coding.name }
        let isPlain = coding == .identity
        let content = isPlain ? FeedAPI.specification : FeedAPI.codedSpecification
        return .response(Response(status: .ok, fields: fields, body: .bytes(content)))
    }

    /// The OpenAPI description, the content of `Public/openapi.json`.
    ///
    /// The binary contains it, so that server and description always match, and so that the server
    /// needs no folder of the web client.
    private static let specification = Array(
        UnsafeBufferPointer(start: freshet_openAPI(), count: freshet_openAPISize())
    )

    /// The description in gzip.
    ///
    /// A thread makes it when the server starts, because compression takes too long for a loop.
    static let codedSpecification = ContentCoding.gzip.compress(specification)

    private static let specificationTag = EntityTag(SHA256Digest(of: specification.span))
}
