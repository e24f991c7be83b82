package import FeedModel
import Synchronization

/// A key that the server knows by its digest alone, and what it may do; or a signed token.
package final class AccessKey: Sendable {
    /// The SHA-256 of the key's bytes, 32 bytes.
    package let digest: [UInt8]
    /// The digest that identifies the key's owner, whichever of the owner's digests was sent.
    package let ownDigest: [UInt8]
    /// From when on it is not known any more, in seconds since 1970; `nil`: never.
    package let until: Double?
    /// The name of its owner in logs and messages; it gives no right.
    package let name: String?
    /// The feeds that it may read beside those that it may change or follow.
    package let read: [FeedPattern]
    /// The feeds that it may change, and so read.
    package let write: [FeedPattern]
    /// The feeds that it may follow in any number, and so read.
    package let follow: [FeedPattern]
    /// Whether it may see the server's own figures and pages.
    package let isAdmin: Bool
    /// The token, if the key is a token that was signed elsewhere.
    let token: SignedToken?

    /// Makes a key of its digest.
    ///
    /// - Parameters:
    ///   - digest: The key's.
    ///   - ownDigest: The first of several of the same owner, whose requests are one's; `nil`: the
    ///     same.
    ///   - until: From when on it is not known any more, in seconds since 1970.
    ///   - name: The owner's name.
    ///   - read: Feeds that it may read.
    ///   - write: Feeds that it may change.
    ///   - follow: Feeds that it may follow.
    ///   - isAdmin: Whether it may see the server's own figures.
    /// - Returns: `nil` when the digest is not 32 bytes long.
    package convenience init?(
        digest: [UInt8],
        ownDigest: [UInt8]? = nil,
        until: Double? = nil,
        name: String? = nil,
        read: [FeedPattern] = [],
        write: [FeedPattern] = [],
        follow: [FeedPattern] = [],
        isAdmin: Bool = false
    ) {
        guard digest.count == SHA256Digest.byteCount else { return nil }
        self.init(
            checked: digest,
            name,
            read,
            write,
            follow,
            isAdmin: isAdmin,
            ownDigest: ownDigest,
            until: until
        )
    }

    /// Makes a key of the key itself, which has every right.
    package convenience init(_ key: String) {
        let digest = SHA256Digest.of(key.utf8.span)
        self.init(checked: digest, nil, [], [.all], [.all], isAdmin: true)
    }

    /// Makes a key of the key itself.
    package convenience init(
        _ key: String,
        read: [FeedPattern] = [],
        write: [FeedPattern] = [],
        follow: [FeedPattern] = [],
        isAdmin: Bool = false
    ) {
        let digest = SHA256Digest.of(key.utf8.span)
        self.init(checked: digest, nil, read, write, follow, isAdmin: isAdmin)
    }

    /// Makes a key of a token with that digest.
    convenience init(_ token: SignedToken, digest: [UInt8]) {
        self.init(
            checked: digest,
            token.subject,
            token.read,
            token.write,
            token.follow,
            isAdmin: false,
            token
        )
    }

    private init(
        checked digest: [UInt8],
        _ name: String?,
        _ read: [FeedPattern],
        _ write: [FeedPattern],
        _ follow: [FeedPattern],
        isAdmin: Bool,
        _ token: SignedToken? = nil,
        ownDigest: [UInt8]? = nil,
        until: Double? = nil
    ) {
        self.digest = digest
        self.ownDigest = ownDigest ?? digest
        self.until = until
        self.name = name
        self.read = read
        self.write = write
        self.follow = follow
        self.isAdmin = isAdmin
        self.token = token
    }
}

extension AccessKey {
    /// Whose publishes are told apart from others' by their Idempotency-Keys; of tokens, all of one
    /// signer are kept in the same bounds.
    var owner: SHA256Digest.Value {
        SHA256Digest.Value(of: token.map { Array("kid \($0.signer.kid)".utf8) } ?? ownDigest)
    }

