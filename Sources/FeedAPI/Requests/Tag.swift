import FeedModel
import HTTPWire

/// The entity tags of a version: the token, and with a suffix that of the gzip representation
/// (docs/PROTOCOL.md, "One validator for everything").
struct Tag: Sendable {
    /// Without quotes: the token, or the hash of a document that has no token.
    let value: String

    init(_ token: Token) { value = token.description }
    init(hash value: String) { self.value = value }

    static let gzipSuffix = Array("-gzip".utf8)

    /// In quotes.
    func text(isGzip: Bool) -> String {
        "\"" + value + (isGzip ? "-gzip\"" : "\"")
    }

    /// Which representation `tag` names, whether it is weak or not.
    ///
    /// - Returns: `nil` for none.
    func isGzip(_ tag: EntityTag) -> Bool? {
        let bytes = tag.value.utf8
        guard bytes.starts(with: value.utf8) else { return nil }
        let rest = bytes.dropFirst(value.utf8.count)
        if rest.isEmpty { return false }
        return rest.elementsEqual(Tag.gzipSuffix) ? true : nil
    }
}
