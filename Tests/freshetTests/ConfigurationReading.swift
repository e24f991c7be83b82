import FeedAPI
import FeedModel
import Foundation
import HTTPServer
import HTTPWire
import Logging
import Testing

@testable import freshet

/// docs/OPERATIONS.md, "The configuration file".
@Suite struct ConfigurationReading {
    static let digest = String(repeating: "1a", count: 32)

    static let everything = """
        host: 0.0.0.0
        port: "8080"
        public: web
        loops: 2
        demo: yes
        history: 64MiB
        memory-limit: 2GiB
        log-format: json
        log-level: debug
        access-log: true
        open-feeds: [news, "sports-*"]
        allowed-origins: ["https://a.example", "http://localhost:3000"]
        allowed-headers: [X-App-Version, x-session]
        keys:
          - name: newsroom
            digest: \(Self.digest.uppercased())
            read: sports-1
            write: [news, "wire-*"]
        limits:
          body-size: 1MiB
          feed-items: 1000
          connections: 500
          target-size: 4KiB
          head-size: 16384
          head-fields: 50
          head-timeout: 5s
          idle-timeout: 2m
          progress-timeout: 1500ms
          stop-timeout: 0s
        """

    @Test(arguments: ["", "\u{feff}"]) func readsEverything(_ mark: String) throws {
        let file = try read(mark + Self.everything)
        #expect(file.settings.host == "0.0.0.0")
        #expect(file.settings.port == 8080)
        #expect(file.settings.publicFolder == "web")
        #expect(file.settings.loops == 2)
        #expect(file.settings.servesDemo == true)
        #expect(file.settings.historyByteLimit == 64 << 20)
        #expect(file.settings.memoryByteLimit == 2 << 30)
        #expect(file.settings.logFormat == .json)
        #expect(file.settings.logLevel == .debug)
        #expect(file.settings.writesAccessLog == true)
        #expect(file.settings.api.openFeeds.map(\.text) == ["news", "sports-*"])
        #expect(file.settings.api.origins == .list(["https://a.example", "http://localhost:3000"]))
        #expect(file.settings.api.allowedFields == ["X-App-Version", "x-session"])
        let key = try #require(file.settings.api.keys.first)
        #expect(key.digest.bytes == [UInt8](repeating: 0x1A, count: 32))
        #expect(key.name == "newsroom")
        #expect(key.rights.read.map(\.text) == ["sports-1"])
        #expect(key.rights.write.map(\.text) == ["news", "wire-*"])
        #expect(file.settings.api.bodyByteLimit == 1 << 20)
        #expect(file.settings.limits.head.headByteLimit == 16384)
        #expect(file.settings.limits.idleTime == .seconds(120))
        #expect(file.settings.limits.progressTime == .milliseconds(1500))
        #expect(file.settings.stopTime == .zero)
        #expect(file.warnings.isEmpty)
    }

    /// The example that operators copy from, and the tables beside it.
    @Test func readsTheExampleOfTheDocumentation() throws {
        let path = #filePath.replacing("Tests/freshetTests/ConfigurationReading.swift", with: "")
        let page = try String(contentsOfFile: path + "docs/OPERATIONS.md", encoding: .utf8)
        let parts = page.split(separator: "```", omittingEmptySubsequences: false)
        let example = try #require(parts.first { $0.hasPrefix("yaml\n") }).dropFirst(5)
        let file = try read(String(example))
        #expect(file.warnings.isEmpty)
        #expect(file.settings.api.keys.count == 2)
    }

    @Test(arguments: ["", "# nothing\n", "---\n", "~"])
    func takesAnEmptyFileForNoSettings(_ text: String) throws {
        let file = try read(text)
        #expect(file.places.isEmpty)
        let usual = ServeSettings()
        #expect(ServeSetting.all.allSatisfy { $0.isSame(file.settings, usual) })
    }

    @Test(arguments: [("all", ["*"]), ("none", []), ("[all]", ["all"])])
    func readsWhoMayRead(_ value: String, _ feeds: [String]) throws {
        #expect(try read("open-feeds: \(value)").settings.api.openFeeds.map(\.text) == feeds)
    }

