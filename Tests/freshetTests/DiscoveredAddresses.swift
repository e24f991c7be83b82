import Testing

@testable import freshet

/// The addresses that `freshet discover` tries for an argument.
@Suite struct DiscoveredAddresses {
    @Test(arguments: [
        ("https://a.example/b", ["https://a.example/b"]),
        ("http://a.example", ["http://a.example"]),
        ("feed://a.example/x", ["http://a.example/x"]),
        ("feed:https://a.example/x", ["https://a.example/x"]),
        ("ftp://a.example", ["ftp://a.example"]),
        ("a.example/b", ["https://a.example/b", "http://a.example/b"]),
        ("localhost:8080", ["https://localhost:8080", "http://localhost:8080"]),
        ("www.a.example", ["https://www.a.example", "http://www.a.example"]),
    ])
    func haveAWayWithoutTLSWhereNoSchemeIsNamed(_ text: String, _ addresses: [String]) {
        #expect(DiscoverCommand.addresses(text) == addresses)
    }
}
