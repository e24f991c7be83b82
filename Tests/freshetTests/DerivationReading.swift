import FeedModel
import FeedSources
import Testing

@testable import freshet

/// docs/SOURCES.md, "Derived feeds".
@Suite struct DerivationReading {
    private func path(_ text: String) throws -> MemberPath { try #require(MemberPath(text)) }

    /// What a configuration says of the feed `all`; `text` is what stands in `derive`.
    private func read(_ text: String) throws -> Derivation {
        let lines = text.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n")
        let file = try ConfigurationFile(
            parsing: Array("feeds:\n  all:\n    derive:\n\(lines)\n".utf8)
        )
        return try #require(file.settings.contents.derivations.first)
    }

    private func condition(_ text: String) throws -> ItemCondition? {
        try read("from: [news]\nwhere: \(text)").condition
    }

    private func issues(_ text: String) -> [String] {
        do throws(ConfigurationIssues) {
            _ = try ConfigurationFile(parsing: Array(text.utf8))
            return []
        } catch {
            return error.list.map { $0.line(file: "f") }
        }
    }

    @Test func readsEverything() throws {
        let derivation = try read(
            """
            from: [news, "sports-*"]
            where: {kind: story}
            sort: published
            descending: true
            limit: 100
            sections: by-source
            title: All
            """
        )
        #expect(derivation.feed.rawValue == "all")
        #expect(derivation.from.map(\.text) == ["news", "sports-*"])
        #expect(try derivation.condition == .equal(path("kind"), [.text("story")]))
        #expect(try derivation.sort == path("published"))
        #expect(derivation.isDescending)
        #expect(derivation.limit == 100)
        #expect(derivation.sections == .bySource)
        #expect(derivation.title == "All")
    }

    @Test func readsSections() throws {
        #expect(try read("from: news").sections == .one)
        #expect(try read("from: news\nsections: by-day").sections == .byDay(path("published")))
        let byDay = "from: news\nsort: at\nsections: by-day"
        #expect(try read(byDay).sections == .byDay(path("at")))
        let at = "from: news\nsections: {by-day: /a/at}"
        #expect(try read(at).sections == .byDay(path("/a/at")))
        let member = "from: news\nsections: {by-member: kind}"
        #expect(try read(member).sections == .byMember(path("kind")))
    }

    @Test func readsConditions() throws {
        let a = try path("a")
        let b = try path("/b/c")
        #expect(try condition("{a: x}") == .equal(a, [.text("x")]))
        let number = try #require(DecimalNumber("1.5"))
        #expect(try condition("{a: 1.50}") == .equal(a, [.number(number)]))
        #expect(try condition("{a: '1'}") == .equal(a, [.text("1")]))
        #expect(try condition("{a: true}") == .equal(a, [.bool(true)]))
        #expect(try condition("{a: null}") == .equal(a, [.nothing]))
        #expect(try condition("{a: nan}") == .equal(a, [.text("nan")]))
        #expect(try condition("{a: [x, 2]}") == .equal(a, [.text("x"), .number(2)]))
        #expect(
            try condition("{a: {contains: x}, /b/c: {after: 3, before: 9}}")
                == .all([.contains(a, .text("x")), .before(b, .number(9)), .after(b, .number(3))])
        )
        #expect(
            try condition("{any: [{a: 1}, {not: {a: 2, all: [{a: 3}]}}]}")
                == .any([
                    .equal(a, [.number(1)]),
                    .not(.all([.equal(a, [.number(2)]), .all([.equal(a, [.number(3)])])])),
                ])
        )
        #expect(
            try condition("{a: {after: 2026-01-31}}") == .after(a, SortKey(text: "2026-01-31"))
        )
    }

    @Test(
        arguments: [
            ("{from: news, sorted: x}", "no such setting; sort is meant?"),
            ("{sort: x}", "needs from, the feeds that it is made of"),
            ("{from: []}", "names no feed"), ("{from: News}", "must be a feed's name"),
            ("{from: news, limit: 0}", "must be a whole number from 1"),
            ("{from: news, descending: true}", "needs sort, or sections by day"),
            ("{from: news, sections: by-week}", "must be by-source, by-day"),
            ("{from: news, sections: {by-day: a, by-member: b}}", "must be one of by-day"),
            ("{from: news, where: x}", "must be conditions"),
            ("{from: news, where: {}}", "must be conditions"),
            ("{from: news, where: {any: {a: 1}}}", "must be a list of conditions"),
            ("{from: news, where: {any: []}}", "has no condition"),
            ("{from: news, where: {a: {equals: 1}}}", "no such setting; equal is meant?"),
            (
                "{from: news, where: {a: {bigger: 1}}}",
                "no such setting; there are equal, contains, before, after"
            ),
            ("{from: news, where: {a: {before: true}}}", "must be a time such as"),
            ("{from: news, where: {a: {contains: [1]}}}", "must be one value"),
            ("{from: news, where: {a: {after: 2026-02-30}}}", "a.after: is no date"),
            ("{from: news, where: {a: {before: 2026-01-31T25:00:00Z}}}", "a.before: is no date"),
            ("{from: news, where: {/a~2: 1}}", "must be any, all, not, or a member's name"),
            ("{from: all}", "a feed cannot be made of itself: \"all\" of \"all\""),
        ]
    ) func refuses(_ text: String, _ reason: String) {
        let found = issues("feeds: {all: {derive: \(text)}}")
        #expect(found.count == 1)
        #expect(found.first?.contains(reason) == true, "\(found)")
    }

    @Test func refusesWhatLiesTooDeep() {
        let deep =
            String(repeating: "{not: ", count: 17) + "{a: 1}" + String(repeating: "}", count: 17)
        let found = issues("feeds: {all: {derive: {from: news, where: \(deep)}}}")
        #expect(found.first?.contains("lies more than 16 deep") == true)
    }

    @Test func refusesWaysRound() {
        let found = issues(
            """
            feeds:
              a: {derive: {from: b}}
              b: {derive: {from: ["*", c]}}
              c: {derive: {from: [a, x]}}
            """
        )
        #expect(found.count == 1)
        #expect(found.first?.contains("\"a\" of \"b\" of \"c\" of \"a\"") == true, "\(found)")
    }

    @Test func refusesASourceBesideIt() {
        let found = issues("feeds: {a: {derive: {from: b}, source: 'https://a.example/'}}")
        #expect(found.first?.contains("has a source and derive") == true)
        #expect(issues("feeds: {a: {}}").first?.contains("none of source, derive, guard") == true)
    }
}

/// docs/SOURCES.md, "Sources".
@Suite struct SourceFileReading {
    private func issue(_ file: String, folder: String?) -> String? {
        let start = folder.map { "source-folder: \($0)\n" } ?? ""
        let text = "\(start)feeds: {a: {source: {file: '\(file)'}}}"
        do throws(ConfigurationIssues) {
            _ = try ConfigurationFile(parsing: Array(text.utf8))
            return nil
        } catch {
            return error.list.first?.reason
        }
    }

    @Test(arguments: ["a.xml", "b/a.xml", "/srv/feeds/a.xml"])
    func takesFilesInTheFolder(_ file: String) {
        #expect(issue(file, folder: "/srv/feeds") == nil)
        #expect(issue(file, folder: "/srv/feeds/") == nil)
        #expect(issue(file, folder: nil)?.contains("needs source-folder") == true)
    }

    @Test(arguments: [
        "/etc/passwd", "../a.xml", "b/../../a.xml", ".hidden", "/srv/feedsx/a", "b//a",
    ])
    func refusesOthers(_ file: String) {
        #expect(issue(file, folder: "/srv/feeds")?.contains("must be a file in") == true)
    }
}
