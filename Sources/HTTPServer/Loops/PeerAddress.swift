import CLinux
import Glibc

/// The IP address at a connection's other end.
package struct PeerAddress: Sendable, Hashable {
    /// The first 64 bits of an IPv6 address; an IPv4 address is stored in its mapped form (RFC 4291
    /// §2.5.5.2).
    package let high: UInt64
    /// The last 64 bits of the address.
    package let low: UInt64

    /// Makes the address of a socket; `nil` if it is not an IP address.
    init?(_ storage: sockaddr_storage) {
        switch CInt(storage.ss_family) {
        case AF_INET:
            let address = withUnsafeBytes(of: storage) { $0.load(as: sockaddr_in.self) }
            high = 0
            low = 0xFFFF_0000_0000 | UInt64(UInt32(bigEndian: address.sin_addr.s_addr))
        case AF_INET6:
            let address = withUnsafeBytes(of: storage) { $0.load(as: sockaddr_in6.self) }
            (high, low) = withUnsafeBytes(of: address.sin6_addr) {
                (
                    UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                    UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                )
            }
        default: return nil
        }
    }

    /// Parses an IPv4 address in dotted form, or an IPv6 address (RFC 4291 §2.2).
    ///
    /// - Returns: `nil` if the text is not an address.
    init?(_ text: Span<UInt8>) {
        // The longest address has 45 characters.
        guard 2...45 ~= text.count else { return nil }
        var characters = InlineArray<46, CChar>(repeating: 0)
        for index in text.indices { characters[index] = CChar(bitPattern: text[index]) }
        let found: (high: UInt64, low: UInt64)? = characters.span.withUnsafeBufferPointer { text in
            guard let start = text.baseAddress else { return nil }
            var short: UInt32 = 0
            if inet_pton(AF_INET, start, &short) == 1 {
                return (0, 0xFFFF_0000_0000 | UInt64(UInt32(bigEndian: short)))
            }
            var long: (UInt64, UInt64) = (0, 0)
            guard inet_pton(AF_INET6, start, &long) == 1 else { return nil }
            return (UInt64(bigEndian: long.0), UInt64(bigEndian: long.1))
        }
        guard let found else { return nil }
        (high, low) = found
    }

    /// Makes an address from its 4 bytes (IPv4) or 16 bytes (IPv6).
    ///
    /// - Returns: `nil` for any other number of bytes.
    init?(octets: some Collection<UInt8>) {
        let (high, low) = octets.reduce(into: (high: UInt64(0), low: UInt64(0))) { sum, octet in
            sum.high = sum.high << 8 | sum.low >> 56
            sum.low = sum.low << 8 | UInt64(octet)
        }
        switch octets.count {
        case 4: self.init(high: 0, low: 0xFFFF_0000_0000 | low)
        case 16: self.init(high: high, low: low)
        default: return nil
        }
    }

    /// Whether it is an IPv4 address, also in its mapped form.
    var isIPv4: Bool { (high, low >> 32) == (0, 0xFFFF) }

    /// Returns the address with all bits behind the first `length` of its 128 bits set to 0.
    func first(_ length: Int) -> PeerAddress {
        PeerAddress(
            high: high & ~(length >= 64 ? 0 : UInt64.max >> UInt64(length)),
            low: low & ~(length <= 64 ? UInt64.max : UInt64.max >> UInt64(length - 64))
        )
    }

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The network whose addresses count as one client: a single IPv4 address, or the first 64 bits
    /// of an IPv6 address.
    package var network: PeerAddress { isIPv4 ? self : PeerAddress(high: high, low: 0) }

    /// The address as text (RFC 5952).
    var text: [UInt8] {
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
