import FeedDiff
import FeedFormats
import FeedModel
import FeedSources
import FeedStore
import HTTPServer
import HTTPTypes
import TestSupport
import Testing

@testable import freshet

/// docs/SOURCES.md, "Sources".
@Suite struct SourceReading {
    private func file(_ source: String) throws -> ConfigurationFile {
        try ConfigurationFile(parsing: Array("feeds: {news: {source: \(source)}}".utf8))
    }

    private func issues(_ source: String) -> [String] {
        do throws(ConfigurationIssues) {
            let text = "feeds: {news: {source: \(source)}}"
            _ = try ConfigurationFile(parsing: Array(text.utf8))
            return []
        } catch {
            return error.list.map { $0.line(file: "f") }
        }
    }

    private let url = "url: 'https://a.example/feed'"

    @Test func readsWhatItemsMustBeLikeAndAProxy() throws {
        let proxy = "proxy: 'http://me:secret@proxy.example:3128'"
        let file = try file("{\(url), where: {tags: {contains: swift}}, \(proxy)}")
        let source = try #require(file.settings.contents.sources.first)
        let tags = try #require(MemberPath("tags"))
        #expect(source.condition == .contains(tags, .text("swift")))
        #expect(source.proxy == "http://me:secret@proxy.example:3128")
        #expect(file.hasSecrets)
        #expect(try !self.file("{\(url), proxy: 'http://proxy.example:3128'}").hasSecrets)
        #expect(try self.file("{\(url), headers: {Accept: text/x}}").hasSecrets)
    }

    @Test(arguments: [
        ("proxy: proxy.example", "proxy: must be an address such as http://"),
        ("where: {}", "where: must be conditions"), ("where: {a: {b: 1}}", "where.a"),
        ("headers-file: /nowhere/fields", "headers-file: cannot be read: /nowhere/fields: No such"),
        ("headers-file: ''", "headers-file: has no value"),
    ])
    func saysWhatIsWrong(_ setting: String, _ reason: String) {
        let found = issues("{\(url), \(setting)}")
        #expect(found.count == 1 && found.first?.contains(reason) == true, "\(found)")
    }

    @Test func certificatesAreReadBeforeTheyCount() throws {
        let folder = try TemporaryFolder()
        let certificate = TestCertificate.ecdsa.files.certificate
        let file = try file("{\(url), cacert: '\(certificate)'}")
        let source = try #require(file.settings.contents.sources.first)
        #expect(source.authorities == certificate)
        try folder.write("none", to: "none.pem")
        for (path, reason) in [
            (folder.path("none.pem"), "there is no certificate in PEM in it"),
            ("/nowhere/ca.pem", "No such file"), (folder.path(""), "directory"),
        ] {
            let found = issues("{\(url), cacert: '\(path)'}")
            #expect(found.count == 1, "\(found)")
            #expect(found.first?.contains("cacert: cannot be used: \(path)") == true, "\(found)")
            #expect(found.first?.contains(reason) == true, "\(found)")
        }
    }

    /// `fetch --config FILE --feed NAME`.
    @Test func aCommandFetchesTheSourceOfAFeedWithItsOptions() throws {
        let folder = try TemporaryFolder()
        let text = """
            feeds:
              news:
                source: {\(url), title: Mine, headers: {X-Key: k}, allow-private: true, keep: 30d}
              short: {source: 'https://b.example/'}
              all: {derive: {from: [news, short]}}
            """
        try folder.write(text, to: "freshet.yaml")
        let path = folder.path("freshet.yaml")
        let expected = try ConfigurationFile(parsing: Array(text.utf8)).settings.contents.sources
        #expect(try FetchCommand.settings(of: "news", in: path) == expected[0])
        #expect(try FetchCommand.settings(of: "short", in: path) == expected[1])
        for feed in ["all", "none", ""] {
            #expect(throws: CommandFailure.self) { try FetchCommand.settings(of: feed, in: path) }
        }
        try folder.write("feeds: {news: {source: x}}", to: "freshet.yaml")
        #expect(throws: CommandFailure.self) { try FetchCommand.settings(of: "news", in: path) }
    }

    @Test(arguments: [
        ("http://a.example/b c?d e", true), ("http://a b.example/", false),
        ("http://me:a b@a.example/", false),
    ])
    func aPathMayHaveSpaces(_ address: String, _ isFine: Bool) {
        #expect(issues("{url: '\(address)'}").isEmpty == isFine)
        #expect(issues("'\(address)'").isEmpty == isFine)
    }

    @Test(arguments: [
        "http://[::1", "http://[x]/", "http://[::1]x/", "http://a.example:/x:y", "http://a:99999/",
        "http://a:b/", "http://:80/", "http://a:0",
    ])
    func anAddressHasAHostAndAPort(_ address: String) {
        let isFine = address == "http://a.example:/x:y"
        #expect(issues("{url: '\(address)'}").isEmpty == isFine)
        #expect(issues("'\(address)'").isEmpty == isFine)
    }

    @Test(arguments: [
        "http://[::1]:80/", "http://me:x@a.example:8080/?x", "https://a.example",
        "http://1.2.3.4:1",
    ])
    func anAddressMayHaveAllItsParts(_ address: String) {
        #expect(issues("{url: '\(address)'}") == [])
    }

    @Test(arguments: [
        ("{every: 1h}", "needs one of url and file"),
        ("{url: 'https://a.example', file: a}", "has url and file, of which it can have one"),
    ])
    func aSourceIsAnAddressOrAFile(_ source: String, _ reason: String) {
        let found = issues(source)
        #expect(found.count == 1 && found.first?.hasSuffix(reason) == true)
    }

