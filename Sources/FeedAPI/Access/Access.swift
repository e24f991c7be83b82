import FeedModel
import HTTPTypes
import HTTPWire
import Synchronization

/// Identifies the callers of requests, and decides which feeds each may read, write and follow
/// (docs/PROTOCOL.md, "Who may do what").
///
/// An ``AccessKey`` stands for its caller; `nil` stands for a caller without a key.
final class Access: Sendable {
    let keys: [AccessKey]
    let signingKeys: [SigningKey]
    /// The keys that sign tokens, by their names.
    private let signers: [String: SigningKey]
    private let tokens = TokenCache()
    private let wall: @Sendable () -> Double
    /// The last uses of ``keys``, in their order.
    private let uses: [LastUse]
    /// The last uses of the keys that sign tokens, by their names.
    private let signerUses: [String: LastUse]
    /// The indices in ``keys`` by the keys' digests.
    private let indices: [SHA256Digest: Int]
    /// The patterns of the feeds that everyone may read; for derived feeds see ``derived``.
    let open: [FeedPattern]
    /// Whether everyone may read everything.
    let isOpen: Bool

    /// The feeds whose content the server fetches from a source; `nil` without any.
    let sources: (any SourceDirectory)?
    /// The rights to read derived feeds, which are made of other feeds.
    let derived: DerivedRights

    /// Makes the object for a configuration.
    ///
    /// - Parameter old: The object for the previous configuration; both objects record the uses of
    ///   a key that is in both configurations in one place.
    init(_ configuration: APIConfiguration, keeping old: Access? = nil) {
        sources = configuration.sources
        keys = configuration.keys
        signingKeys = configuration.signingKeys
        indices = Dictionary(zip(keys.map(\.digest), keys.indices)) { first, _ in first }
        signers = Dictionary(configuration.signingKeys.map { ($0.kid, $0) }) { first, _ in first }
        wall = configuration.wall
        open = configuration.openFeeds
        derived = DerivedRights(configuration.derivedFeeds, open: configuration.openFeeds)
        isOpen = open.contains(where: \.isAll)
        let digests = (old?.keys ?? []).map(\.digest)
        let former = Dictionary(zip(digests, old?.uses ?? [])) { first, _ in first }
        uses = keys.map { former[$0.digest] ?? LastUse() }
        signerUses = signers.mapValues { old?.signerUses[$0.kid] ?? LastUse() }
    }

    /// Returns the key of a request's caller, and records its use.
    ///
    /// - Returns: `nil` for a request without the field Authorization.
    /// - Throws: `401` for credentials that are not a valid key or token; `503` after too many
    ///   tokens with a wrong signature from `client`.
    func caller(
        _ head: borrowing RequestHead,
        from client: ClientID
    ) throws(Problem) -> AccessKey? {
        guard head.has(.authorization) else { return nil }
        let digest = head.withValue(.authorization) { value in
            Access.bearerKey(value).map { SHA256Digest(of: value.extracting($0)) }
        }
        guard let digest = digest ?? nil else {
            throw .unauthorized("the Authorization field is not of the form \"Bearer KEY\"")
        }
        if let index = indices[digest] {
            try check(keys[index])
            uses[index].note(wall())
            return keys[index]
        }
        guard !signers.isEmpty else { throw .invalidToken("the key is not known") }
        let key = try token(head, digest, from: client)
        if let signer = key.token?.signer { signerUses[signer.kid]?.note(wall()) }
        return key
    }

    /// Returns the key that stands for the signed token of a request.
    ///
    /// Checking a signature costs as much as some ten requests, so the wrong signatures of each
    /// client are limited (``TokenCache/refusedLimit``).
    private func token(
        _ head: borrowing RequestHead,
        _ digest: SHA256Digest,
        from client: ClientID
    ) throws(Problem) -> AccessKey {
        let now = wall()
        if let known = tokens[digest] {
            try known.token?.check(at: now)
            return known
        }
        let value = head.value(.authorization).map { Array($0.utf8) } ?? []
        let range = Access.bearerKey(value.span) ?? 0..<0
        guard value[range].contains(UInt8(ascii: ".")) else {
            throw .invalidToken("the key is not known")
        }
        guard tokens.mayVerify(for: client, at: now) else {
            throw .overloaded("too many tokens from this address have a wrong signature")
        }
        let token: SignedToken
        do throws(Problem) {
            token = try SignedToken(value[range], signers: signers)
        } catch {
            if error.detail == SignedToken.wrongSignature { tokens.addRefused(client, at: now) }
            throw error
        }
        let key = AccessKey(token, digest)
        tokens.keep(key, digest)
        try token.check(at: now)
        return key
    }

