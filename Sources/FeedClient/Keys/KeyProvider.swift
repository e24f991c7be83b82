import FeedModel

/// The source of a service's bearer key, such as an app's own backend, whose tokens expire.
public protocol KeyProvider: Sendable {
    /// Returns the key for requests; called again when the server answers `401`.
    ///
    /// Calls never overlap. A key is used until the server refuses it.
    ///
    /// - Parameter refused: The key that the server has just refused; `nil` at first.
    /// - Returns: The key. At first, `nil` means that requests have no key. In place of a refused
    ///   key, `nil` means that there is no other: the caller gets the server's refusal.
    /// - Throws: An error when no key is available, which becomes ``FeedServiceError/noKey(_:)``.
    func key(replacing refused: String?) async throws -> String?
}

/// A key that never changes.
struct FixedKey: KeyProvider {
    let key: String?

    /// A checksum of the key, which distinguishes it from other keys without revealing it.
    var mark: String {
        key.map { String(CRC32(Array($0.utf8)[...]).value, radix: 16) } ?? "nobody"
    }

    func key(replacing refused: String?) async throws -> String? { refused == nil ? key : nil }
}