    @Test func aPointerWithoutTokensLeadsToTheWholeDocument() throws {
        let source = try file("{\(url), items: '', members: {id: /id}}").settings.contents.sources
            .first
        #expect(source?.mapping?.items == JSONPointer(""))
        #expect(issues("{\(url), items: , members: {id: /id}}").count == 1)
    }

    @Test func fieldsComeFromAFileToo() throws {
        let folder = try TemporaryFolder()
        try folder.write("# mine\nCookie: a=b; c=d \r\n\nX-Key:  k\n", to: "fields")
        let path = folder.path("fields")
        let file = try file("{\(url), headers: {Accept-Language: de}, headers-file: '\(path)'}")
        let fields = try #require(file.settings.contents.sources.first?.fields)
        #expect(
            fields.map { "\($0.name.rawName)=\($0.value)" } == [
                "Accept-Language=de", "Cookie=a=b; c=d", "X-Key=k",
            ]
        )
        #expect(file.headerFiles == [path])
        #expect(try !self.file("{\(url), headers-file: '\(path)'}").hasSecrets)
    }

    /// Neither is a matter of how it is written.
    @Test(arguments: ["Host", "content-length"])
    func fieldsOfTheServersOwnAreNamed(_ name: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("Cookie: a\n\(name): hidden\n", to: "fields")
        let path = folder.path("fields")
        let words = "is a field that the server sets itself"
        let found = issues("{\(url), headers-file: '\(path)'}")
        #expect(found.count == 1 && found.first?.hasSuffix("line 2 of \(path) \(words)") == true)
        let own = issues("{\(url), headers: {\(name): a}}")
        #expect(own.first?.hasSuffix("headers.\(name): \(words)") == true)
    }

    @Test(arguments: ["no colon", ": x", "a b: c", "X: \u{7}"])
    func aLineOfAFileIsNotShown(_ line: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("Cookie: a\n\(line)\n", to: "fields")
        let path = folder.path("fields")
        let found = issues("{\(url), headers-file: '\(path)'}")
        #expect(found.first?.hasSuffix("line 2 of \(path) is no field as \"Name: value\"") == true)
        #expect(found.first?.contains(line) != true)
    }
}

/// docs/OPERATIONS.md, "Kept versions".
@Suite struct RetentionReading {
    private func read(_ text: String) throws(ConfigurationIssues) -> FeedRules<Retention> {
        try ConfigurationFile(parsing: Array(text.utf8)).settings.contents.retention
    }

    @Test func readsNumbersAndTimesByNameAndPattern() throws {
        let retention = try read(
            """
            feeds:
              news: {keep-versions: 100}
              "sports-*": {keep-versions: 30d, guard: 50%}
              wire: {source: "https://a.example/", keep-versions: 10000}
              "*": {keep-versions: 12h}
            """
        )
        #expect(retention[try #require(FeedName("news"))] == .count(100))
        #expect(retention[try #require(FeedName("sports-a"))] == .age(30 * 86_400))
        #expect(retention[try #require(FeedName("wire"))] == .count(10_000))
        #expect(retention[try #require(FeedName("other"))] == .age(12 * 3600))
    }

    @Test(arguments: ["0", "10001", "-1", "+5", "5s", "1.5d", "d", "all", "0d"])
    func refuses(_ value: String) {
        #expect(throws: ConfigurationIssues.self) {
            _ = try read("feeds: {news: {keep-versions: \"\(value)\"}}")
        }
    }

    @Test(arguments: [
        ("data: memory\nfeeds: {news: {keep-versions: 5}}", true),
        ("mirror: https://a.example\nmirror-key: k\nfeeds: {news: {keep-versions: 5}}", true),
        ("data: some-folder\nfeeds: {news: {keep-versions: 5}}", false),
        ("data: memory\nfeeds: {news: {guard: 5}}", false),
    ])
    func saysWhereItHasNoEffect(_ text: String, isSaid: Bool) throws {
        let file = try ConfigurationFile(parsing: Array(text.utf8))
        let settings = try ServeSettings(
            [:],
            Environment(),
            file,
            folderExists: { _ in true }
        )
        #expect((settings.retentionWarning != nil) == isSaid)
    }
}

/// docs/OPERATIONS.md, "Guards".
@Suite struct GuardReading {
    private func read(_ text: String) throws(ConfigurationIssues) -> FeedRules<RemovalGuard> {
        try ConfigurationFile(parsing: Array(text.utf8)).settings.contents.guards
    }

    @Test func readsSharesAndNumbersByNameAndPattern() throws {
        let guards = try read(
            """
            feeds:
              news: {guard: 50%}
              "sports-*": {guard: 100}
              wire: {source: "https://a.example/", guard: 100%}
              "*": {guard: 0}
            """
        )
        #expect(guards[try #require(FeedName("news"))] == .percent(50))
        #expect(guards[try #require(FeedName("sports-a"))] == .count(100))
        #expect(guards[try #require(FeedName("wire"))] == .percent(100))
        #expect(guards[try #require(FeedName("other"))] == .count(0))
    }

    @Test(arguments: ["0%", "101%", "-1", "+5", "50 %", "half", "1.5", "%", "99999999999999999999"])
    func refuses(_ value: String) {
        #expect(throws: ConfigurationIssues.self) {
            _ = try read("feeds: {news: {guard: \"\(value)\"}}")
        }
    }

    @Test(arguments: [
        "feeds: {\"a-*\": {source: \"https://a.example/\"}}",
        "feeds: {\"a-*\": {derive: {from: b}}}", "feeds: {\"A*\": {guard: 1}}",
        "feeds: {\"a*.json\": {guard: 1}}", "feeds: {news: {gaurd: 1}}",
    ])
    func refusesWhatAPatternCannotHave(_ text: String) {
        #expect(throws: ConfigurationIssues.self) { _ = try read(text) }
    }
}
