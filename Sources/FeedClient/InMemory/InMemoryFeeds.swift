import FeedDiff
import FeedModel
import Foundation

/// Feeds with their last versions, and the answers to requests about them.
struct InMemoryFeeds: Sendable {
    /// A version of a feed.
    struct Version: Sendable {
        let token: Token
        let snapshot: Snapshot
        let date: Date
    }

    /// A document about a feed.
    struct Document {
        let json: [UInt8]
        /// The document's kind, which is an event's name, too.
        let kind: String
        /// The reader's version after the document; `nil`: the feed does not exist.
        var token: Token?
    }

    /// The number of versions of a feed that are known; a reader with an older one gets a snapshot.
    static let versionLimit = 100

    /// The versions of each feed, the newest last.
    private var versions: [FeedName: [Version]] = [:]

    /// The answers to publishes by their idempotency keys.
    var answers: [String: InMemoryAnswer] = [:]

    func current(_ feed: FeedName) -> Version? { versions[feed]?.last }

    private func version(_ token: Token, of feed: FeedName) -> Version? {
        versions[feed]?.last { $0.token == token }
    }

    /// Makes a snapshot the current version, if it differs from the one before; returns the current
    /// version, and what changed.
    mutating func publish(
        _ snapshot: Snapshot,
        as feed: FeedName
    ) -> (now: Version, counts: ChangeCounts) {
        let old = current(feed)
        let before = old?.snapshot ?? Snapshot()
        let changes = Changes(from: before, to: snapshot)
        if let old, changes.isEmpty { return (old, ChangeCounts()) }
        let token = Token(
            epoch: old?.token.epoch ?? Token.randomEpoch(),
            version: (old?.token.version ?? 0) + 1
        )
        let version = Version(token: token, snapshot: snapshot.indexed(), date: Date())
        let known = (versions[feed] ?? []) + [version]
        versions[feed] = known.suffix(InMemoryFeeds.versionLimit)
        return (version, changes.counts(from: before))
    }

    /// Removes a feed, and returns whether it existed.
    mutating func remove(_ feed: FeedName) -> Bool {
        versions.removeValue(forKey: feed) != nil
    }

    /// Returns the document for a reader that has a version of a feed: changes wherever that
    /// version is known, also where a snapshot would be shorter.
    func document(of name: String, since: Token?, through view: FeedView) -> Document {
        guard let feed = FeedName(name), let now = current(feed) else {
            return Document(json: DocumentEncoder.missing(name), kind: "missing")
        }
        let encoder = DocumentEncoder(feed: feed)
        let viewed = view(now.snapshot)
        let (kind, json): (String, [UInt8])
        if since == now.token {
            (kind, json) = ("unchanged", encoder.unchanged(token: now.token, now: viewed))
        } else if let since, let old = version(since, of: feed) {
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

/// Reads feeds.
extension InMemoryFeeds {
    /// Answers a request; a publish changes the feeds.
    mutating func answer(_ request: InMemoryRequest) -> InMemoryAnswer {
        do {
            switch request.route {
            case "GET readyz": return InMemoryAnswer(type: "text/plain", body: Data("ready\n".utf8))
            case "GET feeds": return try list(request.value("prefix") ?? "")
            case "GET feeds/*": return try read(request)
            case "GET pull": return pull(request)
            case "GET feeds/*/items", "GET feeds/*/sections/*": return try rows(request)
            default: return try publish(request)
            }
        } catch {
            return InMemoryAnswer(refusing: error)
        }
    }

    private func read(_ request: InMemoryRequest) throws -> InMemoryAnswer {
        let since = request.value("since").flatMap { Token($0) }
        let document = document(of: request.feed, since: since, through: request.view)
        guard let token = document.token else {
            throw InMemoryAnswer.missing("feed \"\(request.feed)\"")
        }
        if request.ifNoneMatch == "\"\(token)\"" {
            return InMemoryAnswer(status: 304, isUnchanged: true)
        }
        return InMemoryAnswer(body: Data(document.json), isUnchanged: document.kind == "unchanged")
    }

    private func pull(_ request: InMemoryRequest) -> InMemoryAnswer {
        var isUnchanged = true
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", "pull")
        writer.beginObject("feeds")
        for (name, since) in request.entries {
            let document = document(of: name, since: since, through: request.view)
            if document.token != since { isUnchanged = false }
            writer.member(name, json: document.json)
        }
        writer.endObject()
        writer.endObject()
        return InMemoryAnswer(body: Data(writer.finish()), isUnchanged: isUnchanged)
    }

    private func list(_ prefix: String) throws -> InMemoryAnswer {
        let feeds = versions.keys.sorted().filter { $0.rawValue.hasPrefix(prefix) }
            .compactMap { name in
                current(name).map { version in
                    FeedSummary(
                        id: name.rawValue,
                        title: version.snapshot.members["title"]?.stringValue,
                        token: version.token.description,
                        count: version.snapshot.count,
                        changed: version.date.formatted(.iso8601)
                    )
                }
            }
        return InMemoryAnswer(body: try JSONEncoder().encode(["feeds": feeds]))
    }

    /// Returns the version that a request names, or else the current one.
    private func version(for request: InMemoryRequest) throws -> (feed: FeedName, Version) {
        guard let feed = FeedName(request.feed), let now = current(feed) else {
            throw InMemoryAnswer.missing("feed \"\(request.feed)\"")
        }
        let token = request.value("version").flatMap { Token($0) } ?? now.token
        guard let version = version(token, of: feed) else {
            let detail = "this version is not known any more"
            throw InMemoryAnswer(refusing: 410, "/problems/version-forgotten", detail)
        }
        return (feed, version)
    }

    /// Answers with a page of rows, or with the rows of some ids.
    private func rows(_ request: InMemoryRequest) throws -> InMemoryAnswer {
        let (feed, version) = try version(for: request)
        let sections = version.snapshot.sections.filter {
            request.id.isEmpty || $0.id.string == request.id
        }
        guard request.id.isEmpty || !sections.isEmpty else {
            throw InMemoryAnswer.missing("section \"\(request.id)\" in this feed")
        }
        let all = sections.flatMap { section in
            section.items.enumerated().map { (section: section.id, index: $0, item: $1) }
        }
        let ids = Set(request.values("id").map { ExactString($0) })
        let offset = max(0, request.number("offset") ?? 0)
        let limit = min(max(1, request.number("limit") ?? 100), 1_000)
        let page = all.dropFirst(offset).prefix(limit)
        let end = offset + page.count
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", "items")
        writer.member("feed", feed.rawValue)
        writer.member("token", version.token.description)
        writer.member("total", all.count)
        writer.member("offset", offset)
        writer.rows(ids.isEmpty ? page : all.filter { ids.contains($0.item.id) }[...])
        if ids.isEmpty, !page.isEmpty, end < all.count {
            writer.member("next", "?offset=\(end)&limit=\(limit)&version=\(version.token)")
        }
        writer.endObject()
        return InMemoryAnswer(body: Data(writer.finish()))
    }
}