    @Test(arguments: [
        ("prot: 1", "1:1: prot: no such setting; port is meant?"),
        ("log_format: json", "1:1: log_format: no such setting; log-format is meant?"),
        ("colour: red", "1:1: colour: no such setting"),
        ("port: http", "1:7: port: must be a whole number from 0 to 65535, not \"http\""),
        ("port: +80", "1:7: port: must be a whole number from 0 to 65535, not \"+80\""),
        ("port: 65536", "1:7: port: must be a whole number from 0 to 65535, not \"65536\""),
        ("port:", "1:6: port: has no value"),
        (
            "port: [1]",
            "1:7: port: must be one value: a whole number from 0 to 65535"
        ),
        ("demo: maybe", "1:7: demo: must be true or false, not \"maybe\""),
        ("log-format: xml", "1:13: log-format: must be one of text, json, not \"xml\""),
        ("- a", "1:1: must be settings, each as \"name: value\""),
        ("port: 1\nhost: a\nport: 2", "1:1: port: is there more than once"),
        ("open-feeds: everyone", "1:13: open-feeds: must be all, none, or a list of feeds"),
        ("open-feeds: []", "1:13: open-feeds: names no feed"),
        ("open-feeds: [a, a]", "1:17: open-feeds[1]: \"a\" is there twice"),
        (
            "open-feeds: ['*', a]",
            "1:13: open-feeds: \"*\" names all feeds; what else stands there says otherwise"
        ),
        (
            "allowed-headers: ['a b']",
            "1:19: allowed-headers[0]: is not the name of a field, such as X-App-Version: \"a b\""
        ), ("allowed-headers: [A, a]", "1:22: allowed-headers[1]: \"a\" is there twice"),
        ("allowed-headers: X-A", "1:18: allowed-headers: must be a list of field names"),
        ("allowed-origins: '?'", "1:18: allowed-origins: must be \"*\" or a list of origins"),
        (
            "allowed-origins: ['*']",
            "1:19: allowed-origins[0]: \"*\" stands alone, not in a list"
        ),
        (
            "allowed-origins: [a.example]",
            "1:19: allowed-origins[0]: must be an origin such as https://example.org, "
                + "not \"a.example\""
        ),
        (
            "allowed-origins: ['https://a/']",
            "1:19: allowed-origins[0]: an origin has no path: \"https://a/\""
        ),
        (
            "allowed-origins: ['https://a:443']",
            "1:19: allowed-origins[0]: browsers leave out :443: write https://a"
        ),
        (
            "limits: {body-size: 3 MB}",
            "1:21: limits.body-size: must be a size such as 32MiB, from 1 to 1TiB, not \"3 MB\""
        ),
        (
            "limits: {head-timeout: 10}",
            "1:24: limits.head-timeout: must be a time such as 10s, from 1s to 24h, not \"10\""
        ),
        ("limits: {bodysize: 3}", "1:10: limits.bodysize: no such setting; body-size is meant?"),
        (
            "limits: {target-size: 48KiB}",
            "1:23: limits.target-size: a target of 48KiB does not fit into a head of 48KiB"
        ),
        ("keys: {a: b}", "1:7: keys: must be a list of keys"),
        ("keys: [a]", "1:8: keys[0]: must be settings, each as \"name: value\""),
        (
            "keys:\n  - read: a",
            "2:5: keys[0]: has no digest; \"freshet key\" prints one"
        ),
        (
            "keys:\n  - digest: abc\n    write: a",
            "2:13: keys[0].digest: must be 64 hex digits, the SHA-256 of the key"
        ),
        (
            "keys: [{digest: \(digest)}]",
            "1:8: keys[0]: may do nothing; give it read, write, follow or admin"
        ),
        (
            "keys: [{digest: \(digest), write: News}]",
            "1:90: keys[0].write: must be a feed's name, in which * may stand for any run of "
                + "characters, not \"News\""
        ),
        (
            "keys: [{digest: \(digest), write: '*.json'}]",
            "1:90: keys[0].write: must be a feed's name, in which * may stand for any run of "
                + "characters, not \"*.json\""
        ),
        (
            "keys: [{digest: \(digest), write: a}, {digest: \(digest), write: b}]",
            "1:103: keys[1].digest: is also that of keys[0]"
        ),
    ])
    func saysWhatIsWrongWhere(_ text: String, _ line: String) {
        #expect(issues(text).first?.line(file: "f").dropFirst(2).drop { $0 == " " } == line[...])
    }

