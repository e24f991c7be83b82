import FeedModel

/// A key that the server knows by its digest alone, and what it may do.
package struct AccessKey: Sendable {
    /// What a key may do with the feeds it names.
    package enum Right: Sendable {
        case read
        /// Includes reading.
        case write
    }

    /// The SHA-256 of the key's bytes, 32 bytes.
    package let digest: [UInt8]
    package let right: Right
    package let feeds: [FeedPattern]

    /// Makes a key of its digest.
    ///
    /// - Returns: `nil` when the digest is not 32 bytes long.
    package init?(digest: [UInt8], right: Right, feeds: [FeedPattern]) {
        guard digest.count == SHA256Digest.byteCount else { return nil }
        self.digest = digest
        self.right = right
        self.feeds = feeds
    }

    /// Makes a key of the key itself, which may read and write everything unless said otherwise.
    package init(_ key: String, right: Right = .write, feeds: [FeedPattern] = [.all]) {
        digest = SHA256Digest.of(key.utf8.span)
        self.right = right
        self.feeds = feeds
    }

    /// Whether it may read `feed`.
    func mayRead(_ feed: FeedName) -> Bool {
        feeds.contains { $0.matches(feed) }
    }

    /// Whether it may change `feed`.
    func mayWrite(_ feed: FeedName) -> Bool {
        right == .write && mayRead(feed)
    }
}
