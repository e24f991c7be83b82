import FeedModel
import Foundation
import TestSupport
import Testing

@testable import FeedDiff

@Suite struct DocumentsOfTheProtocol {
    private let encoder: DocumentEncoder
    private let token = Token(epoch: "q7x2m5kd", version: 42)
    private let since = Token(epoch: "q7x2m5kd", version: 41)

    init() throws {
        encoder = DocumentEncoder(feed: try #require(FeedName("news")))
    }

    private func feed(_ json: String) throws -> Snapshot {
        try Snapshot(publishing: Array(json.utf8))
    }

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    @Test func snapshotIsAsInTheExample() throws {
        let feed = try feed(
            """
            {"title": "News", "sections": [{"title": "Today", "id": "today", "items":
            [{"id": "a1", "kind": "story", "headline": "…"}, {"id": "a2"}]}]}
            """
        )
        #expect(
            text(encoder.snapshot(FeedView()(feed), token: token, reason: "expired")) == """
                {"kind":"snapshot","feed":"news","token":"q7x2m5kd.42","reason":"expired",\
                "title":"News","count":2,"order":"\(hex("#today\n a1\n a2\n"))",\
                "sections":[{"id":"today","title":"Today","count":2,"items":\
                [{"id":"a1","kind":"story","headline":"…"},{"id":"a2"}]}]}
                """
        )
        #expect(
            text(encoder.snapshot(FeedView(limit: 1)(feed), token: token)) == """
                {"kind":"snapshot","feed":"news","token":"q7x2m5kd.42",\
                "title":"News","count":1,"order":"\(hex("#today\n a1\n"))","total":2,\
                "sections":[{"id":"today","title":"Today","count":2,"items":\
                [{"id":"a1","kind":"story","headline":"…"}]}]}
                """
        )
    }

    @Test func emptyFeedHasAnEmptyCheck() {
        #expect(
            text(encoder.snapshot(FeedView()(Snapshot()), token: token)) == """
                {"kind":"snapshot","feed":"news","token":"q7x2m5kd.42","count":0,\
                "order":"00000000","sections":[]}
                """
        )
    }

    @Test func changesAreAsInTheExample() throws {
        let old = try feed(
            """
            {"badge":1,"sections":[{"id":"old"},{"id":"today","badge":1,"items":[{"id":"a1"},
            {"id":"a9","draft":true},{"id":"a7"}]},{"id":"week"},{"id":"x"}]}
            """
        )
        let new = try feed(
            """
            {"title":"News","sections":[{"id":"now","title":"Now","items":[{"id":"b1"}]},
            {"id":"x"},{"id":"today","title":"Today","items":[{"id":"a9","likes":3}]},
            {"id":"week","items":[{"id":"a7"}]}]}
            """
        )
        let changes = Changes(from: FeedView()(old), to: FeedView()(new))
        let object = """
            {"feed":{"set":{"title":"News"},"unset":["badge"]},\
            "sections":{"remove":["old"],\
            "insert":[{"index":0,"section":{"id":"now","title":"Now"}}],\
            "move":[{"index":1,"id":"x"}],\
            "update":[{"id":"today","set":{"title":"Today"},"unset":["badge"]}]},\
            "items":{"remove":["a1"],\
            "insert":[{"section":"now","index":0,"item":{"id":"b1"}}],\
            "move":[{"section":"week","index":0,"id":"a7"}],\
            "update":[{"id":"a9","set":{"likes":3},"unset":["draft"]}]}}
            """
        #expect(text(encoder.object(changes)) == object)
        let order = hex("#now\n b1\n#x\n#today\n a9\n#week\n a7\n")
        #expect(
            text(encoder.changes(changes, since: since, token: token, now: FeedView()(new))) == """
                {"kind":"changes","feed":"news","since":"q7x2m5kd.41","token":"q7x2m5kd.42",\
                "count":3,"order":"\(order)","changes":\(object)}
                """
        )
    }

    @Test func changesOfNothingAreAnEmptyObject() throws {
        let feed = try feed(#"{"items":[{"id":"a"}]}"#)
        let view = FeedView(limit: 0)
        let changes = Changes(from: view(feed), to: view(feed))
        #expect(text(encoder.object(changes)) == "{}")
        #expect(
            text(encoder.changes(changes, since: since, token: token, now: view(feed))) == """
                {"kind":"changes","feed":"news","since":"q7x2m5kd.41","token":"q7x2m5kd.42",\
                "count":0,"order":"\(hex("#main\n"))","total":1,"changes":{}}
                """
        )
    }

    @Test func unchangedHasTheChecksAndNoMembers() throws {
        let feed = try feed(#"{"title":"T","items":[{"id":"a"}]}"#)
        #expect(
            text(encoder.unchanged(token: token, now: FeedView()(feed))) == """
                {"kind":"unchanged","feed":"news","token":"q7x2m5kd.42","count":1,\
                "order":"\(hex("#main\n a\n"))"}
                """
        )
        #expect(
            text(encoder.unchanged(token: token, now: FeedView(sections: [])(feed)))
                == """
                {"kind":"unchanged","feed":"news","token":"q7x2m5kd.42","count":0,\
                "order":"00000000","total":1}
                """
        )
    }

    /// The first items, written as they are found, make the document that a view of them makes.
    @Test(arguments: [0, 1, 7, 40, 700], 0..<4)
    func theFirstItemsAreWrittenAsAViewOfThemIs(_ sectionCount: Int, _ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var number = 0
        let sections = (0..<sectionCount).map { section in
            let count = [0, 1, 2, 50].randomElement(using: &random) ?? 0
            let items = (0..<count).map { _ in
                number += 1
                return FeedItem(id: ExactString("i\(number)"), json: JSONText(string: "x"))
            }
            return FeedSection(id: ExactString("s\(section)"), items: items)
        }
        let feed = Snapshot(sections: sections)
        let around = [0, 1, feed.count - 1, feed.count, feed.count + 1].map { max(0, $0) }
        let limits = around + (0..<20).map { _ in Int.random(in: 0...feed.count, using: &random) }
        for limit in limits {
            let view = FeedView(limit: limit)
            let viewed = view(feed)
            let copy = ViewedSnapshot(
                snapshot: viewed.snapshot,
                fullCounts: viewed.fullCounts,
                total: viewed.total
            )
            #expect(viewed.count == copy.count && viewed.order == copy.order)
            #expect(viewed.itemByteCount == copy.itemByteCount)
            let document = encoder.snapshot(viewed, token: token)
            #expect(document == encoder.snapshot(copy, token: token))
        }
    }

    /// However much longer the first sections are than the others.
    @Test func noMuchMoreRoomIsMadeThanTheFeedTakes() {
        func section(_ number: Int, _ byteCount: Int) -> FeedSection {
            let text = JSONText(string: String(repeating: "x", count: byteCount))
            let members = Members([Member(name: "m", value: text)])
            return FeedSection(id: ExactString("s\(number)"), members: members)
        }
        let feed = Snapshot(sections: (0..<20_000).map { section($0, $0 < 1_024 ? 4_000 : 0) })
        let document = encoder.snapshot(FeedView()(feed), token: token)
        #expect(document.capacity < 2 * feed.memoryByteCount)
    }

    /// An array that grows would take twice the bytes for as long as the document is cached.
    @Test func longMembersOfAFeedHaveRoomFromTheStart() throws {
        let text = String(repeating: "x", count: 2_000)
        let items = (0..<1_000).map { #"{"id":"\#($0)","title":"Some title"}"# }
            .joined(separator: ",")
        let feed = try feed(#"{"text":"\#(text)","sections":[{"id":"s","items":[\#(items)]}]}"#)
        let document = encoder.snapshot(FeedView()(feed), token: token)
        #expect(document.capacity < document.count + document.count / 8)
    }

    @Test func sectionStandsAloneWithoutItems() throws {
        let section = try feed(#"{"sections":[{"t":[1],"id":"s\"","items":[{"id":"a"}]}]}"#)
            .sections[0]
        #expect(text(encoder.section(section, count: 7)) == #"{"id":"s\"","t":[1],"count":7}"#)
        #expect(text(encoder.section(section, count: nil)) == #"{"id":"s\"","t":[1]}"#)
    }

    @Test func documentOfAPutReadsBackTheSame() throws {
        let json = #"{"a\"b":[1.10],"sections":[{"id":"é","t":null,"items":[{"id":"a"}]}]}"#
        let document = encoder.document(FeedView()(try feed(json)))
        #expect(text(document) == json)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func snapshotSentBackIsTheSameFeed(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let feed = try DiffSamples.feed(&generator).titled()
            let document = encoder.snapshot(FeedView()(feed), token: token, reason: "epoch")
            let object = try DiffNaiveClient.object(document)
            #expect(object["kind"] as? String == "snapshot")
            #expect(object["reason"] as? String == "epoch")
            #expect(object["count"] as? Int == feed.count)
            let read = try Snapshot(publishing: document)
            #expect(read.tree == feed.tree)
            let put = try Snapshot(publishing: encoder.document(FeedView()(feed)))
            #expect(put.tree == feed.tree)
        }
    }

    private func hex(_ lines: String) -> String {
        String(format: "%08x", naiveCRC32(lines.utf8))
    }
}

extension Snapshot {
    /// The same with titles that a PUT takes: strings, or none.
    fileprivate func titled() -> Snapshot {
        var copy = self
        copy.members = members.titled()
        for index in sections.indices {
            copy.sections[index].members = sections[index].members.titled()
        }
        return copy
    }
}

extension Members {
    fileprivate func titled() -> Members {
        Members(list.filter { $0.name != "title" || $0.value.stringValue != nil })
    }
}
