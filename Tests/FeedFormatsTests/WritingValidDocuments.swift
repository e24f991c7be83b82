import FeedModel
import Testing

@testable import FeedFormats

/// What goes out is valid, whatever members an item has: RFC 4287, RSS 2.0, JSON Feed 1.1.
@Suite struct WritingValidDocuments {
    private static func written(
        _ format: SyndicationFormat,
        _ item: String,
        _ members: String = "",
        _ change: (inout SyndicatedFeed.Options) -> Void = { _ in }
    ) throws -> String {
        let document = "{\(members)\"items\":[{\"id\":\"a\",\(item)}]}"
        let snapshot = try Snapshot(parsing: Array(document.utf8))
        var options = SyndicatedFeed.Options(name: "news")
        change(&options)
        let feed = SyndicatedFeed(snapshot, options, changed: 1_700_000_000)
        return String(decoding: feed.document(format), as: UTF8.self)
    }

    @Test(arguments: [
        (#"https://e.example/a b|c"#, "https://e.example/a%20b%7Cc"),
        (#"https://e.example/<i>\\{x}`^"#, "https://e.example/%3Ci%3E%5C%7Bx%7D%60%5E"),
        (#"https://e.example/100%?q=%41%4"#, "https://e.example/100%25?q=%41%254"),
        ("https://é.example/ü", "https://xn--9ca.example/%C3%BC"),
        ("https://日本.example:8080/?ü", "https://xn--wgv71a.example:8080/?%C3%BC"),
        ("https://e.example/a[1]?b[]={c}", "https://e.example/a%5B1%5D?b%5B%5D=%7Bc%7D"),
        (" https://e.example/\\n", "https://e.example/"),
    ])
    func escapesWhatNoAddressHas(_ address: String, _ expected: String) throws {
        let item = "\"url\":\"\(address)\",\"image\":\"\(address)\""
        #expect(try Self.written(.atom, item).contains("rel=\"alternate\" href=\"\(expected)\""))
        #expect(try Self.written(.rss, item).contains("<link>\(expected)</link>"))
        let json = try Self.written(.jsonFeed, item).replacing("\\/", with: "/")
        #expect(json.contains("\"url\":\"\(expected)\""))
        #expect(json.contains("\"image\":\"\(expected)\""))
    }

    @Test(arguments: [
        "https://", "ftp://e.example/", "//e.example/", "https://a b/", "x", "http:/a",
    ])
    func leavesOutWhatIsNoAddress(_ address: String) throws {
        let item = "\"url\":\"\(address)\",\"attachments\":[{\"url\":\"\(address)\"}]"
        for format in SyndicationFormat.allCases {
            let text = try Self.written(format, item)
            #expect(!text.contains("enclosure") && !text.contains("attachments"))
            #expect(!text.contains("alternate") && !text.contains("\"url\""))
        }
    }

    /// Relative addresses in HTML are relative to the item's page, or to the feed's (XML Base).
    @Test(arguments: [("content_html", true), ("content", false)])
    func saysWhatAddressesAreRelativeTo(_ member: String, _ isHTML: Bool) throws {
        let item = "\"\(member)\":\"<a href=b>x</a>\""
        let page = ",\"url\":\"https://e.example/p\""
        for (item, base) in [(item, "https://f.example/"), (item + page, "https://e.example/p")] {
            let members = "\"url\":\"https://f.example/\","
            let atom = try Self.written(.atom, item, members)
            #expect(atom.contains("<entry xml:base=\"\(base)\">") == isHTML)
            let rss = try Self.written(.rss, item, members)
            #expect(rss.contains("<item xml:base=\"\(base)\">") == isHTML)
            #expect(atom.contains("xml:base") == isHTML && rss.contains("xml:base") == isHTML)
        }
        #expect(try !Self.written(.atom, item).contains("xml:base"))
    }

    @Test(arguments: [
        ("urn:x", true), ("tag:a,2024:é", true), ("urn:", false), ("urn:a[1]", false),
        ("urn:{x}", false), ("urn:a b", false), ("x", false),
    ])
    func keepsIDsThatAreURIs(_ guid: String, _ isKept: Bool) throws {
        var options = SyndicatedFeed.Options(name: "news")
        options.keepsIDs = true
        let document = "{\"items\":[{\"id\":\"\(guid)\"}]}"
        let snapshot = try Snapshot(parsing: Array(document.utf8))
        let feed = SyndicatedFeed(snapshot, options, changed: 0)
        let atom = String(decoding: feed.document(.atom), as: UTF8.self)
        #expect(atom.contains("<id>\(guid)</id>") == isKept)
    }

    @Test(arguments: [
        ("en", "en"), ("pt_BR", "pt-BR"), ("zh-Hant-TW", "zh-Hant-TW"), (" de ", "de"),
    ])
    func writesTagsOfLanguages(_ language: String, _ tag: String) throws {
        let members = "\"language\":\"\(language)\","
        #expect(
            try Self.written(.atom, "\"language\":\"\(language)\"", members)
                .contains("<entry xml:lang=\"\(tag)\">")
        )
        #expect(try Self.written(.rss, "\"x\":1", members).contains("<language>\(tag)</language>"))
        #expect(
            try Self.written(.jsonFeed, "\"x\":1", members).contains("\"language\":\"\(tag)\"")
        )
    }

    @Test(arguments: ["English (US)", "", "-", "en-", "123", "éé", "verylonglanguage"])
    func leavesOutWhatIsNoLanguage(_ language: String) throws {
        for format in SyndicationFormat.allCases {
            let text = try Self.written(
                format,
                "\"language\":\"\(language)\"",
                "\"language\":\"\(language)\","
            )
            #expect(!text.contains("lang"))
        }
    }

    @Test func leavesOutWhatIsNoFactOfAFile() throws {
        let item = """
            "attachments":[{"url":"https://e.example/a","mime_type":"audio","size_in_bytes":-1,
              "duration_in_seconds":-5}]
            """
        let atom = try Self.written(.atom, item)
        #expect(atom.contains("<link rel=\"enclosure\" href=\"https://e.example/a\"/>"))
        let rss = try Self.written(.rss, item)
        #expect(rss.contains("length=\"0\" type=\"application/octet-stream\""))
        // A type is not left out of JSON Feed.
        let json = try Self.written(.jsonFeed, item)
        #expect(json.contains(#""mime_type":"application/octet-stream"}"#))
    }

    @Test func writesNoEmptyNames() throws {
        let item = #""author":" ","authors":["\n",{"name":"\t"}],"tags":[" ","x"],"title":" ""#
        let atom = try Self.written(.atom, item, #""title":" ","#)
        #expect(atom.contains("<title>news</title>"))
        #expect(atom.ranges(of: "<name>").count == 1)
        #expect(atom.ranges(of: "<category").count == 1)
        let rss = try Self.written(.rss, item, #""title":"","description":" ","#)
        #expect(rss.contains("<description>news</description>"))
        #expect(rss.contains("<link>tag:freshet,2026:news</link>"))
        #expect(!rss.contains("dc:creator"))
        #expect(rss.ranges(of: "<category>").count == 1)
    }

    @Test(arguments: ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
    func leavesOutTimesThatFormatsCannotSay(_ time: String) throws {
        for format in SyndicationFormat.allCases {
            let text = try Self.written(format, "\"published\":\"\(time)\",\"updated\":\"\(time)\"")
            #expect(!text.contains("0000-") && !text.contains("10000"))
        }
    }

    @Test func keepsLineEnds() throws {
        let item =
            #""content":"a\r\nb\tc","tags":["x"],"attachments":[{"url":"https://e.example/","title":"p\tq\nr"}]"#
        let atom = try Self.written(.atom, item)
        #expect(atom.contains("a&#13;\nb\tc"))
        #expect(atom.contains("title=\"p&#9;q&#10;r\""))
        #expect(!atom.contains("\u{FFFD}"))
        let entry = try #require(try FeedReader().read(Array(atom.utf8)).entries.first)
        #expect(entry.content?.contains("a") == true)
    }

    @Test func aGuidCountsOnlyWhereItsIDIsItsDigest() throws {
        let long = "urn:" + String(repeating: "x", count: 300)
        let items = [
            ("\(EntryID.digest(long))", long, long), ("first", "urn:later", nil),
            ("urn:first", "urn:later", "urn:first"),
        ]
        for (id, guid, expected) in items {
            let document = "{\"items\":[{\"id\":\"\(id)\",\"guid\":\"\(guid)\"}]}"
            var options = SyndicatedFeed.Options(name: "news")
            options.keepsIDs = true
            let snapshot = try Snapshot(parsing: Array(document.utf8))
            let feed = SyndicatedFeed(snapshot, options, changed: 0)
            let atom = String(decoding: feed.document(.atom), as: UTF8.self)
            #expect(atom.contains("<id>\(expected ?? "tag:freshet,2026:news/\(id)")</id>"))
            let rss = String(decoding: feed.document(.rss), as: UTF8.self)
            #expect(rss.contains(">\(expected ?? id)</guid>"))
        }
    }
}
