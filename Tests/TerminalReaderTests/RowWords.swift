import FeedDiff
import FeedModel
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
        (
            #"{"id":"1","title":"T","author":{"url":"x"},"published":"2026-01-31"}"#, "T",
            "2026-01-31"
        ),
        (#"{"id":"1","title":"T","authors":[{"url":"x"},{"name":"B"}]}"#, "T", "B"),
        (#"{"id":"1","title":"T","date_published":"2026-01-31"}"#, "T", "2026-01-31"),
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
        let snapshot = try FeedDocument(parsing: document).snapshot
        let words = ItemWords(try #require(snapshot.sections.first?.items.first))
        #expect(words.title == title)
        #expect(words.detail == detail)
    }

    @Test(arguments: [
        ("https://a.example/", "https://a.example/"), ("javascript:x", nil), ("/a", nil),
    ])
    func leadToPagesAlone(_ url: String, _ link: String?) throws {
        let document = Array(#"{"items":[{"id":"1","url":"\#(url)"}]}"#.utf8)
        let snapshot = try FeedDocument(parsing: document).snapshot
        let words = ItemWords(try #require(snapshot.sections.first?.items.first))
        #expect(words.link == link)
    }
}
