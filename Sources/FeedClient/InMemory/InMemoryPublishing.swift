import FeedDiff
import FeedModel
import Foundation

/// Publishing.
extension InMemoryFeeds {
    /// Answers a request that publishes; what comes again by its idempotency key happens once.
    mutating func published(_ request: InMemoryRequest) -> InMemoryAnswer {
        if let key = request.idempotencyKey, let answer = answers[key] { return answer }
        let answer: InMemoryAnswer
        do throws(Refusal) {
            answer = try publish(request)
        } catch {
            return InMemoryAnswer(refusing: error.status, error.type, error.detail)
        }
        if let key = request.idempotencyKey, !request.isDryRun { remember(answer, of: key) }
        return answer
    }

    private mutating func publish(_ request: InMemoryRequest) throws(Refusal) -> InMemoryAnswer {
        switch (request.method, request.target) {
        case ("PUT", .feed(let name)): try replace(name, request)
        case ("PATCH", .feed(let name)): try edit(name, request)
        case ("DELETE", .feed(let name)): try delete(name, request)
        case ("POST", .items(let name)): try insert(into: name, request)
        case ("PUT", .item(let name, let id)): try put(id, of: name, request)
        case ("PATCH", .item(let name, let id)): try patch(id, of: name, request)
        case ("DELETE", .item(let name, let id)): try remove(id, of: name, request)
        default:
            throw Refusal(
                501,
                "about:blank",
                "a server in memory knows no \(request.method) of this"
            )
        }
    }

    private struct Refusal: Error {
        let status: Int
        let type: String
        let detail: String

        init(_ status: Int, _ type: String, _ detail: String) {
            (self.status, self.type, self.detail) = (status, type, detail)
        }

        init(_ error: DocumentError) {
            let type = error.kind == .duplicateID ? "duplicate-id" : "malformed"
            self.init(400, "/problems/" + type, "\(error.path) \(error.reason)")
        }

        static func missing(_ what: String) -> Refusal {
            Refusal(404, "/problems/not-found", "there is no \(what)")
        }
    }
}

/// Whole feeds.
extension InMemoryFeeds {
    private mutating func replace(
        _ name: String,
        _ request: InMemoryRequest
    ) throws(Refusal) -> InMemoryAnswer {
        guard let feed = FeedName(name) else {
            let reason = FeedName.refusal(of: name) ?? "no feed can have this name"
            throw Refusal(400, "/problems/feed-name", reason)
        }
        try check(request.ifMatch, feed)
        do {
            return publish(try FeedDocument(parsing: Array(request.body)).snapshot, feed, request)
        } catch {
            throw Refusal(error)
        }
    }

    private mutating func edit(
        _ name: String,
        _ request: InMemoryRequest
    ) throws(Refusal) -> InMemoryAnswer {
        let (feed, current) = try there(name)
        try check(request.ifMatch, feed)
        let edits: [Edit]
        do {
            edits = try Edit.list(parsing: Array(request.body))
        } catch {
            throw Refusal(error)
        }
        do {
            return publish(try current.applying(edits), feed, request)
        } catch {
            let detail = "edits[\(error.index)]: \(error.reason)"
            throw Refusal(409, "/problems/edit-failed", detail)
        }
    }

    private mutating func delete(
        _ name: String,
        _ request: InMemoryRequest
    ) throws(Refusal) -> InMemoryAnswer {
        let (feed, current) = try there(name)
        try check(request.ifMatch, feed)
        if request.isDryRun { return dryRun(feed, from: current, to: Snapshot()) }
        _ = remove(feed)
        return InMemoryAnswer.removed
    }
}

/// Single items.
extension InMemoryFeeds {
    private mutating func insert(
        into name: String,
        _ request: InMemoryRequest
    ) throws(Refusal) -> InMemoryAnswer {
        let items: [FeedItem]
        let body = Array(request.body)
        do {
            let isList = body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == 0x5B
            items =
                isList
                ? try .init(FeedItem.list(parsing: body, itemLimit: 1_000_000))
                : [try FeedItem(parsing: body)]
        } catch {
            throw Refusal(error)
        }
        let place = request.place
        var edits: [Edit] = []
        for item in items {
            edits.append(
                edits.isEmpty
                    ? .insert(item, section: place.section, at: place.position)
                    : .insert(item, section: nil, at: .after(items[edits.count - 1].id))
            )
        }
        return try apply(edits, to: name, request)
    }

