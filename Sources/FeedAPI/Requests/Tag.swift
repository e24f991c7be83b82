import FeedModel
import HTTPWire

/// The entity tags of a version: the token, and with a suffix those of the coded representations
/// (docs/PROTOCOL.md, "One validator for everything").
struct Tag: Sendable {
    /// Without quotes: the token, or the hash of a document that has no token.
    let value: String

    init(_ token: Token) { value = token.description }
    init(hash value: String) { self.value = value }

    /// In quotes.
    func text(_ coding: ContentCoding) -> String {
        "\"" + value + coding.tagSuffix + "\""
    }

    /// Which representation `tag` names, whether it is weak or not.
    ///
    /// - Returns: `nil` for none.
    func coding(_ tag: EntityTag) -> ContentCoding? {
        let bytes = tag.value.utf8
        guard bytes.starts(with: value.utf8) else { return nil }
        let rest = bytes.dropFirst(value.utf8.count)
        return ContentCoding.allCases.first { rest.elementsEqual($0.tagSuffix.utf8) }
    }
}
