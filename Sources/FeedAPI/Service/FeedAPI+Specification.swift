import COpenAPI
import Gzip
import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization

/// `GET /openapi.json`.
extension FeedAPI {
    func readSpecification(_ request: borrowing RoutedRequest) -> Reply {
        let parts = ReadParts(request)
        let (tag, coding) = (OpenAPIDocument.tag, parts.coding.coding)
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
        let isMade = service.specification[coding] != nil
        let size = WorkSize(byteCount: 20 * OpenAPIDocument.bytes.count)
        return reply(isMade ? nil : size, parts.requester) { [self] in
            var whole = whole
            whole.body = .bytes(specificationContent(coding))
            return whole
        }
    }

    /// Returns the document in a coding, and compresses it for the first request.
    private func specificationContent(_ coding: ContentCoding) -> [UInt8] {
        if let content = service.specification[coding] { return content }
        let content = coding.compress(OpenAPIDocument.bytes)
        builder.counters.addCompression()
        service.specification.keep(content, coding)
        return content
    }
}

/// The OpenAPI description of this server, `Public/openapi.json`.
///
/// It is embedded in the binary, so that both always match, and so that it needs no folder of the
/// web client.
final class OpenAPIDocument: Sendable {
    /// The document without a coding.
    static let bytes = Array(
        UnsafeBufferPointer(start: freshet_openAPI(), count: freshet_openAPISize())
    )

    static let tag = EntityTag(digest: SHA256Digest.inline(bytes.span))

    private let coded = Mutex<[ContentCoding: [UInt8]]>([:])

    /// Returns the document in a coding, if it was made before.
    subscript(coding: ContentCoding) -> [UInt8]? {
        coding == .identity ? OpenAPIDocument.bytes : coded.withLock { $0[coding] }
    }

    /// Caches the document in a coding.
    func keep(_ content: [UInt8], _ coding: ContentCoding) {
        coded.withLock { $0[coding] = content }
    }
}
