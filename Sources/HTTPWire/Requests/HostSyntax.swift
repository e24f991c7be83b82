/// The grammar of hosts and ports (RFC 3986 §3.2.2 and §3.2.3).
enum HostSyntax {
    /// Returns whether `value` is a host that is not empty, with or without a port (RFC 9110
    /// §4.2.1, §7.2).
    static func isAuthority(_ value: Span<UInt8>) -> Bool {
        guard let end = hostEnd(value), end > 0 else { return false }
        return end == value.count || isPort(value, from: end)
    }

    /// Returns whether `value` is a host and a port, neither of them empty (RFC 9112 §3.2.3).
    static func isHostWithPort(_ value: Span<UInt8>) -> Bool {
        guard let end = hostEnd(value), end > 0 else { return false }
        return isPort(value, from: end) && value.count > end + 1
    }

    /// Returns the end of the host; nil if there is none.
    ///
    /// RFC 3986 allows a comma in a name. Here a comma joins two Host fields (RFC 9110 §5.3).
    private static func hostEnd(_ value: Span<UInt8>) -> Int? {
        if value.count > 0, value[0] == UInt8(ascii: "[") { return literalEnd(value) }
        var index = 0
        while index < value.count {
            let byte = value[index]
            if byte.isHostNameCharacter {
                index += 1
            } else if byte == .percent {
                guard index + 2 < value.count, value[index + 1].hexDigitValue != nil,
                    value[index + 2].hexDigitValue != nil
                else { return nil }
                index += 3
            } else {
                break
            }
        }
        return index
    }

    /// Returns the end of an address in brackets.
    ///
    /// The digits and groups of an IPv6 address are not counted, because the server does not
    /// connect to it.
    private static func literalEnd(_ value: Span<UInt8>) -> Int? {
        var index = 1
        while index < value.count, value[index] != UInt8(ascii: "]") { index += 1 }
        guard index < value.count, index >= 3 else { return nil }
        let isFuture = value[1].lowercased == UInt8(ascii: "v")
        var colons = 0
        for place in 1..<index {
            let byte = value[place]
            let isAddress = byte.hexDigitValue != nil || byte == UInt8(ascii: ".")
            let isRight = isFuture ? byte.isRegisteredNameCharacter : isAddress
            guard isRight || byte == .colon else { return nil }
            colons += byte == .colon ? 1 : 0
        }
        return isFuture || 2...7 ~= colons ? index + 1 : nil
    }

    /// Returns whether a colon and a number up to 65535 follow; the digits may be missing.
    private static func isPort(_ value: Span<UInt8>, from start: Int) -> Bool {
        guard start < value.count, value[start] == .colon else { return false }
        var port = 0
        for index in (start + 1)..<value.count {
            let digit = value[index] &- 0x30
            guard digit <= 9 else { return false }
            port = port &* 10 &+ Int(digit)
            guard port <= 65_535 else { return false }
        }
        return true
    }
}
