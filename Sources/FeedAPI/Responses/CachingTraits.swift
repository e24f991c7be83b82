import FeedModel

/// What the head of a response says of its document: the same in a `200` and in the `304` in its
/// place.
struct CachingTraits: Hashable, Sendable {
    /// Whether the document says that there is nothing new, and so is not to be stored.
    let isUnchanged: Bool
    /// Whether it can be waited for, so that it may depend on Prefer.
    let canWait: Bool

    /// Those of what cannot be waited for, and never says that there is nothing new.
    static let withoutWait = CachingTraits(isUnchanged: false, canWait: false)

    /// Tells them apart.
    var number: UInt64 { (isUnchanged ? 1 : 0) | (canWait ? 2 : 0) }
}

extension CachingTraits {
    /// Those of a document that leads to a version with that token.
    init(_ kind: ResponseKey.Kind, to token: Token) {
        switch kind {
        case .unchanged: self.init(isUnchanged: true, canWait: true)
        case .patch(let since, _): self.init(isUnchanged: since == token.version, canWait: true)
        case .outline, .rows, .item, .items: self = .withoutWait
        default: self.init(isUnchanged: false, canWait: true)
        }
    }
}
