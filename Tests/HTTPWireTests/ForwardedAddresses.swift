import HTTPWire
import Testing

/// RFC 7239 §4 and §6, and the field that came before it.
@Suite struct ForwardedAddresses {
    private static func hops(_ value: String, hasParameters: Bool) -> [String] {
        let bytes = Array(value.utf8)
        var hops = ForwardedHops(bytes.span, hasParameters: hasParameters)
        var found: [String] = []
        while let place = hops.next(in: bytes.span) {
            found.append(String(decoding: bytes[place], as: UTF8.self))
        }
        return found
    }

    @Test(arguments: [
        ("192.0.2.1", ["192.0.2.1"]), ("a, b ,c", ["c", "b", "a"]), ("", []), (",", []),
        ("a,,b", ["b"]), ("192.0.2.1:80", ["192.0.2.1"]), ("[2001:db8::1]:80", ["2001:db8::1"]),
        ("2001:db8::1", ["2001:db8::1"]), ("[2001:db8::1", []), ("unknown", ["unknown"]),
    ])
    func areReadFromTheEnd(_ value: String, _ expected: [String]) {
        #expect(Self.hops(value, hasParameters: false) == expected)
    }

    @Test(arguments: [
        ("for=192.0.2.43", ["192.0.2.43"]),
        (#"For="[2001:db8:cafe::17]:4711""#, ["2001:db8:cafe::17"]),
        ("for=192.0.2.60;proto=http;by=203.0.113.43", ["192.0.2.60"]),
        ("by=203.0.113.43; FOR=a, for=b ;host=c", ["b", "a"]),
        (#"for="_gazonk""#, ["_gazonk"]), ("for=unknown", ["unknown"]), ("by=a", []),
        (#"for="a"#, ["\"a"]), ("for=", []), (#"for="""#, []), ("forx=a", []),
    ])
    func areReadAmongParameters(_ value: String, _ expected: [String]) {
        #expect(Self.hops(value, hasParameters: true) == expected)
    }
}
