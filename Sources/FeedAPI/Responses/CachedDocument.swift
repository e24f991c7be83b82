import HTTPServer
import HTTPTypes
import HTTPWire

/// A response that is kept for others, and which coding it has.
final class CachedDocument: Sendable {
    let response: CachedResponse
    /// Identity too where another was asked for and would not have been smaller.
    let coding: ContentCoding
    /// In the form ``ResponseKey/Form/gzipPart`` and ``ResponseKey/Form/gzipEvent``, the body with
    /// what joining it to others takes.
    let part: GzipPart?

    init(
        response: CachedResponse,
        coding: ContentCoding,
        part: GzipPart? = nil
    ) {
        self.response = response
        self.coding = coding
        self.part = part
    }

    /// About the bytes of memory that it takes, with its place among others and its share of what
    /// is kept beside them.
    var byteCount: Int {
        response.body.isEmpty ? response.head.count + 500 : response.body.count + 1700
    }
}