    /// Returns the time when a key was last used, in seconds since 1970; `nil` if it was not used
    /// since the server started.
    ///
    /// - Parameter index: An index in ``keys``; higher indices stand for ``signingKeys``.
    func lastUse(ofKeyAt index: Int) -> Int? {
        index < keys.count
            ? uses[index].second : signerUses[signingKeys[index - keys.count].kid]?.second
    }

    /// Returns the time until the caller's key or token expires; `nil` if nothing expires.
    func timeLeft(of caller: AccessKey?) -> Duration? {
        guard let key = caller else { return nil }
        let end = key.token?.end ?? key.until
        return end.map { max(.zero, .seconds($0 - wall())) }
    }

    /// Returns a token's key with the limits that the token's signing key has in this
    /// configuration.
    ///
    /// - Throws: `401` if the signing key is no longer known, or the token has expired.
    private func renewed(
        _ key: AccessKey,
        _ token: SignedToken,
        isLast: Bool
    ) throws(Problem) -> AccessKey {
        guard let signer = signers[token.signer.kid], signer.signs(like: token.signer) else {
            throw .invalidToken("the key that signed the token is not known")
        }
        if !isLast { try token.check(at: wall()) }
        if signer === token.signer { return key }
        return AccessKey(token.signed(by: signer), key.digest)
    }

    /// Refuses a replaced key after its end (``AccessKey/until``): `401`.
    private func check(_ key: AccessKey) throws(Problem) {
        guard let until = key.until, wall() >= until else { return }
        throw .invalidToken("the key was replaced by another one")
    }

    /// Returns the caller with the rights that its key has in this configuration.
    ///
    /// - Parameters:
    ///   - caller: The caller, identified by an older configuration.
    ///   - isLast: Whether an expired key or token is still accepted; a long poll that ends because
    ///     its token expires is still answered.
    /// - Throws: `401` for a key that is no longer known, or has expired.
    func renewed(_ caller: AccessKey?, isLast: Bool = false) throws(Problem) -> AccessKey? {
        guard let key = caller else { return nil }
        if let token = key.token { return try renewed(key, token, isLast: isLast) }
        guard let index = indices[key.digest] else {
            throw .invalidToken("the key is not known")
        }
        if !isLast { try check(keys[index]) }
        return keys[index]
    }

    /// Returns the range of the key in a value of Authorization (RFC 6750 §2.1); `nil` if the value
    /// has another form.
    ///
    /// The value is the scheme `Bearer` in any case, spaces, and a key without spaces.
    static func bearerKey(_ value: Span<UInt8>) -> Range<Int>? {
        let space = UInt8(ascii: " ")
        guard let end = value.firstIndex(of: space, in: value.indices), end == 6 else { return nil }
        for (index, byte) in "bearer".utf8.enumerated() where value[index] | 0x20 != byte {
            return nil
        }
        var start = end
        while start < value.count, value[start] == space { start += 1 }
        let key = start..<value.count
        guard !key.isEmpty, value.firstIndex(of: space, in: key) == nil else { return nil }
        return key
    }

    /// Returns whether everyone may read `feed`.
    func isOpen(_ feed: FeedName) -> Bool { isOpen(feed.rawValue.utf8.span) }

    private func isOpen(_ name: Span<UInt8>) -> Bool {
        isOpen || open.names(name) && derived.isOpen(name)
    }

    /// Returns whether `caller` may read `feed`.
    func mayRead(_ feed: FeedName, _ caller: AccessKey?) -> Bool {
        mayRead(feed.rawValue.utf8.span, caller)
    }

