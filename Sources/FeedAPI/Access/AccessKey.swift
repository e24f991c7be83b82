package import FeedModel

/// A key that the server knows by its digest alone, and what it may do.
package final class AccessKey: Sendable {
    /// The SHA-256 of the key's bytes, 32 bytes.
    package let digest: [UInt8]
    /// What its owner is called in logs and messages; it gives no right.
    package let name: String?
    /// The feeds that it may read beside those that it may change.
    package let read: [FeedPattern]
    /// The feeds that it may change, and so read.
    package let write: [FeedPattern]

    /// Makes a key of its digest.
    ///
    /// - Returns: `nil` when the digest is not 32 bytes long.
    package init?(
        digest: [UInt8],
        name: String? = nil,
        read: [FeedPattern] = [],
        write: [FeedPattern] = []
    ) {
        guard digest.count == SHA256Digest.byteCount else { return nil }
        self.digest = digest
        self.name = name
        self.read = read
        self.write = write
    }

    /// Makes a key of the key itself, which may change everything unless said otherwise.
    package init(_ key: String, read: [FeedPattern] = [], write: [FeedPattern] = [.all]) {
        digest = SHA256Digest.of(key.utf8.span)
        name = nil
        self.read = read
        self.write = write
    }

    /// Whose publishes are told apart from others' by their Idempotency-Keys.
    var owner: IdempotencyMemory.Digest { IdempotencyMemory.Digest(of: digest) }

    /// Whether it may read the feed of that name.
    func mayRead(_ name: Span<UInt8>) -> Bool {
        for pattern in read where pattern.matches(name) { return true }
        return mayWrite(name)
    }

    /// Whether it may change the feed of that name.
    func mayWrite(_ name: Span<UInt8>) -> Bool {
        for pattern in write where pattern.matches(name) { return true }
        return false
    }

    /// Whether it may read `feed`.
    package func mayRead(_ feed: FeedName) -> Bool { mayRead(feed.rawValue.utf8.span) }

    /// Whether it may change `feed`.
    package func mayWrite(_ feed: FeedName) -> Bool { mayWrite(feed.rawValue.utf8.span) }
}

extension AccessKey: Hashable {
    package static func == (left: AccessKey, right: AccessKey) -> Bool {
        left.digest == right.digest && left.name == right.name && left.read == right.read
            && left.write == right.write
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
