import TestSupport
import Testing

@testable import FeedAPI

/// A server for this machine alone answers to no other name (RFC 9110 §15.5.20).
@Suite struct HostChecking {
    @Test(arguments: [
        ("localhost", true), ("localhost:8080", true), ("LocalHost", true),
        ("app.localhost:1", true), ("127.0.0.1:8080", true), ("127.1.2.3", true),
        ("[::1]:80", true),
        ("[::1]", true), ("[0:0:0:0:0:0:0:1]:80", true), ("[::ffff:127.0.0.1]", true),
        ("[::FFFF:7f01:203]:80", true), ("[::ffff:128.0.0.1]", false),
        ("[::127.0.0.1]", false), ("[::ffff:127.0.0.1", false),
        ("example.org", false), ("127.0.0.1.example.org", false),
        ("localhost.example.org", false), ("127.0.0.1@example.org", false), ("[::2]:80", false),
        ("[::1", false), ("", false), ("127.0.0", false), ("127.0.0.256", false),
        ("feeds.test:8080", true), ("FEEDS.test", true), ("other.test", false),
    ])
    func isAboutTheNameAlone(_ host: String, _ isAnswered: Bool) {
        #expect(HostNames(["feeds.test"]).includes(host: host) == isAnswered)
    }

    @Test(arguments: [
        ("localhost:9090", true), ("10.0.0.7:9090", true), ("0.0.0.0", true), ("[fd00::7]:1", true),
        ("[::2]", true), ("[fd00::7", false), ("fd00::7", false), ("10.0.0", false),
        ("10.0.0.256", false), ("10.0.0.7.example.org", false), ("rebind.evil:9090", false),
        ("feeds.test:9090", true), ("167772167", false), ("0x0a.0.0.7", false), ("", false),
    ])
    func mayIncludeAllAddresses(_ host: String, _ isAnswered: Bool) {
        let names = HostNames(["feeds.test"], takesAllAddresses: true)
        #expect(names.includes(host: host) == isAnswered)
    }

    @Test func refusesPagesOfOtherNames() async throws {
        let api = API { $0.hostNames = HostNames() }
        try await api.put("news", sampleFeed)
        #expect(try await api.get("/feeds/news", ["Host": "localhost:1"]).status == 200)
        for target in ["/feeds/news", "/", "/healthz", "/nowhere"] {
            let answer = try await api.get(target, ["Host": "attacker.example"])
            #expect(answer.status == 421)
            #expect(answer.problem == "misdirected")
        }
    }

    /// A page of a listed origin can read why.
    @Test(arguments: [("https://a.example", true), ("https://b.example", false)])
    func theRefusalIsForListedOrigins(_ origin: String, _ isListed: Bool) async throws {
        let api = API {
            $0.hostNames = HostNames()
            $0.origins = .list(["https://a.example"])
        }
        let fields = ["Host": "feeds.example", "Origin": origin]
        let answer = try await api.get("/feeds/news", fields)
        #expect(answer.status == 421)
        #expect(answer["Access-Control-Allow-Origin"] == (isListed ? origin : nil))
        #expect((answer["Access-Control-Expose-Headers"] != nil) == isListed)
        #expect(answer["Vary"] == "Origin")
    }

    /// What the target names is meant, whatever Host says (RFC 9112 §3.2.2).
    @Test(arguments: [
        ("http://localhost:1/feeds/news", "attacker.example", 200),
        ("http://attacker.example/feeds/news", "localhost", 421),
        ("http://attacker.example?x", "localhost", 421),
    ])
    func theTargetComesBeforeTheField(_ target: String, _ host: String, _ status: Int) async throws
    {
        let api = API { $0.hostNames = HostNames() }
        try await api.put("news", sampleFeed)
        #expect(try await api.get(target, ["Host": host]).status == status)
    }
}
