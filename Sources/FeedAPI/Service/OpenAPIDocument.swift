import COpenAPI
import HTTPWire
import Synchronization

/// The OpenAPI description of this server, `Public/openapi.json`, which is in the binary: it fits
/// the binary, and is there without the web client's folder.
final class OpenAPIDocument: Sendable {
    /// As it is.
    static let bytes = Array(
        UnsafeBufferPointer(start: freshet_openAPI(), count: freshet_openAPISize())
    )

    static let tag = Tag(digest: SHA256Digest.inline(bytes.span))

    private let coded = Mutex<[ContentCoding: [UInt8]]>([:])

    /// The document in a coding, if it was asked for before.
    subscript(coding: ContentCoding) -> [UInt8]? {
        coding == .identity ? OpenAPIDocument.bytes : coded.withLock { $0[coding] }
    }

    /// Keeps the document in a coding.
    func keep(_ content: [UInt8], _ coding: ContentCoding) {
        coded.withLock { $0[coding] = content }
    }
}
