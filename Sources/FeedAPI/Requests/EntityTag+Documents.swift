import FeedModel
import HTTPWire

/// The entity tags of this protocol's documents (docs/PROTOCOL.md, "One validator for everything").
extension EntityTag {
    /// Makes the tag of a version, which is its token.
    init(_ token: Token) { self.init(token.description.utf8) }

    /// Makes the tag of a document without a token, of 128 bits of its digest.
    init(digest: SHA256Digest.Bytes) {
        self.init(hash: digest.span.word(at: 0), digest.span.word(at: 8))
    }
}