    @Test(arguments: ["", "\n"])
    func knowsTheDigestOfNothing(_ key: String) throws {
        let digest = KeyCommand.digest(key)
        let reason = issues("keys: [{digest: \(digest), write: a}]").first?.reason
        #expect(reason == "is no key's digest, but that of nothing or an empty line, or all zeros")
    }

    @Test func tellsAllMistakesInTheOrderOfTheFile() {
        let issues = issues(
            """
            port: x
            keys:
              - digest: y
                name: z
                write: a
              - digest: \(Self.digest)
                raed: a
            host: ""
            """
        )
        #expect(
            issues.map(\.path) == [
                "port", "keys[0].digest", "keys[1]", "keys[1].raed", "host",
            ]
        )
    }

    @Test(arguments: [
        ("keys: [{digest: \(digest), read: a}]", "everyone may read every feed already"),
        (
            "open-feeds: none\nkeys: [{digest: \(digest), read: a, write: a}]",
            "write includes reading \"a\" already"
        ),
    ])
    func warnsOfRightsThatAddNothing(_ text: String, _ reason: String) throws {
        let file = try read(text)
        #expect(file.warnings.map(\.reason) == [reason])
        #expect(file.settings.api.keys.count == 1)
    }

    @Test func theEntryThatIsPrintedWithAKeyIsValid() throws {
        let entry = KeyCommand.entry(
            "k",
            name: #"a "b" \c"#,
            [("read", ["a-*"]), ("write", ["news"]), ("follow", ["b-*"])],
            isAdmin: true
        )
        let file = try read("open-feeds: none\n" + entry)
        #expect(file.warnings.isEmpty)
        #expect(file.settings.api.keys.first?.name == #"a "b" \c"#)
        #expect(file.settings.api.keys.first?.digest == AccessKey("k").digest)
    }

    @Test(arguments: [
        ("news", true), ("*", true), ("a*", true), ("*.jsonx", true), ("x.json*", true),
        ("news.json", false), ("-a", false), ("*.rss", false), ("_*", false), ("a**b", true),
        ("*-x", true),
    ])
    func knowsPatternsThatNameNoFeed(_ text: String, _ canName: Bool) throws {
        #expect(try #require(FeedPattern(text)).canName == canName)
    }

    @Test(arguments: [
        ("0", 0), ("12", 12), ("1KiB", 1024), ("2 MiB", nil), ("3mib", 3 << 20),
        ("1GB", 1_000_000_000), ("2TiB", 2 << 40),
        ("-1", nil), ("1.5MiB", nil), ("99999999999GiB", nil), ("MiB", nil), ("", nil), ("+1", nil),
    ])
    func readsSizes(_ text: String, _ bytes: Int?) {
        #expect(ByteCountText.value(text) == bytes)
    }

    @Test(arguments: [
        (0, "0 bytes"), (1023, "1023 bytes"), (1024, "1.0 KiB"), (1536, "1.5 KiB"),
        (10 << 10, "10.0 KiB"), (1 << 20, "1.0 MiB"), (7_900_000_000, "7.4 GiB"),
        (3 << 40, "3.0 TiB"),
    ])
    func roundsSizes(_ byteCount: Int, _ words: String) {
        #expect(ByteCountText.rounded(byteCount) == words)
    }

    @Test(arguments: [
        ("10s", 10_000), ("250ms", 250), ("2m", 120_000), ("1h", 3_600_000), ("10", nil),
        ("s", nil), ("1.5s", nil), ("-1s", nil), ("99999999999s", nil), ("999999999h", nil),
    ])
    func readsTimes(_ text: String, _ milliseconds: Int?) {
        #expect(DurationText.value(text) == milliseconds.map { Duration.milliseconds($0) })
    }

    private func read(_ text: String) throws -> ConfigurationFile {
        try ConfigurationFile(parsing: Array(text.utf8))
    }

    private func issues(_ text: String) -> [ConfigurationIssue] {
        do throws(ConfigurationIssues) {
            _ = try ConfigurationFile(parsing: Array(text.utf8))
            return []
        } catch {
            return error.list
        }
    }
}
