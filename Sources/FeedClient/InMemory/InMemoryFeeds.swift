import FeedDiff
import FeedModel
import Foundation

/// Feeds with their last versions, and the documents about them; no requests.
struct InMemoryFeeds: Sendable {
    /// A version of a feed.
    struct Version: Sendable {
        let token: Token
        let snapshot: Snapshot
        let date: Date
    }

    /// The number of versions of a feed that are known; a reader with an older one gets a snapshot.
    static let versionLimit = 100

    /// The number of answers that are known.
    private static let answerLimit = 1000

    /// The answers to publishes, by their idempotency keys.
    private(set) var answers: [String: InMemoryAnswer] = [:]

    /// The newest last.
    private var versions: [FeedName: [Version]] = [:]

    /// The feeds that there are, by their names.
    var names: [FeedName] { versions.keys.sorted() }

    func current(_ feed: FeedName) -> Version? { versions[feed]?.last }

    /// A version that is still known.
    func version(_ token: Token, of feed: FeedName) -> Version? {
        versions[feed]?.last { $0.token == token }
    }

    /// Takes a snapshot for the current version, if it differs from that.
    ///
    /// - Returns: The version before, the current one, and what changed.
    mutating func publish(
        _ snapshot: Snapshot,
        as feed: FeedName
    ) -> (old: Version?, now: Version, counts: ChangeCounts) {
        let old = current(feed)
        let before = old?.snapshot ?? Snapshot()
        let changes = Changes(
            from: ViewedSnapshot(snapshot: before),
            to: ViewedSnapshot(snapshot: snapshot)
        )
        if let old, changes.isEmpty { return (old, old, ChangeCounts()) }
        let token = Token(
            epoch: old?.token.epoch ?? Token.randomEpoch(),
            version: (old?.token.version ?? 0) + 1
        )
        let version = Version(token: token, snapshot: snapshot.indexed(), date: Date())
        versions[feed, default: []].append(version)
        if versions[feed, default: []].count > InMemoryFeeds.versionLimit {
            versions[feed]?.removeFirst()
        }
        return (old, version, changes.counts(from: before))
    }

    /// Keeps the answer to a publish, in case that comes again.
    mutating func remember(_ answer: InMemoryAnswer, of key: String) {
        if answers.count >= InMemoryFeeds.answerLimit { answers.removeAll() }
        answers[key] = answer
    }

    /// - Returns: Whether it was there.
    mutating func remove(_ feed: FeedName) -> Bool {
        versions.removeValue(forKey: feed) != nil
    }
}

extension InMemoryFeeds {
    /// A document about a feed.
    struct Document {
        let json: [UInt8]
        /// Its kind, which is an event's name too.
        let kind: String
        /// The version that the reader has then.
        var token: Token?
    }

    /// Returns the document for a reader that has a version of a feed: changes wherever that
    /// version is known, also where a snapshot would be shorter.
    func document(of name: String, since: Token?, through view: FeedView) -> Document {
        guard let feed = FeedName(name), let now = current(feed) else {
            let name = String(decoding: JSONText(string: name).bytes, as: UTF8.self)
            return Document(
                json: Array(#"{"kind":"missing","feed":\#(name)}"#.utf8),
                kind: "missing"
            )
        }
        let encoder = DocumentEncoder(feed: feed)
        let viewed = view(now.snapshot)
        let (kind, json): (String, [UInt8])
        if since == now.token {
            (kind, json) = ("unchanged", encoder.unchanged(token: now.token, now: viewed.checks))
        } else if let since, let old = versions[feed]?.first(where: { $0.token == since }) {
            let changes = Changes(from: view(old.snapshot), to: viewed)
            json = encoder.changes(changes, since: since, token: now.token, now: viewed)
            kind = "changes"
        } else {
            let reason = since.map { $0.epoch == now.token.epoch ? "expired" : "epoch" }
            json = encoder.snapshot(viewed, token: now.token, reason: reason)
            kind = "snapshot"
        }
        return Document(json: json, kind: kind, token: now.token)
    }
}
