/// The publisher of a version.
package enum VersionOrigin: Sendable, Equatable {
    /// The holder of a key: its name, or the beginning of its digest.
    case key(String)
    /// The holder of a token that the key of this name has signed.
    case signer(String)
    /// The feed's source.
    case source
    /// The feeds that this one is made of.
    case derivation
    /// A restore, which made the content of this older version current again.
    case restored(Token)
}
