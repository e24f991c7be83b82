import FeedModel
import TestSupport
import Testing

@testable import FeedDiff

/// A patch of a feed comes to what it comes to as a patch of the feed's document.
@Suite struct PatchesOfFeeds {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func patchesOfFeedsAreThoseOfTheirDocuments(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            let feed = Self.valid(try DiffSamples.feed(&generator))
            var operations: [String] = []
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                operations.append(Self.operation(feed, &generator))
            }
            try Self.check("[\(operations.joined(separator: ","))]", of: feed)
        }
    }

    @Test(
        arguments: [
            // What only the end makes a feed again.
            #"{"op":"remove","path":"/sections/0/items/0/id"},"#
                + #"{"op":"add","path":"/sections/0/items/0/id","value":"z"}"#,
            #"{"op":"add","path":"/sections/1/items/0","value":{"id":"a"}},"#
                + #"{"op":"remove","path":"/sections/0/items/0"}"#,
            #"{"op":"move","from":"/sections/0/items/0","path":"/sections/1/items/-"}"#,
            #"{"op":"move","from":"/sections/0/items/0","path":"/sections/0/items/1"}"#,
            #"{"op":"move","from":"/sections/0/items/0","path":"/sections/0/items/2"}"#,
            #"{"op":"move","from":"/sections/0","path":"/sections/1"}"#,
            #"{"op":"move","from":"/sections/0","path":"/sections/0/items/0"}"#,
            #"{"op":"move","from":"/sections/0/items/0/n","path":"/n"}"#,
            #"{"op":"copy","from":"/sections/0/items/0","path":"/sections/0/items/0"}"#,
            #"{"op":"test","path":"/sections/0/items/0/n","value":2}"#,
            #"{"op":"test","path":"/sections/0/items/0/n","value":1}"#,
            #"{"op":"remove","path":"/sections/9"}"#,
            #"{"op":"replace","path":"/sections/0/items/0/n/x","value":1}"#,
            #"{"op":"add","path":"/sections/0/items/0/n/x","value":1}"#,
            #"{"op":"replace","path":"/none","value":1}"#,
            #"{"op":"remove","path":"/none"}"#,
            #"{"op":"add","path":"/title","value":1}"#,
            #"{"op":"add","path":"/sections/0/title","value":null}"#,
            #"{"op":"add","path":"/maxAge","value":-1}"#,
            #"{"op":"add","path":"/sections/0/count","value":7}"#,
            #"{"op":"replace","path":"/sections/0/id","value":"other"}"#,
            #"{"op":"replace","path":"/sections/0/id","value":"s"}"#,
            #"{"op":"replace","path":"/sections/0/id","value":"t"}"#,
            #"{"op":"add","path":"/sections/1/id","value":"u"}"#,
            #"{"op":"replace","path":"/sections/0/id","value":7}"#,
            #"{"op":"replace","path":"/sections/0/id","value":""}"#,
            #"{"op":"remove","path":"/sections/0/id"}"#,
            #"{"op":"add","path":"/sections/0/id/x","value":1}"#,
            #"{"op":"test","path":"/sections/0/id","value":"s"}"#,
            #"{"op":"test","path":"/sections/0/id","value":"t"}"#,
            #"{"op":"copy","from":"/sections/0/id","path":"/n"}"#,
            #"{"op":"move","from":"/sections/0/id","path":"/sections/1/id"}"#,
            #"{"op":"replace","path":"/sections/0/id","value":"t"},"#
                + #"{"op":"replace","path":"/sections/1/id","value":"s"}"#,
            #"{"op":"replace","path":"/sections/0/id","value":"u"},"#
                + #"{"op":"move","from":"/sections/0/items/0","path":"/sections/1/items/-"}"#,
            #"{"op":"add","path":"/sections/-","value":{"id":"u","items":[{"id":"q"}]}}"#,
            #"{"op":"add","path":"/sections/-","value":{"id":"u","items":[{"id":"a"}]}}"#,
            #"{"op":"add","path":"/sections/-","value":{"items":[]}}"#,
            // Sections without a list, or with a number.
            #"{"op":"add","path":"/sections/-","value":{"id":"u"}},"#
                + #"{"op":"add","path":"/sections/2/items/-","value":{"id":"q"}}"#,
            #"{"op":"add","path":"/sections/0","value":{"id":"u"}},"#
                + #"{"op":"move","from":"/sections/1/items/0","path":"/sections/0/items/0"}"#,
            #"{"op":"add","path":"/sections/0","value":{"id":"u"}},"#
                + #"{"op":"replace","path":"/sections/0/items","value":[]}"#,
            #"{"op":"add","path":"/sections/0","value":{"id":"u"}},"#
                + #"{"op":"add","path":"/sections/0/items","value":[{"id":"q"}]},"#
                + #"{"op":"add","path":"/sections/0/items/-","value":{"id":"r"}}"#,
            #"{"op":"add","path":"/sections/0","value":{"id":"u"}},"#
                + #"{"op":"test","path":"/sections/0","value":{"id":"u","items":[]}}"#,
            #"{"op":"add","path":"/sections/0","value":{"id":"u"}},"#
                + #"{"op":"test","path":"/sections/0/items","value":[]}"#,
            #"{"op":"replace","path":"/sections/1","value":{"id":"t"}},"#
                + #"{"op":"test","path":"/sections","value":[{"id":"s","items":"#
                + #"[{"id":"a","n":1},{"id":"b"}]},{"id":"t","items":[]}]}"#,
            #"{"op":"replace","path":"/sections/1","value":{"id":"t"}},"#
                + #"{"op":"test","path":"","value":{"title":"T","sections":[{"id":"s","items":"#
                + #"[{"id":"a","n":1},{"id":"b"}]},{"id":"t","items":[]}]}}"#,
            #"{"op":"replace","path":"/sections/1","value":{"id":"t"}},"#
                + #"{"op":"move","from":"/sections/1","path":"/sections/0"},"#
                + #"{"op":"add","path":"/sections/0/items/0","value":{"id":"q"}}"#,
            #"{"op":"replace","path":"/sections/1","value":{"id":"t"}},"#
                + #"{"op":"remove","path":"/sections/1"},"#
                + #"{"op":"add","path":"/sections/1","value":{"id":"t","items":[]}},"#
                + #"{"op":"add","path":"/sections/1/items/0","value":{"id":"q"}}"#,
            #"{"op":"add","path":"/sections/0","value":{"id":"u","items":[],"count":7}},"#
                + #"{"op":"test","path":"/sections/0/count","value":7}"#,
            #"{"op":"replace","path":"/sections/0/items","value":[]}"#,
            #"{"op":"replace","path":"/sections/0","value":{"id":"s","items":[{"id":"b"}]}}"#,
            #"{"op":"replace","path":"/sections/0","value":{"id":"u","items":[{"id":"c"}]}}"#,
            #"{"op":"replace","path":"/sections/1","value":{"id":"s","items":[]}}"#,
            #"{"op":"replace","path":"/sections/1","value":{"id":"t","title":7}}"#,
            #"{"op":"replace","path":"","value":{"items":[]}}"#,
            #"{"op":"replace","path":"","value":{"items":[]}},"#
                + #"{"op":"add","path":"/items/-","value":{"id":"q"}}"#,
            #"{"op":"replace","path":"","value":{"sections":[{"id":"n"}]}},"#
                + #"{"op":"add","path":"/sections/0/items/-","value":{"id":"q"}}"#,
            #"{"op":"replace","path":"","value":{"sections":[],"count":1}},"#
                + #"{"op":"test","path":"/count","value":1}"#,
            #"{"op":"replace","path":"","value":{"title":1,"sections":[]}}"#,
            #"{"op":"add","path":"","value":{"sections":[{"id":"n","items":[{"id":"a"}]}]}},"#
                + #"{"op":"remove","path":"/sections/0/items/0"}"#,
            #"{"op":"replace","path":"/sections","value":[{"id":"n","items":[{"id":"a"}]}]},"#
                + #"{"op":"move","from":"/sections/0/items/0","path":"/x"}"#,
            #"{"op":"replace","path":"/sections","value":7}"#,
            #"{"op":"replace","path":"/sections/1/items","value":[{"id":"c"},{"id":"d"}]},"#
                + #"{"op":"test","path":"/sections/1/title","value":"Two"}"#,
            #"{"op":"replace","path":"/sections/1/items","value":[{"id":"a"}]}"#,
            #"{"op":"replace","path":"/sections/1/items","value":7}"#,
            #"{"op":"replace","path":"/sections/9/items","value":[]}"#,
            #"{"op":"test","path":"/sections/1","value":"#
                + #"{"title":"Two","id":"t","items":[{"id":"c"}]}}"#,
            #"{"op":"add","path":"/count","value":1},{"op":"test","path":"/count","value":1}"#,
            #"{"op":"add","path":"/sections/0/items/1/id","value":"a"}"#,
            #"{"op":"add","path":"/sections/0/items/0/kind","value":1}"#,
        ] as [String]
    )
    func patchesOfFeedsAreThoseOfTheirDocumentsInCornersToo(_ operations: String) throws {
        let json = #"""
            {"title":"T","sections":[{"id":"s","items":[{"id":"a","n":1},{"id":"b"}]},
              {"id":"t","title":"Two","items":[{"id":"c"}]}]}
            """#
        let feed = try Snapshot(publishing: Array(json.utf8))
        try Self.check("[\(operations)]", of: feed)
    }

    /// Common patches are not worth a look at all of a feed.
    @Test(
        arguments: [
            #"{"op":"replace","path":"/sections/0/items/0/n","value":2}"#,
            #"{"op":"remove","path":"/sections/0/items/0"}"#,
            #"{"op":"add","path":"/sections/0/items/-","value":{"id":"z"}}"#,
            #"{"op":"move","from":"/sections/0/items/0","path":"/sections/0/items/1"}"#,
            #"{"op":"add","path":"/title","value":"U"}"#,
            #"{"op":"test","path":"/sections/0/items/0","value":{"n":1,"id":"a"}}"#,
            #"{"op":"test","path":"/sections/0/id","value":"s"}"#,
            #"{"op":"add","path":"/sections/0","value":{"id":"t","items":[]}},"#
                + #"{"op":"move","from":"/sections/0","path":"/sections/1"},"#
                + #"{"op":"move","from":"/sections/0/items/0","path":"/sections/1/items/0"},"#
                + #"{"op":"remove","path":"/sections/0"}"#,
        ]
    )
    func patchesOfFeedsDoNotNeedTheDocument(_ operation: String) throws {
        let feed = try DiffSamples.feed(["s": ["a", "b"]]).snapshot
        var given = feed
        given.sections[0].items[0] = try FeedItem(parsing: Array(#"{"id":"a","n":1}"#.utf8))
        let patch = try JSONPatch(parsing: Array("[\(operation)]".utf8))
        #expect(try patch.applied(to: given) != nil)
    }

    /// Nor is what leads to nothing.
    @Test(
        arguments: [
            #"{"op":"remove","path":"/items/0"}"#, #"{"op":"add","path":"/items/0","value":1}"#,
            #"{"op":"remove","path":"/nothing"}"#, #"{"op":"replace","path":"/count","value":1}"#,
            #"{"op":"remove","path":"/sections/0/nothing"}"#,
            #"{"op":"test","path":"/sections/0/count","value":2}"#,
            #"{"op":"copy","from":"/collate","path":"/x"}"#,
        ]
    )
    func patchesOfFeedsFailWithoutTheDocument(_ operation: String) throws {
        let feed = try DiffSamples.feed(["s": ["a", "b"]]).snapshot
        let patch = try JSONPatch(parsing: Array("[\(operation)]".utf8))
        let thrown = #expect(throws: JSONPatch.Failure.self) { try patch.applied(to: feed) }
        let failure = try #require(thrown)
        #expect(throws: failure) { try patch.applied(to: feed.tree) }
    }

    /// What is about more of a feed than may be taken apart is refused before that is done.
    @Test(
        arguments: [
            #"{"op":"copy","from":"","path":"/x"}"#,
            #"{"op":"copy","from":"/sections","path":"/x"}"#,
            #"{"op":"move","from":"/sections","path":"/x"}"#,
            #"{"op":"copy","from":"/sections/0/items/0","path":"/x"}"#,
        ]
    )
    func whatPatchesTakeApartIsLimited(_ operation: String) throws {
        let feed = try DiffSamples.feed(["s": ["a", "b"]]).snapshot
        let harmless = #"{"op":"add","path":"/title","value":"U"}"#
        let patch = try JSONPatch(parsing: Array("[\(harmless),\(operation)]".utf8))
        let whole = feed.itemByteCount
        #expect(throws: JSONPatch.Failure.tooMuchRead(index: 1, byteLimit: 100)) {
            let item = #"{"id":"a","x":"\#(String(repeating: "x", count: 100))"}"#
            var feed = feed
            feed.sections[0].items[0] = try FeedItem(parsing: Array(item.utf8))
            _ = try patch.applied(to: feed, byteLimit: 100)
        }
        #expect(whole < 1000)
        #expect(throws: Never.self) {
            do throws(JSONPatch.Failure) {
                _ = try patch.applied(to: feed, byteLimit: 1000)
            } catch {
                guard case .tooMuchRead = error else { return }
                throw error
            }
        }
    }

    private static func check(_ json: String, of feed: Snapshot) throws {
        let patch = try JSONPatch(parsing: Array(json.utf8))
        let whole: Result<JSONValue, any Error> = Result { try patch.applied(to: feed.tree) }
        let result: Result<Snapshot?, any Error> = Result { try patch.applied(to: feed) }
        switch (whole, result) {
        case (.success(let tree), .success(let snapshot?)):
            let document = try Snapshot(publishing: tree)
            #expect(snapshot.tree == document.tree, "\(json)")
            #expect(snapshot.order == document.order)
            for id in document.sections.flatMap({ $0.items.map(\.id) }) {
                #expect(snapshot.item(id) != nil)
            }
        case (.failure(let error), .failure(let other)):
            #expect(error as? JSONPatch.Failure == other as? JSONPatch.Failure)
        case (_, .success(nil)): break
        default: Issue.record("\(json) gives \(whole) and \(result)")
        }
    }

    /// Without titles, which the samples have of any kind.
    private static func valid(_ feed: Snapshot) -> Snapshot {
        var feed = feed
        feed.members = feed.members.applying(.init(unset: ["title"]))
        for position in feed.sections.indices {
            let members = feed.sections[position].members.applying(.init(unset: ["title"]))
            feed.setMembers(members, ofSection: position)
        }
        return feed
    }

    private static func operation(
        _ feed: Snapshot,
        _ generator: inout SeededGenerator
    ) -> String {
        let path = path(feed, &generator)
        switch Int.random(in: 0..<7, using: &generator) {
        case 0, 1: return #"{"op":"add","path":"\#(path)","value":\#(value(path, &generator))}"#
        case 2: return #"{"op":"remove","path":"\#(path)"}"#
        case 3:
            return #"{"op":"replace","path":"\#(path)","value":\#(value(path, &generator))}"#
        case 4, 5:
            let from = self.path(feed, &generator)
            let name = Bool.random(using: &generator) ? "move" : "copy"
            return #"{"op":"\#(name)","from":"\#(from)","path":"\#(path)"}"#
        default: return #"{"op":"test","path":"\#(path)","value":\#(value(path, &generator))}"#
        }
    }

    private static func path(_ feed: Snapshot, _ generator: inout SeededGenerator) -> String {
        let section = Int.random(in: 0...feed.sections.count, using: &generator)
        let count = section < feed.sections.count ? feed.sections[section].items.count : 0
        let row = Int.random(in: 0...count, using: &generator)
        let index = Int.random(in: 0..<9, using: &generator) == 0 ? "-" : "\(row)"
        let item = "/sections/\(section)/items/\(index)"
        let paths = [
            item, item, item, "\(item)/v", "\(item)/v", "\(item)/id", "\(item)/o/p",
            "/sections/\(section)", "/sections/\(section)/id", "/sections/\(section)/title",
            "/title", "/badge", "/badge/0",
        ]
        return paths.randomElement(using: &generator) ?? ""
    }

    private static func value(_ path: String, _ generator: inout SeededGenerator) -> String {
        let id = Int.random(in: 0..<30, using: &generator)
        let values = [
            #"{"id":"x\#(id)","v":1}"#, #"{"id":"x\#(id)","v":{"p":[]}}"#, "1", #""text""#,
            #"{"id":"y\#(id)","items":[{"id":"z\#(id)"}]}"#, #"["a",{"b":1}]"#,
            #"{"id":"w\#(id)"}"#,
        ]
        return values.randomElement(using: &generator) ?? "1"
    }
}

@Suite struct WorkOfPatches {
    @Test func theWorkOfPatchesHasALimit() throws {
        let list = JSONValue.array(Array(repeating: .null, count: 800))
        try Self.check(list, Array(repeating: #"{"op":"add","path":"/0","value":1}"#, count: 10))
    }

    /// Names that are alike for long, all of which are looked at.
    @Test func growsWithNames() throws {
        let name = String(repeating: "n", count: 72)
        let entries = (0..<10).map { number in
            JSONValue.Entry(name: ExactString("\(number)\(name)"), value: .null)
        }
        let operation = #"{"op":"test","path":"/9\#(name)","value":null}"#
        try Self.check(.object(entries), Array(repeating: operation, count: 10))
    }

    @Test func growsWithWhatGoesDeeper() throws {
        let list = JSONValue.array(Array(repeating: .null, count: 200))
        let document = JSONValue.object([
            JSONValue.Entry(name: "a", value: list),
            JSONValue.Entry(name: "b", value: .object([])),
        ])
        let moves = [
            #"{"op":"move","from":"/a","path":"/b/a"}"#,
            #"{"op":"move","from":"/b/a","path":"/a"}"#,
        ]
        try Self.check(document, Array(repeating: moves, count: 5).flatMap(\.self))
    }

    /// Operations of about 100 steps each, ten of them.
    private static func check(_ document: JSONValue, _ operations: [String]) throws {
        let json = "[\(operations.joined(separator: ","))]"
        let patch = try JSONPatch(parsing: Array(json.utf8))
        #expect(try patch.applied(to: document, workLimit: 2000) != .null)
        do throws(JSONPatch.Failure) {
            _ = try patch.applied(to: document, workLimit: 500)
            Issue.record("no limit")
        } catch {
            guard case .tooMuchWork(let index) = error else { throw error }
            #expect(3...5 ~= index)
        }
    }
}
