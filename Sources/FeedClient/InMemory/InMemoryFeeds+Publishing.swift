import FeedDiff
import FeedModel
import Foundation

extension InMemoryFeeds {
    /// Carries out a publish.
    ///
    /// A publish with the idempotency key of an earlier one changes nothing and gets the answer to
    /// the earlier one.
    ///
    /// - Throws: ``InMemoryAnswer`` or `DocumentError` if the publish is refused.
    mutating func publish(_ request: InMemoryRequest) throws -> InMemoryAnswer {
        if let key = request.idempotencyKey, let answer = answers[key] { return answer }
        let feed = FeedName(request.feed)
        let old = feed.flatMap(current)
        guard let feed, old != nil || request.route == "PUT feeds/*" else {
            throw InMemoryAnswer.missing("feed \"\(request.feed)\"")
        }
        let tags = old.map { ["*", "\"\($0.token)\""] } ?? []
        if let condition = request.ifMatch, !tags.contains(condition) {
            let detail = "another version is current"
            throw InMemoryAnswer(refusing: 412, "/problems/precondition", detail)
        }
        var next = self
        let content = try content(after: request, of: old?.snapshot ?? Snapshot())
        let (now, counts) = next.publish(content ?? Snapshot(), as: feed)
        if content == nil { _ = next.remove(feed) }
        var answer = InMemoryAnswer(status: 204)
        if request.isDryRun || !request.route.hasPrefix("DELETE ") {
            answer = published(feed, since: old, now, isDryRun: request.isDryRun, counts)
        }
        guard !request.isDryRun else { return answer }
        self = next
        if let key = request.idempotencyKey { answers[key] = answer }
        return answer
    }

    /// Returns the content that a publish makes of a feed's old content; `nil`: the feed is
    /// removed.
    private func content(
        after request: InMemoryRequest,
        of old: Snapshot
    ) throws -> Snapshot? {
        let edits: [Edit]
        switch request.route {
        case "PUT feeds/*": return try Snapshot(publishing: request.body)
        case "DELETE feeds/*": return nil
        case "PATCH feeds/*": edits = try Edit.list(parsing: request.body)
        default: edits = try itemEdits(request, old)
        }
        do {
            return try old.applying(edits)
        } catch {
            guard request.id.isEmpty, request.route.hasPrefix("PATCH ") else {
                throw InMemoryAnswer(refusing: 409, "/problems/conflict", error.reason)
            }
            let detail = "edits[\(error.index)]: \(error.reason)"
            throw InMemoryAnswer(refusing: 409, "/problems/edit-failed", detail)
        }
    }

    /// Returns the edits that are equivalent to a request about single items.
    private func itemEdits(_ request: InMemoryRequest, _ feed: Snapshot) throws -> [Edit] {
        func present() throws -> FeedItem {
            if let item = feed.item(ExactString(request.id)) { return item }
            throw InMemoryAnswer.missing("item \"\(request.id)\"")
        }
        let section = request.value("section").map { ExactString($0) }
        switch request.route {
        case "POST feeds/*/items":
            let isList = request.body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == 0x5B
            let items =
                isList
                ? try FeedItem.list(parsing: request.body, itemLimit: 1_000_000)
                : [try FeedItem(parsing: request.body)]
            return items.indices.map { index in
                index == 0
                    ? .insert(items[0], section: section, at: request.place)
                    : .insert(items[index], section: nil, at: .after(items[index - 1].id))
            }
        case "PUT feeds/*/items/*":
            let item = try FeedItem(parsing: request.body, id: ExactString(request.id))
            return [.put(item, section: section, at: request.place)]
        case "PATCH feeds/*/items/*":
            return [try .merging(try JSONValue(parsing: request.body), into: try present())]
        case "DELETE feeds/*/items/*": return [.remove(try present().id)]
        default:
            let detail = "a server in memory knows no \(request.route)"
            throw InMemoryAnswer(refusing: 501, "about:blank", detail)
        }
    }

    /// Returns the answer to a publish, or to the dry run of one.
    private func published(
        _ feed: FeedName,
        since old: Version?,
        _ now: Version,
        isDryRun: Bool,
        _ counts: ChangeCounts
    ) -> InMemoryAnswer {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", "published")
        writer.member("feed", feed.rawValue)
        if let old { writer.member("since", old.token.description) }
        if !isDryRun { writer.member("token", now.token.description) }
        writer.member("dryRun", isDryRun)
        writer.member("changed", old?.token != now.token)
        writer.member("items", counts.items)
        writer.member("sections", counts.sections)
        writer.endObject()
        return InMemoryAnswer(body: Data(writer.finish()))
    }
}