    /// Returns whether `caller` may read the feed whose name has these bytes.
    func mayRead(_ name: Span<UInt8>, _ caller: AccessKey?) -> Bool {
        if isOpen(name) { return true }
        guard let key = caller else { return false }
        if key.mayRead(name) { return derived.mayRead(name, key, open: open) }
        // The open feeds and the caller's key may together cover all sources of the derived feed.
        return open.names(name) && derived.mayRead(name, key, open: open)
    }

    /// Returns patterns that match every feed that `caller` may read, and perhaps more.
    func readable(by caller: AccessKey?) -> [FeedPattern] {
        guard let key = caller else { return open }
        return open + key.rights.all
    }

    /// Refuses a read that `caller` has no right to: `401` without a key, otherwise `404`.
    func checkRead(_ feed: FeedName, _ caller: AccessKey?) throws(Problem) {
        guard try mayKnow(feed.rawValue.utf8.span, caller) else { throw .noFeed }
    }

    /// Returns whether `caller` may know if a feed with that name exists.
    ///
    /// - Throws: `401` if a key is needed and none was sent.
    func mayKnow(_ name: Span<UInt8>, _ caller: AccessKey?) throws(Problem) -> Bool {
        if mayRead(name, caller) { return true }
        if caller == nil { throw .unauthorized("reading needs a key here") }
        return false
    }

    /// Refuses a publish that `caller` has no right to: `401` without a key, `404` for a feed that
    /// the caller may not even read, otherwise `403`.
    func checkWrite(_ feed: FeedName, _ caller: AccessKey?) throws(Problem) {
        guard let key = caller else { throw .unauthorized("publishing needs a key") }
        guard mayRead(feed, key) else { throw .noFeed }
        guard key.mayWrite(feed) else {
            throw Problem(.key, .forbidden, "this key may not publish to the feed \"\(feed)\"")
        }
    }

    /// Returns whether a caller may read and follow the same feeds as by an older configuration,
    /// which identified it as `former`.
    func grants(_ caller: AccessKey?, theSameAs old: Access, granted former: AccessKey?) -> Bool {
        guard open == old.open, derived == old.derived else { return false }
        switch (caller, former) {
        case (nil, nil): return true
        case (let key?, let other?): return key.hasRights(of: other)
        default: return false
        }
    }
}

/// Refuses publishes to feeds that the server fills by itself, from a source or from other feeds.
extension Access {
    /// Refuses publishes to a feed that has a source or is made of other feeds: `405`.
    func checkTakesPublishes(_ feed: FeedName) throws(Problem) {
        guard let reason = refusalOfPublishes(feed) else { return }
        let detail = "the feed \"\(feed)\" \(reason)"
        throw Problem(.method, .methodNotAllowed, detail, with: [.allow: Resource.readMethods])
    }

    /// Returns whether everyone may know that a feed refuses publishes.
    func isOpenlyReadOnly(_ name: String) -> Bool {
        guard let feed = FeedName(name), isOpen(feed) else { return false }
        return refusalOfPublishes(feed) != nil
    }

    /// Returns the reason why a feed refuses publishes, in words; `nil` if it accepts them.
    private func refusalOfPublishes(_ feed: FeedName) -> String? {
        if sources?.isSourced(feed) == true {
            return "has a source, and takes no publishes but refresh"
        }
        return derived.has(feed) ? "is made of other feeds, and takes no publishes" : nil
    }
}

/// The time of the last use of a key, which the configurations that list the key have in common.
private final class LastUse: Sendable {
    /// The second since 1970; 0: the key was not used.
    private let time = Atomic(0)

    /// The second since 1970; `nil` if the key was not used since the server started.
    var second: Int? {
        let second = time.load(ordering: .relaxed)
        return second == 0 ? nil : second
    }

    /// Records a use; the time is stored at most once a second, so that loops share it cheaply.
    func note(_ now: Double) {
        let second = Int(now)
        if time.load(ordering: .relaxed) != second { time.store(second, ordering: .relaxed) }
    }
}