    private mutating func put(
        _ id: String,
        of name: String,
        _ request: InMemoryRequest
    ) throws(Refusal) -> InMemoryAnswer {
        let item: FeedItem
        do {
            item = try FeedItem(parsing: Array(request.body), id: ExactString(id))
        } catch {
            throw Refusal(error)
        }
        let place = request.place
        let edit = Edit.put(item, section: place.section, at: place.position)
        return try apply([edit], to: name, request)
    }

    private mutating func patch(
        _ id: String,
        of name: String,
        _ request: InMemoryRequest
    ) throws(Refusal) -> InMemoryAnswer {
        let old = try item(id, of: name)
        let edit: Edit
        do {
            edit = try Edit.merging(try JSONValue(parsing: Array(request.body)), into: old)
        } catch {
            throw Refusal(error)
        }
        return try apply([edit], to: name, request)
    }

    private mutating func remove(
        _ id: String,
        of name: String,
        _ request: InMemoryRequest
    ) throws(Refusal) -> InMemoryAnswer {
        let edit = Edit.remove(try item(id, of: name).id)
        let answer = try apply([edit], to: name, request)
        return request.isDryRun ? answer : .removed
    }

    private func item(_ id: String, of name: String) throws(Refusal) -> FeedItem {
        if let item = try there(name).snapshot.item(ExactString(id)) { return item }
        throw .missing("item \"\(id)\"")
    }

    private mutating func apply(
        _ edits: [Edit],
        to name: String,
        _ request: InMemoryRequest
    ) throws(Refusal) -> InMemoryAnswer {
        let (feed, current) = try there(name)
        try check(request.ifMatch, feed)
        do {
            return publish(try current.applying(edits), feed, request)
        } catch {
            throw Refusal(409, "/problems/conflict", error.reason)
        }
    }
}

/// The steps that all publishes have in common.
extension InMemoryFeeds {
    private func there(_ name: String) throws(Refusal) -> (feed: FeedName, snapshot: Snapshot) {
        guard let feed = FeedName(name), let version = current(feed) else {
            throw .missing("feed \"\(name)\"")
        }
        return (feed, version.snapshot)
    }

    private func check(_ condition: String?, _ feed: FeedName) throws(Refusal) {
        guard let condition else { return }
        let tag = current(feed).map { "\"\($0.token)\"" }
        guard let tag, condition == tag || condition == "*" else {
            throw Refusal(412, "/problems/precondition", "another version is current")
        }
    }

    private mutating func publish(
        _ snapshot: Snapshot,
        _ feed: FeedName,
        _ request: InMemoryRequest
    ) -> InMemoryAnswer {
        var tried = self
        let (old, now, counts) = tried.publish(snapshot, as: feed)
        if !request.isDryRun { self = tried }
        let token = request.isDryRun ? #""dryRun":true"# : #""token":"\#(now.token)""#
        return InMemoryAnswer(published: feed, old?.token, token, old?.token != now.token, counts)
    }

    private func dryRun(_ feed: FeedName, from old: Snapshot, to new: Snapshot) -> InMemoryAnswer {
        let changes = Changes(
            from: ViewedSnapshot(snapshot: old),
            to: ViewedSnapshot(snapshot: new)
        )
        let since = current(feed)?.token
        let counts = changes.counts(from: old)
        return InMemoryAnswer(published: feed, since, #""dryRun":true"#, true, counts)
    }
}

extension InMemoryAnswer {
    fileprivate static var removed: InMemoryAnswer {
        var answer = InMemoryAnswer("".utf8)
        answer.status = 204
        return answer
    }

    fileprivate init(
        published feed: FeedName,
        _ since: Token?,
        _ token: String,
        _ isChanged: Bool,
        _ counts: ChangeCounts
    ) {
        let since = since.map { #""since":"\#($0)","# } ?? ""
        let json = """
            {"kind":"published","feed":"\(feed)",\(since)\(token),"changed":\(isChanged),\
            "items":\(counts.items.json),"sections":\(counts.sections.json)}
            """
        self.init(json.utf8)
    }
}

extension ChangeCounts.Tally {
    fileprivate var json: String {
        """
        {"inserted":\(inserted),"removed":\(removed),"moved":\(moved),"updated":\(updated)}
        """
    }
}
