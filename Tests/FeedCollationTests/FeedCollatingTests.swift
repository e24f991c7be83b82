import FeedDiff
import FeedModel
import TestSupport
import Testing

@testable import FeedCollation

@Suite struct CollatingFeeds {
    private func items(_ documents: String...) throws -> [FeedItem] {
        try documents.map { try FeedItem(parsing: Array($0.utf8)) }
    }

    private func outline(_ sections: some Sequence<FeedSection>) -> [String] {
        sections.map { section in
            "\(section.id): \(section.items.map(\.id.string).joined(separator: " "))"
        }
    }

    @Test func groupsByAMember() throws {
        let items = try items(
            #"{"id":"1","name":"Zoe"}"#,
            #"{"id":"2","name":"\u00c4rger"}"#,
            #"{"id":"3","n\u0061me":"adam"}"#,
            #"{"id":"4","name":7}"#,
            #"{"id":"5"}"#,
            #"{"id":"6","name":null}"#,
            #"{"name":"\ud83d\ude00","id":"7"}"#,
            #"{"id":"8","name":""}"#,
            #"{"id":"9","name":["a"]}"#,
            #"{"id":"10","Name":"a"}"#
        )
        let collation = try #require(IndexedCollation(locale: "de"))
        let sections = collation.collate(items, by: "name")
        #expect(outline(sections) == ["A: 3 2", "Z: 1", "#: 8 7 4 5 6 9 10"])
        for section in sections {
            #expect(section.members.list.map(\.name) == ["title", "index"])
            #expect(section.members["title"]?.stringValue == section.id.string)
            #expect(section.members["index"]?.stringValue == section.id.string)
        }
    }

    @Test func comparesMembersNamesAsTheyAre() throws {
        let items = try items(#"{"id":"1","é":"a"}"#, "{\"id\":\"2\",\"e\u{301}\":\"b\"}")
        let collation = try #require(IndexedCollation(locale: "fr"))
        #expect(outline(collation.collate(items, by: "é")) == ["A: 1", "#: 2"])
        #expect(outline(collation.collate(items, by: "e\u{301}")) == ["B: 2", "#: 1"])
    }

    @Test func aFeedOfNothingHasNoSections() throws {
        let collation = try #require(IndexedCollation(locale: "fr"))
        #expect(collation.collate([], by: "name").isEmpty)
    }

    @Test func putsWhatWasInsertedAtTheEndAfterItsTies() throws {
        let collation = try #require(IndexedCollation(locale: "ko"))
        var snapshot = Snapshot(
            members: Members([Member(name: "title", value: JSONText(string: "사람"))]),
            sections: collation.collate(
                try items(#"{"id":"1","n":"가"}"#, #"{"id":"2","n":"나"}"#, #"{"id":"3","n":"b"}"#),
                by: "n"
            )
        )
        snapshot.sections[2].items += try items(#"{"id":"4","n":"가"}"#)
        snapshot = collation.recollate(snapshot, by: "n")
        #expect(outline(snapshot.sections) == ["ㄱ: 1 4", "ㄴ: 2", "B: 3"])
        #expect(snapshot.members["title"]?.stringValue == "사람")
        #expect(
            collation.recollate(snapshot, by: "n").sections.map(\.items)
                == snapshot.sections.map(\.items)
        )
    }

    @Test func followsTheFeedsOwnMember() throws {
        let document = #"""
            {"title": "Names", "collate": {"by": "name", "locale": "sv"},
             "items": [{"id": "1", "name": "Örn"}, {"id": "2", "name": "Ada"}]}
            """#
        let feed = try Snapshot(publishing: Array(document.utf8))
        #expect(feed.collate?.by == "name")
        #expect(feed.collate?.locale == "sv")
        let collation = try #require(IndexedCollation(locale: "sv"))
        let collated = collation.recollate(feed, by: "name")
        #expect(outline(collated.sections) == ["A: 2", "Ö: 1"])
        #expect(collated.members == feed.members)
    }

    @Test(arguments: [
        "{}", #"{"collate":null}"#, #"{"collate":{"by":"name"}}"#, #"{"collate":{"locale":"en"}}"#,
        #"{"collate":{"by":"name","locale":7}}"#, #"{"collate":{"by":"name","locale":"xx"}}"#,
    ])
    func leavesFeedsAloneThatAreNotCollated(_ members: String) throws {
        let list = try #require(JSONValue(parsing: Array(members.utf8)).entries).map {
            Member(name: $0.name, value: $0.value.text)
        }
        let snapshot = Snapshot(members: Members(list), sections: [])
        let collation = snapshot.collate.flatMap { IndexedCollation(locale: $0.locale) }
        #expect(collation == nil)
    }
}
