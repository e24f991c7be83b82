import FeedModel
import HTTPTypes
import HTTPWire

/// Who may do what (docs/PROTOCOL.md, "Who may do what").
struct Access: Sendable {
    /// Who asks.
    enum Caller: Sendable {
        case anyone
        case key(AccessKey)
    }

    let keys: [AccessKey]
    /// The feeds that everyone may read.
    let open: [FeedPattern]
    /// Whether everyone may read everything.
    let isOpen: Bool

    init(_ configuration: APIConfiguration) {
        keys = configuration.keys
        open = configuration.openFeeds
        isOpen = open.contains(where: \.isAll)
    }

    /// Tells who sent a request.
    ///
    /// All keys are looked at whichever fits, so that the time tells nothing of them.
    ///
    /// - Throws: `401` for credentials that are not a key the server knows.
    func caller(_ head: RequestHead) throws(Problem) -> Caller {
        guard let value = head.value(.authorization) else { return .anyone }
        guard let credentials = Access.bearerKey(value) else {
            throw .unauthorized("the Authorization field is not of the form \"Bearer KEY\"")
        }
        let digest = SHA256Digest.of(credentials.utf8.span)
        var found: AccessKey?
        for key in keys where SHA256Digest.areEqual(key.digest, digest) {
            found = key
        }
        guard let found else { throw .unauthorized("the key is not known") }
        return .key(found)
    }

    /// The same caller with the rights that its key has here.
    ///
    /// - Throws: `401` for a key that is known no more.
    func renewed(_ caller: Caller) throws(Problem) -> Caller {
        guard case .key(let key) = caller else { return .anyone }
        guard let found = keys.first(where: { $0.digest == key.digest }) else {
            throw .unauthorized("the key is not known")
        }
        return .key(found)
    }

    /// The key of credentials (RFC 6750 §2.1): the scheme in any case, spaces, and no more spaces.
    static func bearerKey(_ value: String) -> String? {
        let parts = value.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard parts.count == 2,
            parts[0].map({ $0 | 0x20 }) == Array("bearer".utf8)
        else { return nil }
        let key = parts[1].drop { $0 == UInt8(ascii: " ") }
        guard !key.isEmpty, !key.contains(UInt8(ascii: " ")) else { return nil }
        return String(key)
    }

    /// Whether everyone may read `feed`.
    func isOpen(_ feed: FeedName) -> Bool {
        isOpen || open.contains { $0.matches(feed) }
    }

    /// Whether `caller` may read `feed`.
    func mayRead(_ feed: FeedName, _ caller: Caller) -> Bool {
        if isOpen(feed) { return true }
        guard case .key(let key) = caller else { return false }
        return key.mayRead(feed)
    }

    /// Refuses a read that `caller` may not do: `401` without a key, else `404`.
    func checkRead(_ feed: FeedName, _ caller: Caller) throws(Problem) {
        guard !mayRead(feed, caller) else { return }
        if case .anyone = caller { throw .unauthorized("reading needs a key here") }
        throw .noFeed
    }

    /// Refuses a publish that `caller` may not do: `401` without a key, `404` for a feed that it
    /// may not even read, else `403`.
    func checkWrite(_ feed: FeedName, _ caller: Caller) throws(Problem) {
        guard case .key(let key) = caller else { throw .unauthorized("publishing needs a key") }
        guard !key.mayWrite(feed) else { return }
        guard mayRead(feed, caller) else { throw .noFeed }
        throw Problem(.key, .forbidden, "this key may not publish to the feed \"\(feed)\"")
    }
}
