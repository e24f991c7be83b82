import FeedDiff
import FeedModel
import TestSupport
import Testing

@testable import FeedAPI

/// The pages of the protocol: every example is what the server says.
@Suite(.timeLimit(.minutes(2))) struct ProtocolExamples {
    @Test func everyBlockIsTried() throws {
        #expect(throws: Never.self) { try ProtocolDocument.published.get() }
        #expect(ProtocolDocument.examples.count > 10)
    }

    @Test(arguments: ProtocolDocument.examples)
    func theServerSaysWhatThePagesShow(_ title: String) async throws {
        let document = try ProtocolDocument.published.get()
        let chapter = try #require(document.chapters.first { $0.title == title })
        let replay = try ExampleReplay(document)
        for step in chapter.steps { try await replay.perform(step) }
    }

    @Test func orderChecksAreOverTheLinesShown() throws {
        let checks = try ProtocolDocument.published.get().orderChecks
        #expect(checks.count > 2)
        for check in checks {
            let digits = String(naiveCRC32(check.text.utf8), radix: 16)
            let zeros = String(repeating: "0", count: 8 - digits.count)
            #expect(zeros + digits == check.check, "\(check.place)")
        }
    }

    /// Those who write a client test it by this example.
    @Test func theWorkedExampleLeadsFromOneVersionToTheNext() throws {
        let (before, delta, after) = try (
            document("state birds 1"), document("changes birds 1 2"), document("state birds 2")
        )
        guard case .snapshot(let old) = before.content, case .snapshot(let new) = after.content,
            case .changes(let changes, let since) = delta.content, let token = after.token
        else {
            Issue.record("not a snapshot, changes and a snapshot")
            return
        }
        #expect(since == before.token)
        #expect(delta.token == token)
        #expect(before.check == ServedDocument.Check(of: old))
        #expect(after.check == ServedDocument.Check(of: new))
        let result = try old.applying(changes)
        #expect(delta.check == ServedDocument.Check(of: result))
        let feed = try #require(FeedName("birds"))
        let encoder = DocumentEncoder(feed: feed)
        #expect(
            TestJSON(encoder.snapshot(FeedView()(result), token: token)) == TestJSON(after.json)
        )
        #expect(Changes(from: FeedView()(old), to: FeedView()(new)) == changes)
    }

    @Test func aClientThatKnowsOnlyThePagesComesToTheSame() throws {
        let before = try #require(TestJSON(document("state birds 1").json))
        let delta = try #require(TestJSON(document("changes birds 1 2").json))
        let after = try #require(TestJSON(document("state birds 2").json))
        var feed = NaiveFeed(document: before)
        #expect(feed.order == before["order"]?.string)
        feed.apply(try #require(delta["changes"]))
        #expect(feed == NaiveFeed(document: after))
        #expect(feed.order == delta["order"]?.string)
        #expect(feed.itemIDs.count == delta["count"]?.int)
    }

    /// Views come to what is checked too, which is of the view alone.
    @Test(arguments: [
        ("state birds 1", "changes birds 1 2"), ("state birds-top 2", "changes birds-top 2 3"),
    ])
    func changesShownComeToTheirCheck(_ state: String, _ changes: String) throws {
        let (before, delta) = try (document(state), document(changes))
        guard case .snapshot(let old) = before.content,
            case .changes(let changes, _) = delta.content
        else {
            Issue.record("not a snapshot and changes")
            return
        }
        #expect(before.check == ServedDocument.Check(of: old))
        #expect(delta.check == ServedDocument.Check(of: try old.applying(changes)))
    }

    private func document(_ name: String) throws -> ServedDocument {
        let text = try #require(ProtocolDocument.published.get().documents[name])
        return try ServedDocument(parsing: Array(text.utf8))
    }
}

/// What keeps the pages from having examples that nobody tries.
@Suite struct ProtocolDocumentReading {
    @Test(arguments: [
        "```json\n{}\n```", "```http\nGET /feeds/a\n```",
        "```http\nGET /events\n```\n```json\n{}\n```",
        "```http\nGET /feeds/a\n```\n```json\n{]\n```",
        "```http\nGET /feeds/a\n```\n```text\nid: 1\n```",
        "```http\nGET\n```", "```yaml\na: b\n```", "<!-- order: 00000000 -->", "<!-- stat: 200 -->",
        "```http\nGET /a\n```\n```http\nGET /b\n```\n```json\n{}\n```", "```text\nfree\n```",
        "```http\nGET /a\n```\n```json\n{}\n```\n```json\n{}\n```", "<!-- given: birds -->",
        "```http\nGET /a\n```\n```json\n[\(ProtocolDocumentReading.epochs)]\n```",
    ])
    func refuses(_ text: String) {
        #expect(throws: ProtocolDocument.Fault.self) {
            try ProtocolDocument(parsing: [("page", "# A chapter\n" + text)])
        }
    }

    static let epochs = """
        {"feed":"a","token":"aaaaaaaa.1"},{"feed":"a","token":"bbbbbbbb.1"}
        """

    @Test(arguments: [
        "README.md", "docs/ARCHITECTURE.md", "docs/CONFORMANCE.md", "docs/INSTALL.md",
        "docs/ITEMS.md", "docs/OPERATIONS.md", "docs/PERFORMANCE.md", "docs/PROTOCOL.md",
        "docs/PUBLISHING.md", "docs/README.md", "docs/READING.md", "docs/SCALE.md",
        "docs/SECURITY.md", "docs/SOURCES.md", "docs/STABILITY.md", "docs/SWIFT.md",
        "docs/TOKENS.md", "docs/UI.md", "docs/WEB.md",
    ])
    func linksLeadToHeadings(_ path: String) throws {
        let text = try ProtocolDocument.text(of: path)
        let folder = path.hasPrefix("docs/") ? "docs/" : ""
        for link in text.matches(of: /\]\((?<page>[A-Za-z\/.]*\.md)?#(?<heading>[^)]+)\)/) {
            let page = link.page.map { folder + $0 } ?? path
            let target = page.replacing("docs/../", with: "")
            let headings = anchors(of: try ProtocolDocument.text(of: target))
            #expect(headings.contains(String(link.heading)), "\(path): \(link.0)")
        }
    }

    /// The names by which links lead to the headings and marks of a page.
    private func anchors(of page: String) -> Set<String> {
        var anchors = Set(page.matches(of: /<a id="([a-z0-9-]+)"/).map { String($0.1) })
        for line in page.split(separator: "\n") where line.hasPrefix("#") {
            let title = line.drop { $0 == "#" || $0 == " " }.lowercased()
            let kept = title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            anchors.insert(kept.replacing(" ", with: "-"))
        }
        return anchors
    }
}
