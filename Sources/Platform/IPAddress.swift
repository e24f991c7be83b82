import Glibc

/// An address of IPv4 or IPv6.
package struct IPAddress: Sendable, Hashable {
    /// The first 64 bits of an IPv6 address; an IPv4 address is stored in its mapped form (RFC 4291
    /// §2.5.5.2).
    package let high: UInt64
    /// The last 64 bits of the address.
    package let low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    private init(version4 value: UInt32) {
        self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(value))
    }

    /// Reads an address from the system's structure for `family`; `nil` unless it is IPv4 or IPv6.
    package init?(_ raw: UnsafeRawPointer, family: CInt) {
        switch family {
        case AF_INET:
            let address = raw.loadUnaligned(as: sockaddr_in.self)
            self.init(version4: UInt32(bigEndian: address.sin_addr.s_addr))
        case AF_INET6:
            let address = raw.loadUnaligned(as: sockaddr_in6.self)
            let (high, low) = withUnsafeBytes(of: address.sin6_addr) {
                (
                    UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                    UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                )
            }
            self.init(high: high, low: low)
        default: return nil
        }
    }

    /// Parses an IPv4 address in dotted form, or an IPv6 address (RFC 4291 §2.2), as inet_pton(3)
    /// does: no name, no octal numbers, no scope.
    package init?(_ text: Span<UInt8>) {
        // The longest address has 45 characters.
        guard 2...45 ~= text.count else { return nil }
        var characters = InlineArray<46, CChar>(repeating: 0)
        for index in text.indices { characters[index] = CChar(bitPattern: text[index]) }
        let found: IPAddress? = characters.span.withUnsafeBufferPointer { text in
            guard let start = text.baseAddress else { return nil }
            var short: UInt32 = 0
            if inet_pton(AF_INET, start, &short) == 1 {
                return IPAddress(version4: UInt32(bigEndian: short))
            }
            var long: (UInt64, UInt64) = (0, 0)
            guard inet_pton(AF_INET6, start, &long) == 1 else { return nil }
            return IPAddress(high: UInt64(bigEndian: long.0), low: UInt64(bigEndian: long.1))
        }
        guard let found else { return nil }
        self = found
    }

    /// Parses an address as the initialiser of bytes does.
    package init?(_ text: String) { self.init(text.utf8.span) }

    /// Finds the address that a URL's host is, or means on every machine, as `localhost` does;
    /// `nil`: the host is a name that may lead anywhere.
    ///
    /// - Parameter host: The host as libcurl reads it, which turns other notations of IPv4 into the
    ///   usual one.
    package init?(named host: String) {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        if name == "localhost" || name.hasSuffix(".localhost") {
            // RFC 6761 §6.3.
            self.init(version4: 0x7F00_0001)
        } else {
            self.init(String(name.prefix { $0 != "%" }))
        }
    }

    /// Makes an address from its 4 bytes (IPv4) or 16 bytes (IPv6); `nil` for another number.
    package init?(octets: some Collection<UInt8>) {
        let (high, low) = octets.reduce(into: (high: UInt64(0), low: UInt64(0))) { sum, octet in
            sum.high = sum.high << 8 | sum.low >> 56
            sum.low = sum.low << 8 | UInt64(octet)
        }
        switch octets.count {
        case 4: self.init(version4: UInt32(low))
        case 16: self.init(high: high, low: low)
        default: return nil
        }
    }

    /// Whether it is an IPv4 address, also in its mapped form.
    package var isIPv4: Bool { (high, low >> 32) == (0, 0xFFFF) }

    /// Whether the address is this machine's in every network: 127.0.0.0/8, or `::1` (RFC 4291
    /// §2.5.3).
    package var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : (high, low) == (0, 1) }

    /// Returns the address with all bits behind the first `length` of its 128 bits set to 0.
    package func first(_ length: Int) -> IPAddress {
        IPAddress(
            high: high & ~(length >= 64 ? 0 : UInt64.max >> UInt64(length)),
            low: low & ~(length <= 64 ? UInt64.max : UInt64.max >> UInt64(length - 64))
        )
    }

    /// The network whose addresses count as one client: a single IPv4 address, or the first 64 bits
    /// of an IPv6 address.
    package var network: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

    /// The address as text (RFC 5952).
    package var text: [UInt8] {
        if isIPv4 {
            let parts = [24, 16, 8, 0].map { String(low >> UInt64($0) & 0xFF) }
            return Array(parts.joined(separator: ".").utf8)
        }
        var address = (high.bigEndian, low.bigEndian)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard inet_ntop(AF_INET6, &address, buffer.baseAddress, 64) != nil else { return [] }
            return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        }
    }
}

extension IPAddress: CustomStringConvertible {
    package var description: String { String(decoding: text, as: UTF8.self) }
}

/// Addresses of the public Internet.
extension IPAddress {
    /// Whether the address is one of the public Internet.
    ///
    /// The registries of special addresses (RFC 6890) list all others: this machine, private and
    /// shared networks, links, groups, documentation, and reserved addresses. An address of IPv4
    /// inside one of IPv6 (mapped, 6to4, NAT64) counts as itself.
    package var isPublic: Bool {
        if isIPv4 { return !isSpecialIPv4 }
        let isNAT64 = (high, low >> 32) == (0x0064_FF9B_0000_0000, 0)
        if isNAT64 { return IPAddress(version4: UInt32(low)).isPublic }
        switch high >> 48 {
        // 6to4 (RFC 3056 §2).
        case 0x2002: return IPAddress(version4: UInt32(truncatingIfNeeded: high >> 16)).isPublic
        // Teredo, benchmarks, ORCHID and other special purposes (2001::/23), and documentation
        // (2001:db8::/32).
        case 0x2001: return high >> 41 & 0x7F != 0 && high >> 32 & 0xFFFF != 0x0DB8
        // Documentation (3fff::/20).
        case 0x3FFF: return high >> 44 & 0xF != 0
        // Global unicast (RFC 4291 §2.4).
        default: return high >> 61 == 1
        }
    }

    private static let specialIPv4: [(start: UInt32, length: UInt32)] = [
        (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8),
        (0xA9FE_0000, 16), (0xAC10_0000, 12), (0xC000_0000, 24), (0xC000_0200, 24),
        (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xC633_6400, 24),
        (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
    ]

    private var isSpecialIPv4: Bool {
        let value = UInt32(truncatingIfNeeded: low)
        return IPAddress.specialIPv4.contains { start, length in
            value >> (32 - length) == start >> (32 - length)
        }
    }
}
