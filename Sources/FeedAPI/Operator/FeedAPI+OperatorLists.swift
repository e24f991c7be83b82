import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import Platform

/// Makes the lists that the operator's page shows; each document has one page of a list.
extension FeedAPI {
    /// Makes a page of the feeds, each with its memory and the number of connections that wait for
    /// its changes.
    ///
    /// - Parameter completion: Called once, on any thread, with the document.
    func feedsDocument(
        _ list: FeedListQuery,
        _ source: any MetricsSource,
        _ completion: @escaping @Sendable ([UInt8]) -> Void
    ) {
        let found = list.feeds(of: store, matching: [.all]) { _ in true }
        let (page, next) = list.page(of: found, \.feed)
        let topics = service.topics.known(page.map(\.feed))
        source.readers(of: topics.compactMap(\.self)) { counts in
            var counts = counts[...]
            var writer = FeedAPI.listWriter("feeds", total: self.store.feedCount)
            for (version, topic) in zip(page, topics) {
                let readers = topic == nil ? 0 : counts.popFirst() ?? 0
                self.write(version, readers: readers, to: &writer)
            }
            completion(FeedAPI.finish(&writer, next))
        }
    }

    private func write(_ version: Version, readers: Int, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", version.feed.rawValue)
        if let title = version.snapshot.members["title"]?.stringValue {
            writer.member("title", FeedAPI.beginning(of: title))
        }
        writer.member("token", version.token.description)
        writer.member("count", version.count)
        writer.member("changed", CivilDate.rfc3339(Int(version.published)))
        writer.member("versions", store.versionCount(of: version.feed))
        writer.member("readers", readers)
        // The feed may have been deleted meanwhile.
        let cost = store.cost(of: version.feed) ?? FeedCost()
        writer.beginObject("memory")
        writer.member("current", cost.current)
        writer.member("history", cost.history)
        writer.member("responses", cost.attached)
        writer.endObject()
        if access.derived.has(version.feed) { writer.member("derived", true) }
        if let report = configuration.sources?.report(on: version.feed) {
            FeedAPI.write(report, to: &writer)
        }
        writer.endObject()
    }

    /// Returns at most 200 scalars of a title, and "…" if it was longer; a publisher may make it as
    /// long as a body.
    private static func beginning(of title: String) -> String {
        let scalars = title.unicodeScalars.prefix(200)
        return String(scalars) + (scalars.endIndex < title.endIndex ? "…" : "")
    }

    /// Returns a page of the sources, in the order of their feeds' names.
    func sourcesDocument(_ list: FeedListQuery, onlyFailing: Bool) -> [UInt8] {
        let sources = configuration.sources
        let found =
            sources?.page(
                after: list.after,
                prefix: list.prefix,
                limit: list.limit + 1,
                onlyFailing: onlyFailing
            ) ?? []
        let (page, next) = list.page(of: found, \.feed)
        let counts = sources?.counts ?? (all: 0, failing: 0)
        var writer = FeedAPI.listWriter("sources", total: onlyFailing ? counts.failing : counts.all)
        for (feed, report) in page {
            writer.beginObject()
            writer.member("id", feed.rawValue)
            FeedAPI.write(report, to: &writer)
            writer.endObject()
        }
        return FeedAPI.finish(&writer, next)
    }

    /// Returns a page of the keys and signing keys, in the order of the configuration; a key is
    /// shown with its name, if it has one, and the beginning of its digest.
    func keysDocument(_ rows: RowQuery) -> [UInt8] {
        let (keys, signers) = (access.keys, access.signingKeys)
        let total = keys.count + signers.count
        let start = min(rows.offset, total)
        let range = start..<min(start + rows.limit, total)
        var writer = FeedAPI.listWriter("keys", total: total)
        for index in range {
            writer.beginObject()
            if index < keys.count {
                write(keys[index], to: &writer)
            } else {
                write(signers[index - keys.count], to: &writer)
            }
            if let used = access.lastUse(ofKeyAt: index) {
                writer.member("used", CivilDate.rfc3339(used))
            }
            writer.endObject()
        }
        let next = range.upperBound < total ? rows.page(at: range.upperBound) : nil
        return FeedAPI.finish(&writer, next)
    }

    private func write(_ key: AccessKey, to writer: inout JSONWriter) {
        if let name = key.name { writer.member("name", name) }
        writer.member("digest", key.digest.beginning)
        FeedAPI.write(key.rights, to: &writer)
        if key.isAdmin { writer.member("admin", true) }
        if let until = key.until { writer.member("until", CivilDate.rfc3339(Int(until))) }
    }

    private func write(_ key: SigningKey, to writer: inout JSONWriter) {
        writer.member("kid", key.kid)
        writer.member("algorithm", key.algorithm.rawValue)
        FeedAPI.write(key.rights, to: &writer)
    }

    private static func write(_ rights: FeedRights, to writer: inout JSONWriter) {
        let members = [("read", rights.read), ("write", rights.write), ("follow", rights.follow)]
        for (name, patterns) in members where !patterns.isEmpty {
            writer.beginArray(name)
            for pattern in patterns { writer.string(pattern.text) }
            writer.endArray()
        }
    }

    private static func listWriter(_ name: String, total: Int) -> JSONWriter {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", name)
        writer.member("total", total)
        writer.beginArray(name)
        return writer
    }

    private static func finish(_ writer: inout JSONWriter, _ next: String?) -> [UInt8] {
        writer.endArray()
        if let next { writer.member("next", next) }
        writer.endObject()
        return writer.finish()
    }
}
