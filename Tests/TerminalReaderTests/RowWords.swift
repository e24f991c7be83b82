import FeedDiff
import FeedModel
import Foundation
import Testing

@testable import TerminalReader

/// docs/ITEMS.md, "Members of an item": what a row says.
@Suite struct RowWords {
    @Test(arguments: [
        (#"{"id":"1","title":"T","headline":"H"}"#, "T", ""),
        (#"{"id":"1","title":" ","headline":"H","name":"N"}"#, "H", ""),
        (#"{"id":"1","name":"N","text":"x","author":"A"}"#, "N", "A"),
        (#"{"id":"1","title":"\u3164\u200d","author":{"name":"\u200b"}}"#, "1", ""),
        (#"{"id":"1","title":"T","author":{"name":"A","url":"https://a.example/"}}"#, "T", "A"),
        (#"{"id":"1","title":"T","author":{"url":"x"},"published":"2026-01-31"}"#, "T", ""),
        (#"{"id":"1","title":"T","published":"some day"}"#, "T", "some day"),
        (#"{"id":"1","title":"T","authors":[{"url":"x"},{"name":"B"}]}"#, "T", "B"),
        (#"{"id":"1","title":"T","authors":[{"name":"A"},{"name":"B"}]}"#, "T", "A, B"),
        (#"{"id":"1","summary":"S","author":"A"}"#, "S", "A"),
        (#"{"id":"1","content_text":"C","author":"A"}"#, "C", "A"),
        (#"{"id":"1","title":7,"content":"C"}"#, "C", ""), (#"{"id":"1"}"#, "1", ""),
    ])
    func areThoseOfTheMembersThatReadersKnow(
        _ item: String,
        _ title: String,
        _ detail: String
    ) throws {
        let document = Array(#"{"items":[\#(item)]}"#.utf8)
        let snapshot = try Snapshot(publishing: document)
        let words = ItemWords(try #require(snapshot.sections.first?.items.first))
        #expect(words.title == title)
        #expect(words.detail == detail)
    }

    @Test(arguments: [
        (#""published":"2026-01-31T01:02:03Z""#, 1_769_821_323.0, true),
        (#""date_published":"Sat, 31 Jan 2026 01:02:03 GMT","value":7"#, 1_769_821_323, false),
        (#""updated":"2026-01-31T01:02:03Z","value":" ""#, 1_769_821_323, false),
        (#""published":"2026-01-31T02:02:03+01:00","value":null"#, 1_769_821_323, true),
        (#""published":"some day""#, nil, true), (#""published":"","value":"7 %""#, nil, false),
    ])
    func haveATimeAndTellWhatIsNews(_ members: String, _ time: Double?, _ isNews: Bool) throws {
        let document = Array(#"{"items":[{"id":"1",\#(members)}]}"#.utf8)
        let snapshot = try Snapshot(publishing: document)
        let words = ItemWords(try #require(snapshot.sections.first?.items.first))
        #expect(words.date?.timeIntervalSince1970 == time)
        #expect(words.isNews == isNews)
    }

    @Test(arguments: [
        ("https://a.example/", "https://a.example/"), ("javascript:x", nil), ("/a", nil),
    ])
    func leadToPagesAlone(_ url: String, _ link: String?) throws {
        let document = Array(#"{"items":[{"id":"1","url":"\#(url)"}]}"#.utf8)
        let snapshot = try Snapshot(publishing: document)
        let words = ItemWords(try #require(snapshot.sections.first?.items.first))
        #expect(words.link == link)
    }
}
