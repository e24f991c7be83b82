import COpenAPI
import Gzip
import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization

/// Answers requests for the OpenAPI description of this server.
extension FeedAPI {
    /// `GET /openapi.json`: the description, which is the same for all callers.
    func readSpecification(_ request: borrowing RoutedRequest) -> Reply {
        let parts = ReadParts(request)
        let (tag, coding) = (FeedAPI.specificationTag, parts.coding.coding)
        var fields: HTTPFields = [.cacheControl: "no-cache", .vary: "Accept-Encoding"]
        builder.cors.add(to: &fields, for: parts.requester)
        if let response = builder.conditionalResponse(parts, tag, fields) {
            return .response(response)
        }
        fields[.eTag] = tag.text(coding)
        fields[.contentType] = "application/json"
        fields[.xContentTypeOptions] = "nosniff"
        if coding != .identity { fields[.contentEncoding] = coding.name }
        let whole = Response(status: .ok, fields: fields)
        let isMade = madeSpecification(coding) != nil
        let size = WorkSize(byteCount: 20 * FeedAPI.specification.count)
        return reply(isMade ? nil : size, parts.requester) { [self] in
            var whole = whole
            whole.body = .bytes(specificationContent(coding))
            return whole
        }
    }

    /// Returns the description in a coding; it is compressed for the first request only.
    private func specificationContent(_ coding: ContentCoding) -> [UInt8] {
        if let content = madeSpecification(coding) { return content }
        let content = coding.compress(FeedAPI.specification)
        builder.countCompression()
        service.codedSpecification.withLock { $0 = content }
        return content
    }

    /// Returns the description in a coding; `nil` if it was not compressed yet.
    private func madeSpecification(_ coding: ContentCoding) -> [UInt8]? {
        coding == .identity ? FeedAPI.specification : service.codedSpecification.withLock { $0 }
    }

    /// The OpenAPI description, the content of `Public/openapi.json`.
    ///
    /// The binary contains it, so that server and description always match, and so that the server
    /// needs no folder of the web client.
    private static let specification = Array(
        UnsafeBufferPointer(start: freshet_openAPI(), count: freshet_openAPISize())
    )

    private static let specificationTag = EntityTag(
        digest: SHA256Digest.inline(specification.span)
    )
}
