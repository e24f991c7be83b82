import HTTPWire
import Platform
import TestSupport
import Testing

@testable import HTTPServer

/// Who sent a request that came through proxies.
@Suite struct ProxiedRequests {
    private static func address(_ text: String) throws -> IPAddress {
        let address = IPAddress(text.utf8.span)
        return try #require(address)
    }

    private static func proxies(
        _ networks: [String],
        _ field: TrustedProxies.Field = .xForwardedFor
    ) throws -> TrustedProxies {
        TrustedProxies(
            try networks.map { try #require(TrustedProxies.Network($0)) },
            field: field
        )
    }

    private static func client(
        _ fields: String,
        from peer: String,
        _ proxies: TrustedProxies
    ) throws -> String {
        let head = try RequestHead(parsing: "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
        let client = try #require(proxies.client(of: head, from: try address(peer)))
        return String(decoding: client.text, as: UTF8.self)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false),
        ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "2001:db8::1", false),
        ("::/0", "8.8.8.8", true), ("10.1.2.3", "10.1.2.3", true), ("10.1.2.3", "10.1.2.4", false),
        ("10.1.2.3/32", "10.1.2.3", true), ("2001:db8::/33", "2001:db8:7fff::1", true),
        ("2001:db8::/33", "2001:db8:8000::1", false), ("fd00::1", "fd00::1", true),
        ("fd00::/65", "fd00::7fff:0:0:1", true), ("fd00::/65", "fd00::8000:0:0:1", false),
        ("::ffff:10.0.0.0/8", "10.0.0.1", true),
    ])
    func networksHaveTheirAddresses(_ network: String, _ address: String, _ isIn: Bool) throws {
        let network = try #require(TrustedProxies.Network(network))
        #expect(network.contains(try Self.address(address)) == isIn)
    }

    @Test(arguments: [
        "", "a", "10.0.0", "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "10.0.0.0/",
        "10.0.0.0/8/8", "2001:db8::1/64", "fd00::/129", "localhost", "256.0.0.0",
    ])
    func whatIsNoNetworkIsRefused(_ text: String) {
        #expect(TrustedProxies.Network(text) == nil)
    }

    /// From the end up to the first one that is no proxy; what its client made up before that
    /// counts for nothing.
    @Test(arguments: [
        ("", "10.0.0.1", "10.0.0.1"), ("X-Forwarded-For: 192.0.2.1\r\n", "10.0.0.1", "192.0.2.1"),
        ("X-Forwarded-For: 192.0.2.1\r\n", "11.0.0.1", "11.0.0.1"),
        ("x-forwarded-for: 1.1.1.1, 192.0.2.1, 10.0.0.2\r\n", "10.0.0.1", "192.0.2.1"),
        ("X-Forwarded-For: 1.1.1.1\r\nX-Forwarded-For: 192.0.2.1\r\n", "10.0.0.1", "192.0.2.1"),
        ("X-Forwarded-For: 192.0.2.1, unknown\r\n", "10.0.0.1", "10.0.0.1"),
        ("X-Forwarded-For: 192.0.2.1, unknown, 10.0.0.2\r\n", "10.0.0.1", "10.0.0.2"),
        ("X-Forwarded-For: 10.0.0.3, 10.0.0.2\r\n", "10.0.0.1", "10.0.0.3"),
        ("X-Forwarded-For: [2001:db8::7]:80\r\n", "10.0.0.1", "2001:db8::7"),
        ("X-Forwarded-For: \r\n", "10.0.0.1", "10.0.0.1"),
        ("Forwarded: for=192.0.2.1\r\n", "10.0.0.1", "10.0.0.1"),
    ])
    func theNearestProxyIsBelieved(_ fields: String, _ peer: String, _ client: String) throws {
        let proxies = try Self.proxies(["10.0.0.0/8"])
        #expect(try Self.client(fields, from: peer, proxies) == client)
    }

    @Test func onlyTheFieldThatWasNamedIsRead() throws {
        let fields = "Forwarded: for=192.0.2.1\r\nX-Forwarded-For: 192.0.2.2\r\n"
        let networks = ["10.0.0.0/8"]
        let old = try Self.proxies(networks)
        #expect(try Self.client(fields, from: "10.0.0.1", old) == "192.0.2.2")
        let new = try Self.proxies(networks, .forwarded)
        #expect(try Self.client(fields, from: "10.0.0.1", new) == "192.0.2.1")
    }

    @Test func noMoreHopsAreLookedAtThanThereMayBe() throws {
        let list = Array(repeating: "10.0.0.9", count: 40).joined(separator: ", ")
        let fields = "X-Forwarded-For: 192.0.2.1, \(list)\r\n"
        let proxies = try Self.proxies(["10.0.0.0/8"])
        #expect(try Self.client(fields, from: "10.0.0.1", proxies) == "10.0.0.9")
    }

    @Test(arguments: [
        ("203.0.113.9", "203.0.113.9"), ("::", "::"), ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
    ])
    func addressesAreRead(_ text: String, _ shown: String) throws {
        #expect(String(decoding: try Self.address(text).text, as: UTF8.self) == shown)
    }
}
