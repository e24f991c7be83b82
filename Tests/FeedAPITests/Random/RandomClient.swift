import FeedModel
import TestSupport
import Testing

/// A client that keeps one view of a feed up to date, however long it was away.
struct RandomClient {
    let sections: Set<ExactString>?
    let limit: Int?
    private var token: String?
    private var state = NaiveFeed()
    /// Full numbers of items, as the view tells them.
    private var counts: [ExactString: Int] = [:]

    init(sections: Set<ExactString>? = nil, limit: Int? = nil) {
        self.sections = sections
        self.limit = limit
    }

    private var isWhole: Bool { sections == nil && limit == nil }

    private var query: String {
        let parts = (sections ?? []).map { "section=\($0)" } + (limit.map { ["limit=\($0)"] } ?? [])
        return parts.joined(separator: "&")
    }

    /// Asks what is new and checks that it then holds what is there.
    ///
    /// - Returns: The kind of document that came.
    mutating func refresh(
        _ api: API,
        _ feed: NaiveFeed,
        _ current: String,
        coding: String
    ) async throws -> String {
        let target = "/feeds/news?" + query + (token.map { "&since=\($0)" } ?? "")
        let answer = try await api.get(target, ["Accept-Encoding": coding])
        try #require(answer.status == 200, "\(answer.text)")
        let coded = answer["Content-Encoding"]
        #expect(coded == nil || coded == coding)
        let body = coded == nil ? answer.body : try #require(gunzip(answer.body))
        #expect(answer["ETag"] == "\"\(current)\(coded.map { "-" + $0 } ?? "")\"")
        let document = try #require(TestJSON(body))
        let expected = feed.viewed(sections: sections, limit: limit)
        let kind = document["kind"]?.string ?? ""
        switch kind {
        case "snapshot": take(document)
        case "unchanged": #expect(token == current)
        case "changes":
            let plain = try await api.get("/feeds/news?" + query).body.count
            #expect(body.count <= plain)
            #expect(document["since"]?.string == token)
            let changes = try #require(document["changes"])
            FewestChanges(old: state, new: expected, changes: changes).check()
            state.apply(changes)
            count(changes)
        default: Issue.record("a document of kind \(kind)")
        }
        check(document, feed, expected)
        token = document["token"]?.string
        #expect(token == current)
        return kind
    }

    private mutating func take(_ document: TestJSON) {
        state = NaiveFeed(document: document)
        counts = [:]
        for section in document["sections"]?.list ?? [] {
            counts[section["id"]?.text ?? ""] = section["count"]?.int
        }
    }

    /// Follows the full counts of a view's sections.
    private mutating func count(_ changes: TestJSON) {
        guard !isWhole else { return }
        for id in (changes["sections"]?["remove"]?.list ?? []).compactMap(\.text) {
            counts[id] = nil
        }
        for insertion in changes["sections"]?["insert"]?.list ?? [] {
            counts[insertion["section"]?["id"]?.text ?? ""] = insertion["section"]?["count"]?.int
        }
        for update in changes["sections"]?["update"]?.list ?? [] {
            guard let count = update["count"]?.int else { continue }
            #expect(counts[update["id"]?.text ?? ""] != count)
            counts[update["id"]?.text ?? ""] = count
        }
    }

    private func check(_ document: TestJSON, _ feed: NaiveFeed, _ expected: NaiveFeed) {
        #expect(state == expected)
        #expect(document["count"]?.int == expected.itemIDs.count)
        #expect(document["order"]?.string == expected.order)
        #expect(document["total"]?.int == (isWhole ? nil : feed.itemIDs.count))
        guard !isWhole else { return }
        let full = feed.sections.map { ($0.id, $0.items.count) }
            .filter { sections?.contains($0.0) ?? true }
        #expect(counts == Dictionary(uniqueKeysWithValues: full))
    }
}
