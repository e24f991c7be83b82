import HTTPClient
import Testing

/// RFC 6890, and addresses of IPv4 within those of IPv6.
@Suite struct PublicAddresses {
    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1",
        "127.255.255.255", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1",
        "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7",
        "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "::", "::1",
        "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::127.0.0.1",
        "64:ff9b:1::1", "100::1", "2001::1", "2001:2::1", "2001:db8::1", "2002:7f00:1::1",
        "2002:a00:1::", "3fff::1", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1",
        "4000::1", "5f00::1",
    ])
    func areNot(_ text: String) throws {
        #expect(try !#require(NetworkAddress(text)).isPublic)
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.1", "172.15.255.255", "172.32.0.0", "192.0.1.1", "198.17.255.255", "198.20.0.0",
        "223.255.255.255", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2001:4860:4860::8888",
        "2002:808:808::", "2606:4700::1111", "2a00:1450::1", "3ffe::1",
    ])
    func are(_ text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPublic)
    }

    @Test func anAddressWithAScopeIsNone() {
        let bytes: [UInt8] = [0x2a, 0] + [UInt8](repeating: 1, count: 14)
        #expect(NetworkAddress(bytes: bytes).isPublic)
        #expect(!NetworkAddress(bytes: bytes, scope: 2).isPublic)
    }
}
