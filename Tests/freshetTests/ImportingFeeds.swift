import ArgumentParser
import FeedFormats
import FeedModel
import FeedSources
import TestSupport
import Testing

@testable import freshet

/// `freshet import`: what it prints is a configuration.
@Suite struct ImportingFeeds {
    private func sources(_ opml: String, keep: String? = nil) throws -> [SourceSettings] {
        let list = try OPMLDocument(parsing: Array(opml.utf8))
        let lines = ImportCommand.lines(list, keep: keep)
        return try ConfigurationFile(parsing: Array(lines.utf8)).settings.contents.sources
    }

    private func opml(_ outlines: String) -> String {
        "<?xml version='1.0'?><opml version='1.0'><head><title>Mine</title></head>"
            + "<body>\(outlines)</body></opml>"
    }

    @Test func namesFeedsAfterTheirTitles() throws {
        let found = try sources(
            opml(
                """
                <outline text="Tech">
                <outline type="rss" text="The News!" xmlUrl="https://a.example/1"/>
                <outline title="The news" xmlUrl="https://a.example/2"/></outline>
                <outline text="ニュース" xmlUrl="https://b.example/feed"/>
                <outline xmlUrl="https://a.example/1" text="Again"/>
                <outline text="No feed"/><outline xmlUrl="ftp://c.example/" text="Old"/>
                """
            ),
            keep: "30d"
        )
        #expect(found.map(\.feed.rawValue) == ["the-news", "the-news-2", "b-example"])
        #expect(
            found.map(\.location) == [
                .web("https://a.example/1"), .web("https://a.example/2"),
                .web("https://b.example/feed"),
            ]
        )
        #expect(found.map(\.title) == ["The News!", "The news", "ニュース"])
        #expect(found.map(\.keeping) == Array(repeating: .age(30 * 86_400), count: 3))
    }

    /// Each of them would look at all that were made before.
    @Test func numbersFeedsOfOneTitle() throws {
        let outlines = (1...5000).map { "<outline xmlUrl='https://a.example/\($0)' text='a'/>" }
        let list = try OPMLDocument(parsing: Array(opml(outlines.joined()).utf8))
        let lines = ImportCommand.lines(list).split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("  a-") } == 4999)
        #expect(lines.contains("  a-5000:"))
    }

    @Test(
        arguments: [
            "\"quotes\" and \\ back", "a: b # c", "- x", "line\nend\ttab", "null", "{x}", "&amp",
            String(repeating: "long ", count: 100), "...", "🙂",
            "a\u{7F}b\u{9F}c\u{FEFF}d\u{FFFE}",
        ]
    ) func keepsTitlesOfAllKinds(_ title: String) throws {
        let escaped = title.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
            .replacing("\n", with: "&#10;").replacing("\t", with: "&#9;")
        let found = try sources(opml("<outline xmlUrl='https://a.example/' text=\"\(escaped)\"/>"))
        let line = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(found.first?.title == line)
    }

    @Test(arguments: [
        ("https://a.example/a b", "https://a.example/a%20b"),
        ("feed://a.example/x", "http://a.example/x"),
        ("feed:https://a.example/x", "https://a.example/x"),
        ("feeds://a.example/x", "https://a.example/x"),
        ("itpc://a.example/x", "http://a.example/x"),
        ("pcast://a.example/x", "http://a.example/x"),
        ("FEED://a.example/x", "http://a.example/x"),
        ("www.a.example/x", "https://www.a.example/x"),
        (" https://a.example/ ", "https://a.example/"),
    ])
    func takesAddressesAsListsHaveThem(_ address: String, _ expected: String) throws {
        let found = try sources(
            opml("<outline xmlUrl='\(address)'/><outline xmlUrl='https://b.example/'/>")
        )
        #expect(found.map(\.location) == [.web(expected), .web("https://b.example/")])
    }

    @Test func completesRelativeAddresses() throws {
        let list = try OPMLDocument(
            parsing: Array(
                opml("<outline xmlUrl='/feeds/a.atom'/><outline xmlUrl='mailto:a'/>").utf8
            )
        )
        #expect(ImportCommand.lines(list) == "feeds: {}\n")
        let words = try #require(ImportCommand.words(about: list.outlines))
        #expect(words.hasPrefix("2 without an address") && words.contains("1 are relative: --base"))
        #expect(ImportCommand.words(about: []) == nil)
        let lines = ImportCommand.lines(list, base: "http://127.0.0.1:8080")
        let found = try ConfigurationFile(parsing: Array(lines.utf8)).settings.contents.sources
        #expect(found.map(\.location) == [.web("http://127.0.0.1:8080/feeds/a.atom")])
    }

    /// What a list names may be anybody's idea; the server of `--base` is the operator's.
    @Test(arguments: [
        ("/feeds/a.atom", true), ("http://127.0.0.1:8080/b", true), ("http://127.0.0.1:81/", false),
        ("http://169.254.169.254/", false), ("http://localhost/", false),
        ("https://a.example/", false),
    ])
    func allowsPrivateAddressesOfTheBaseAlone(_ address: String, _ isAllowed: Bool) throws {
        let list = try OPMLDocument(parsing: Array(opml("<outline xmlUrl='\(address)'/>").utf8))
        let lines = ImportCommand.lines(list, base: "http://127.0.0.1:8080")
        let found = try ConfigurationFile(parsing: Array(lines.utf8)).settings.contents.sources
        #expect(found.map(\.allowsPrivate) == [isAllowed])
    }

    @Test func namesKeepLettersWithoutTheirMarks() throws {
        let list = try OPMLDocument(
            parsing: Array(
                opml("<outline xmlUrl='https://a.example/' text='Übersicht &amp; Café'/>").utf8
            )
        )
        #expect(ImportCommand.lines(list).hasPrefix("feeds:\n  ubersicht-cafe:\n"))
    }

    @Test(arguments: [
        ("<outline xmlUrl='ftp://a.example/'/>", [String](), CommandFailure.otherStatus),
        ("", [], CommandFailure.otherStatus),
        ("<outline xmlUrl='ftp://a'/>", ["--keep", "a year"], CommandFailure.usageStatus),
        ("<outline xmlUrl='/a'/>", ["--base", "ftp://a"], CommandFailure.usageStatus),
    ])
    func failsWhereNothingCanBeFetched(
        _ outlines: String,
        _ arguments: [String],
        _ status: Int32
    ) throws {
        let folder = try TemporaryFolder()
        try folder.write(opml(outlines), to: "list.opml")
        var command = try ImportCommand.parse([folder.path("list.opml")] + arguments)
        let failure = #expect(throws: CommandFailure.self) { try command.run() }
        #expect(failure?.status == status)
        let name = status == CommandFailure.otherStatus ? "list.opml: " : ""
        #expect(failure?.message.contains(name) == true)
    }

    @Test(arguments: ["123", "true", "null", "1e3", "yes", "0x1F", "2024-01-01", "No"])
    func namesStayNamesInYAML(_ title: String) throws {
        let found = try sources(opml("<outline xmlUrl='https://a.example/' text='\(title)'/>"))
        #expect(found.map(\.feed.rawValue) == [title.lowercased()])
    }

    @Test func namesWhatIsLeftOut() throws {
        let outlines = """
            <outline text="Old" xmlUrl="ftp://a.example/"/><outline text="A" xmlUrl="https://a.example/"/>
            <outline text="B" xmlUrl="https://a.example/"/>
            """
        let list = try OPMLDocument(parsing: Array(opml(outlines).utf8))
        #expect(
            ImportCommand.dropped(list, base: nil) == [
                "left out: “Old” ftp://a.example/",
                "left out, for it is there already: “B” https://a.example/",
            ]
        )
    }

    @Test func foldersBecomeFeedsOfTheirSources() throws {
        let outlines = """
            <outline text="Tech"><outline text="One" xmlUrl="https://a.example/1"/>
            <outline text="Deep"><outline text="Two" xmlUrl="https://a.example/2"/></outline></outline>
            <outline text="One"><outline text="Again" xmlUrl="https://a.example/1"/></outline>
            """
        let list = try OPMLDocument(parsing: Array(opml(outlines).utf8))
        let lines = ImportCommand.lines(list, folders: true)
        #expect(lines.contains("  tech:\n    derive:\n      from: [\"one\", \"two\"]\n"))
        #expect(lines.contains("  deep:\n    derive:\n      from: [\"two\"]\n"))
        #expect(lines.contains("  one-2:\n    derive:\n      from: [\"one\"]\n"))
        let sources = try ConfigurationFile(parsing: Array(lines.utf8)).settings.contents.sources
        #expect(sources.map(\.feed.rawValue) == ["one", "two"])
        #expect(!ImportCommand.lines(list).contains("derive"))
    }

    @Test func makesAnEmptyConfigurationOfAnEmptyList() throws {
        #expect(try sources(opml("")).isEmpty)
    }

    @Test(arguments: ["", "<html></html>", "{}", "<rss version='2.0'/>"])
    func refusesWhatIsNoList(_ text: String) {
        #expect(throws: FeedFormatError.self) { try OPMLDocument(parsing: Array(text.utf8)) }
    }
}