    /// The bytes that tell one owner's users apart when they publish: the token's subject, else the
    /// digest; empty without a token.
    var user: [UInt8] {
        guard let token else { return [] }
        return token.subject.map { Array("sub \($0)".utf8) } ?? digest
    }

    /// Whether it may read the feed of that name.
    func mayRead(_ name: Span<UInt8>) -> Bool {
        if let token, !token.signer.mayRead(name) { return false }
        return read.names(name) || write.names(name) || follow.names(name)
    }

    /// Whether it may change the feed of that name.
    func mayWrite(_ name: Span<UInt8>) -> Bool {
        if let token, !token.signer.write.names(name) { return false }
        return write.names(name)
    }

    /// Whether it may follow the feed of that name among any number of them.
    func mayFollow(_ name: Span<UInt8>) -> Bool {
        if let token, !token.signer.follow.names(name) { return false }
        return follow.names(name)
    }

    /// Whether there is anything that it may follow so.
    var mayFollowAny: Bool { !follow.isEmpty && token?.signer.follow.isEmpty != true }

    /// Whether both may read and follow the same feeds, and this one change the same.
    func hasRights(of other: AccessKey) -> Bool {
        guard read == other.read, write == other.write, follow == other.follow else { return false }
        let (signer, otherSigner) = (token?.signer, other.token?.signer)
        return signer?.read == otherSigner?.read && signer?.write == otherSigner?.write
            && signer?.follow == otherSigner?.follow
    }

    /// Whether it may read `feed`.
    package func mayRead(_ feed: FeedName) -> Bool { mayRead(feed.rawValue.utf8.span) }

    /// Whether it may change `feed`.
    package func mayWrite(_ feed: FeedName) -> Bool { mayWrite(feed.rawValue.utf8.span) }
}

extension AccessKey: Hashable {
    package static func == (left: AccessKey, right: AccessKey) -> Bool {
        left.digest == right.digest && left.ownDigest == right.ownDigest
            && left.until == right.until && left.name == right.name && left.read == right.read
            && left.write == right.write && left.follow == right.follow
            && left.isAdmin == right.isAdmin
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension Access.Caller {
    /// Whether there is anything that it may follow.
    var mayFollowAny: Bool {
        guard case .key(let key) = self else { return false }
        return key.mayFollowAny
    }
}

/// When a key was used last, since the server began.
final class KeyUse: Sendable {
    /// Seconds since 1970; 0: never.
    private let second = Atomic(0)

    /// Takes note of a use; written once a second at most, so that loops share it cheaply.
    func note(at second: Double) {
        let second = Int(second)
        guard self.second.load(ordering: .relaxed) != second else { return }
        self.second.store(second, ordering: .relaxed)
    }

    /// Seconds since 1970; `nil`: it was not used.
    var last: Int? {
        let last = second.load(ordering: .relaxed)
        return last == 0 ? nil : last
    }
}

/// The last uses of all keys; a key that stays in the configuration keeps its own.
struct KeyUses: Sendable {
    /// By the key's digest, or the name of a signing key.
    private struct Name: Hashable {
        var digest: [UInt8] = []
        var kid: String?
    }

    private var uses: [Name: KeyUse] = [:]

    /// None.
    init() {}

    /// Begins with the uses from `old` for keys that are in both configurations; other keys are
    /// unused.
    init(_ keys: [AccessKey], _ signers: [SigningKey], keeping old: KeyUses) {
        let names =
            keys.map { Name(digest: $0.digest) } + signers.map { Name(kid: $0.kid) }
        for name in names { uses[name] = old.uses[name] ?? KeyUse() }
    }

    subscript(key: AccessKey) -> KeyUse { uses[Name(digest: key.digest)] ?? KeyUse() }

    subscript(signer: SigningKey) -> KeyUse { uses[Name(kid: signer.kid)] ?? KeyUse() }
}
