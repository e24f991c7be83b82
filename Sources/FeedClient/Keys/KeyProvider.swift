import FeedModel

/// Where a service's key comes from, such as an app's own backend, whose tokens end after a while.
public protocol KeyProvider: Sendable {
    /// Gives the key that requests carry; called again when the server answers `401`.
    ///
    /// Calls never overlap; what is given is kept until the server refuses it.
    ///
    /// - Parameter refused: The key that the server has just refused; `nil` at first.
    /// - Returns: The key; at first `nil` to ask without one. Instead of a refused key, `nil` means
    ///   that there is no other: the caller gets the server's refusal.
    /// - Throws: Why none can be had, which becomes ``FeedServiceError/noKey(_:)``.
    func key(replacing refused: String?) async throws -> String?
}

/// A key that never changes.
struct FixedKey: KeyProvider {
    let key: String?

    /// A check on the key, which tells it from another one.
    var mark: String {
        key.map { String(CRC32(Array($0.utf8)[...]).value, radix: 16) } ?? "nobody"
    }

    func key(replacing refused: String?) async throws -> String? { refused == nil ? key : nil }
}
