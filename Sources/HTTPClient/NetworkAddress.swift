import Glibc

/// An address of IPv4 or IPv6.
package struct NetworkAddress: Sendable, Hashable, CustomStringConvertible {
    /// 4 or 16 bytes, as on the wire.
    package let bytes: [UInt8]

    /// The interface that an address of IPv6 belongs to; 0: none.
    package let scope: UInt32

    package init(bytes: [UInt8], scope: UInt32 = 0) {
        precondition(bytes.count == 4 || bytes.count == 16)
        self.bytes = bytes
        self.scope = scope
    }

    /// Reads an address from a structure of the system.
    ///
    /// - Parameters:
    ///   - raw: A pointer to an address of the family, as system calls have it.
    ///   - family: The address family, such as `AF_INET`.
    /// - Returns: `nil` for an address of another family than IPv4 and IPv6.
    init?(_ raw: UnsafeRawPointer, family: CInt) {
        switch family {
        case AF_INET:
            let address = raw.loadUnaligned(as: sockaddr_in.self)
            bytes = withUnsafeBytes(of: address.sin_addr, Array.init)
            scope = 0
        case AF_INET6:
            let address = raw.loadUnaligned(as: sockaddr_in6.self)
            bytes = withUnsafeBytes(of: address.sin6_addr, Array.init)
            scope = address.sin6_scope_id
        default: return nil
        }
    }

    /// Reads an address as inet_pton(3) does: no name, no octal, no scope.
    package init?(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(bytes: Array(bytes.prefix(4)))
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.init(bytes: bytes)
        } else {
            return nil
        }
    }

    /// Finds the address that a URL's host is, or means on every machine, as `localhost` does;
    /// `nil`: the host is a name that may lead anywhere.
    ///
    /// - Parameter host: The host as libcurl reads it, which turns other notations of IPv4 into the
    ///   usual one.
    package init?(named host: String) {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        if name == "localhost" || name.hasSuffix(".localhost") {
            // RFC 6761 §6.3.
            self.init(bytes: [127, 0, 0, 1])
        } else {
            self.init(String(name.prefix { $0 != "%" }))
        }
    }

    package var description: String {
        var text = [CChar](repeating: 0, count: 64)
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Addresses of the public Internet.
extension NetworkAddress {
    /// Whether the address is one of the public Internet.
    ///
    /// The registries of special addresses (RFC 6890) list all others: this machine, private and
    /// shared networks, links, groups, documentation, and reserved addresses. An address of IPv4
    /// inside one of IPv6 (mapped, 6to4, NAT64) counts as itself.
    package var isPublic: Bool {
        bytes.count == 4 ? NetworkAddress.isPublic(bytes[...]) : isPublicIPv6
    }

    private static let specialIPv4: [(UInt32, Int)] = [
        (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8),
        (0xA9FE_0000, 16), (0xAC10_0000, 12), (0xC000_0000, 24), (0xC000_0200, 24),
        (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xC633_6400, 24),
        (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
    ]

    private static func isPublic(_ bytes: ArraySlice<UInt8>) -> Bool {
        let value = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return !specialIPv4.contains { prefix, length in
            value >> UInt32(32 - length) == prefix >> UInt32(32 - length)
        }
    }

    private var isPublicIPv6: Bool {
        guard scope == 0 else { return false }
        let isMapped = bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
        let isNAT64 = bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0])
        if isMapped || isNAT64 { return NetworkAddress.isPublic(bytes[12...]) }
        // Global unicast (RFC 4291 §2.4).
        guard bytes[0] >> 5 == 1 else { return false }
        switch (bytes[0], bytes[1]) {
        // 6to4 (RFC 3056 §2).
        case (0x20, 0x02): return NetworkAddress.isPublic(bytes[2..<6])
        // Teredo, benchmarks, ORCHID and other special purposes (2001::/23).
        case (0x20, 0x01) where bytes[2] < 2: return false
        // Documentation (2001:db8::/32, 3fff::/20).
        case (0x20, 0x01): return !(bytes[2] == 0x0D && bytes[3] == 0xB8)
        case (0x3F, 0xFF): return bytes[2] >= 0x10
        default: return true
        }
    }
}
