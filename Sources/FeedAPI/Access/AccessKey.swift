package import FeedModel

/// A bearer key with its rights, or a signed token that was verified.
///
/// The server stores only the digest of a key.
package final class AccessKey: Sendable {
    /// The SHA-256 of the key's bytes.
    package let digest: SHA256Digest
    /// The digest that identifies the owner, whichever of the owner's keys is sent: of the name, or
    /// else of the first key.
    package let ownDigest: SHA256Digest
    /// The time when the key expires, in seconds since 1970; `nil`: never.
    package let until: Double?
    /// The name of the key's owner in logs and messages; it gives no right.
    package let name: String?
    /// The rights that the key or token states.
    ///
    /// A token's rights are further limited to those of its signing key.
    package let rights: FeedRights
    /// Whether the key may read the server's metrics and the operator's pages.
    package let isAdmin: Bool
    /// The signed token that this object stands for; `nil` for a key of the configuration.
    let token: SignedToken?

    /// Makes a key from its digest.
    ///
    /// - Parameters:
    ///   - ownDigest: The digest that identifies the owner, if the owner has a name or several
    ///     keys; `nil`: `digest`.
    ///   - until: The time when the key expires, in seconds since 1970; `nil`: never.
    ///   - name: The owner's name.
    ///   - isAdmin: Whether the key may read the server's metrics and the operator's pages.
    package convenience init(
        digest: SHA256Digest,
        ownDigest: SHA256Digest? = nil,
        until: Double? = nil,
        name: String? = nil,
        read: [FeedPattern] = [],
        write: [FeedPattern] = [],
        follow: [FeedPattern] = [],
        isAdmin: Bool = false
    ) {
        self.init(
            digest,
            name: name,
            FeedRights(read: read, write: write, follow: follow),
            isAdmin: isAdmin,
            ownDigest: ownDigest,
            until: until
        )
    }

    /// Makes a key with every right from its text.
    package convenience init(_ key: String) {
        let digest = SHA256Digest(of: key.utf8.span)
        self.init(digest: digest, write: [.all], follow: [.all], isAdmin: true)
    }

    /// Makes a key for a verified token, whose SHA-256 as it was sent is `digest`.
    convenience init(_ token: SignedToken, _ digest: SHA256Digest) {
        self.init(digest, name: token.subject, token.rights, token: token)
    }

    private init(
        _ digest: SHA256Digest,
        name: String? = nil,
        _ rights: FeedRights,
        isAdmin: Bool = false,
        token: SignedToken? = nil,
        ownDigest: SHA256Digest? = nil,
        until: Double? = nil
    ) {
        self.digest = digest
        self.ownDigest = ownDigest ?? digest
        self.until = until
        self.name = name
        self.rights = rights
        self.isAdmin = isAdmin
        self.token = token
    }
}

extension AccessKey {
    /// The owner of this key's Idempotency-Keys; all tokens of one signer have one owner and share
    /// its limits.
    var owner: SHA256Digest {
        let name = token.map { Array("kid \($0.signer.kid)".utf8) } ?? ownDigest.bytes
        return SHA256Digest(of: name.span)
    }

    /// The bytes that distinguish the users of one owner's Idempotency-Keys: the token's subject,
    /// or else the token's digest; empty for a key of the configuration.
    var user: [UInt8] {
        guard let token else { return [] }
        return token.subject.map { Array("sub \($0)".utf8) } ?? digest.bytes
    }

    /// Returns whether the key has a right; a token also needs its signing key to have the right.
    func has(_ right: (FeedRights) -> Bool) -> Bool {
        if let token, !right(token.signer.rights) { return false }
        return right(rights)
    }

    /// Returns whether the key may read the feed with that name.
    func mayRead(_ name: Span<UInt8>) -> Bool { has { $0.mayRead(name) } }

    /// Returns whether the key may change a feed.
    package func mayWrite(_ feed: FeedName) -> Bool {
        has { $0.write.names(feed.rawValue.utf8.span) }
    }

    /// Returns whether the key may follow the feed with that name in a stream of any number of
    /// feeds.
    func mayFollow(_ name: Span<UInt8>) -> Bool { has { $0.follow.names(name) } }

    /// Whether the key may follow any feed at all in a stream of any number of feeds.
    var mayFollowAny: Bool { has { !$0.follow.isEmpty } }

    /// Returns whether both keys give the same rights to feeds.
    func hasRights(of other: AccessKey) -> Bool {
        rights == other.rights && token?.signer.rights == other.token?.signer.rights
    }
}

extension AccessKey: Hashable {
    package static func == (left: AccessKey, right: AccessKey) -> Bool {
        left.digest == right.digest && left.ownDigest == right.ownDigest
            && left.until == right.until && left.name == right.name
            && left.rights == right.rights && left.isAdmin == right.isAdmin
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
