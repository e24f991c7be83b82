import FeedAPI
import Testing

@testable import freshet

/// What operators set for keys, limits and figures.
@Suite struct OperatorSettings {
    private func read(_ text: String) throws -> ConfigurationFile {
        try ConfigurationFile(parsing: Array(text.utf8))
    }

    private func issues(_ text: String) -> [String] {
        do throws(ConfigurationIssues) {
            let file = try ConfigurationFile(parsing: Array(text.utf8))
            return file.warnings.map { "\($0.path): \($0.reason)" }
        } catch {
            return error.list.map { "\($0.path): \($0.reason)" }
        }
    }

    private static let one = String(repeating: "1a", count: 32)
    private static let two = String(repeating: "2b", count: 32)

    /// Hubs and readers are told addresses that begin so.
    @Test(arguments: ["public-url", "entry-base"])
    func whatAddressesBeginWithLeadsSomewhere(_ name: String) throws {
        for address in [
            "http://a:99999", "http://a:0", "http://:80", "http://a:b", "http://[::1", "http://",
            "http://a/?b", "http://a#b", "http://a b", "http://a/", "ftp://a",
        ] {
            let form = "an address of http or https without a slash at its end"
            #expect(issues("\(name): '\(address)'") == ["\(name): must be \(form)"], "\(address)")
        }
        for address in ["http://a", "https://a.example:8443/b/c", "http://[::1]:80"] {
            #expect(issues("\(name): '\(address)'") == [], "\(address)")
        }
    }

    @Test func readsAKeyWithTwoDigests() throws {
        let file = try read(
            """
            keys:
              - name: desk
                digest:
                  - \(Self.one)
                  - {digest: \(Self.two), until: "2100-01-31T12:00:00Z"}
                write: news
            """
        )
        #expect(file.warnings.isEmpty)
        try #require(file.settings.api.keys.count == 2)
        #expect(file.settings.api.keys.map(\.digest.bytes[0]) == [0x1A, 0x2B])
        #expect(file.settings.api.keys.allSatisfy { $0.name == "desk" })
        #expect(file.settings.api.keys.map(\.until) == [nil, 4_105_080_000])
    }

    /// A key that replaces another one has the same owner, so that requests with an Idempotency-Key
    /// that are sent again are known.
    @Test(arguments: [
        [
            "digest: \(one)", "digest: [\(two), {digest: \(one), until: 2100-01-31T12:00:00Z}]",
            "digest: \(two)",
        ],
        ["digest: \(one)", "digest: [\(one), \(two)]", "digest: \(two)"],
    ])
    func ownersWithANameOutliveTheirKeys(_ steps: [String]) throws {
        let owners = try steps.flatMap { step in
            try read("keys: [{name: desk, write: news, \(step)}]").settings.api.keys.map(
                \.ownDigest
            )
        }
        #expect(owners.count == 4)
        #expect(Set(owners).count == 1)
        let other = try read("keys: [{name: other, write: news, digest: \(Self.one)}]")
        #expect(other.settings.api.keys.first?.ownDigest != owners.first)
        let unnamed = try read("keys: [{write: news, digest: [\(Self.one), \(Self.two)]}]")
        #expect(unnamed.settings.api.keys.allSatisfy { $0.ownDigest.bytes[0] == 0x1A })
    }

    @Test(arguments: [
        ("[]", "has no digest"), ("[{until: 2100-01-31T12:00:00Z}]", "has no digest"),
        ("[{digest: \(one), until: soon}]", "must be a time such as"),
        ("[{digest: \(one), until: 2100-01-31T12:00:00Z}]", "every digest has an until"),
        ("[\(one), \(one)]", "is also that of keys[0]"),
        ("[\(one), 1a]", "must be 64 hex digits"),
        ("[\(one), {digest: \(two), until: 2001-01-31T12:00:00Z}]", "is over"),
        ("[\(one), {digest: \(two), until: 2100-01-31T12:00:00Z, x: 1}]", "no such setting"),
    ])
    func saysWhatIsWrongWithDigests(_ digests: String, _ reason: String) {
        let issues = issues("keys: [{write: news, digest: \(digests)}]")
        #expect(issues.contains { $0.contains(reason) }, "\(issues)")
    }

    @Test func readsRateLimits() throws {
        let text = "rate-limits: {reads-by-key: 600/1m, publishes-by-address: 5/24h}"
        let limits = try read(text).settings.api.rateLimits
        #expect(limits[.readsByKey] == RateLimit(quota: 600, window: .seconds(60)))
        #expect(limits[.publishesByAddress] == RateLimit(quota: 5, window: .seconds(86_400)))
        #expect(limits[.readsByAddress] == nil)
        #expect(limits[.publishesByKey] == nil)
    }

    @Test(arguments: ["600", "600/", "/1m", "0/1m", "600/0s", "-1/1m", "600/1m/2", "a/1m", "1/25h"])
    func refusesOtherRateLimits(_ text: String) {
        let issues = issues("rate-limits: {reads-by-key: \(text)}")
        #expect(issues.count == 1)
        #expect(issues.first?.contains("a number of requests and a time from 1s to 24h") == true)
    }

    @Test(arguments: [
        ("127.0.0.1:9090", "127.0.0.1", 9090), ("[::1]:0", "::1", 0),
        ("localhost:1", "localhost", 1),
    ])
    func readsAddresses(_ text: String, _ host: String, _ port: Int) throws {
        let address = try #require(ListenAddress(text))
        #expect(address.host == host)
        #expect(address.port == port)
    }

    @Test(arguments: [
        "", "9090", ":9090", "127.0.0.1:", "a:65536", "::1:9090", "[]:1", "a b:1", "a:-1", "a:+1",
    ])
    func refusesOtherAddresses(_ text: String) {
        #expect(ListenAddress(text) == nil)
    }
}
