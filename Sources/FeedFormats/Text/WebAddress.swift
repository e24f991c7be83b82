import FeedModel

/// Functions on the addresses in documents, which are text, resolved as RFC 3986 §5 says.
package enum WebAddress {
    /// The parts of a reference (RFC 3986 §3); a missing part is `nil`.
    struct Parts {
        var scheme: Substring?
        var authority: Substring?
        var path: Substring
        var query: Substring?
        var fragment: Substring?

        init(_ text: Substring) {
            var rest = text
            if let (before, after) = rest.divided(at: UInt8(ascii: "#")) {
                (rest, fragment) = (before, after)
            }
            if let (before, after) = rest.divided(at: UInt8(ascii: "?")) {
                (rest, query) = (before, after)
            }
            if let count = WebAddress.schemeLength(rest.utf8.span) {
                let colon = rest.utf8.index(rest.startIndex, offsetBy: count)
                (scheme, rest) = (rest[..<colon], rest[rest.utf8.index(after: colon)...])
            }
            if rest.utf8.starts(with: "//".utf8) {
                let start = Substring(rest.utf8.dropFirst(2))
                let end = start.utf8.firstIndex(of: UInt8(ascii: "/")) ?? start.endIndex
                authority = start[..<end]
                rest = start[end...]
            }
            path = rest
        }

        /// Removes slashes from the path's end.
        mutating func dropLastSlashes() {
            while path.utf8.last == UInt8(ascii: "/") { path = Substring(path.utf8.dropLast()) }
        }

        var text: String {
            var text = ""
            if let scheme { text += scheme + ":" }
            if let authority { text += "//" + authority }
            text += path
            if let query { text += "?" + query }
            if let fragment { text += "#" + fragment }
            return text
        }
    }

    /// The most bytes of a base of relative addresses.
    static let baseLimit = 2048

    /// Returns the address that `reference` means in a document whose address is `base`.
    ///
    /// Without a base, or with one that has no scheme or more than ``baseLimit`` bytes, a relative
    /// reference stays as it is. White space at the ends and control characters are removed, as
    /// browsers do (URL Standard).
    package static func resolve(_ reference: String, base: String) -> String {
        let cleaned = clean(reference)
        if schemeLength(cleaned.utf8.span) != nil || base.utf8.count > baseLimit { return cleaned }
        var parts = Parts(cleaned[...])
        let base = Parts(base[...])
        guard base.scheme != nil else { return cleaned }
        parts.scheme = base.scheme
        if parts.authority != nil { return parts.text }
        parts.authority = base.authority
        if parts.path.isEmpty {
            parts.path = base.path
            if parts.query == nil { parts.query = base.query }
            return parts.text
        }
        if !parts.path.hasPrefix("/") {
            let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? "/"
            parts.path = folder + parts.path
        }
        let path = removingDots(parts.path)
        parts.path = path[...]
        return parts.text
    }

    /// Returns the parts between the slashes of an address, without its query and fragment: the
    /// scheme with its colon, the host, and the segments of the path that are not empty.
    static func parts(_ address: String) -> [Substring] {
        address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    }

    /// Returns the scheme of an address in lower case; `nil`: the address is relative.
    package static func scheme(of address: String) -> String? {
        let address = clean(address)
        return schemeLength(address.utf8.span).map {
            String(decoding: address.utf8.prefix($0), as: UTF8.self).lowercased()
        }
    }

    /// Returns the number of bytes of the scheme that an address begins with (RFC 3986 §3.1);
    /// `nil`: it has none.
    private static func schemeLength(_ address: Span<UInt8>) -> Int? {
        for index in address.indices {
            switch address[index] {
            case UInt8(ascii: ":"): return index > 0 ? index : nil
            case let byte where byte.isASCIILetter: continue
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                if index == 0 { return nil }
            default: return nil
            }
        }
        return nil
    }

    /// Returns whether the text is an address of `http` or `https` with a host.
    package static func isWeb(_ address: String) -> Bool {
        let bytes = address.utf8.span
        return hostStart(bytes).map { $0 < bytes.count && !isHostEnd(bytes[$0]) } ?? false
    }

    /// Returns the address if it ``isWeb(_:)``.
    package static func web(_ address: String) -> String? { isWeb(address) ? address : nil }

    /// Returns an address without a name and password in it: addresses made from it are shown to
    /// everyone.
    package static func withoutUserInfo(_ address: String) -> String {
        var parts = Parts(address[...])
        guard parts.scheme != nil, let authority = parts.authority,
            let at = authority.lastIndex(of: "@")
        else { return address }
        parts.authority = authority[authority.index(after: at)...]
        return parts.text
    }

    /// Returns an address for messages: without a name and password, without the values in its
    /// query, which may be keys, and without its fragment.
    package static func shown(_ address: String) -> String {
        guard let scheme = scheme(of: address) else { return address }
        guard hasHostAndPort(address) else { return scheme + ":…" }
        var parts = Parts(withoutUserInfo(address)[...])
        parts.fragment = nil
        guard let query = parts.query, !query.isEmpty else { return parts.text }
        let pairs = query.split(separator: "&").map { pair in
            pair.firstIndex(of: "=").map { pair[...$0] + "…" } ?? "…"
        }
        parts.query = pairs.joined(separator: "&")[...]
        return parts.text
    }

    /// Returns whether the host of an address is whole, and its port is a port's number (RFC 3986
    /// §3.2).
    package static func hasHostAndPort(_ address: String) -> Bool {
        guard let authority = Parts(clean(address)[...]).authority?.utf8 else { return false }
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        var rest = at.map { authority[authority.index(after: $0)...] } ?? authority[...]
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let inner = rest[rest.index(after: rest.startIndex)..<end]
            let isAddress = inner.allSatisfy {
                $0.hexValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
            }
            guard isAddress, inner.contains(UInt8(ascii: ":")) else { return false }
            rest = rest[rest.index(after: end)...]
            guard rest.isEmpty || rest.first == UInt8(ascii: ":") else { return false }
        } else {
            if rest.first == UInt8(ascii: ":") { return false }
            rest =
                rest.firstIndex(of: UInt8(ascii: ":")).map { rest[$0...] } ?? rest[rest.endIndex...]
        }
        return rest.count < 2 || Int(digits: rest.dropFirst()).map { 1...65_535 ~= $0 } ?? false
    }

    /// Returns where the host of an address of `http` or `https` begins; `nil`: it is another
    /// address.
    static func hostStart(_ bytes: Span<UInt8>) -> Int? {
        guard bytes.count > 7 else { return nil }
        let scheme: StaticString = "http"
        for index in 0..<4 where bytes[index].lowercased != scheme.utf8Start[index] { return nil }
        let end = bytes[4].lowercased == UInt8(ascii: "s") ? 5 : 4
        guard bytes.count > end + 2, bytes[end] == UInt8(ascii: ":"),
            bytes[end + 1] == UInt8(ascii: "/"), bytes[end + 2] == UInt8(ascii: "/")
        else { return nil }
        return end + 3
    }

    private static func isHostEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Returns an address as it may be written in a document: with its host's name as it is looked
    /// up, and with escapes for characters that no address has (RFC 3986 §2, RFC 3987 §3.1); `nil`:
    /// it is not an address of `http` or `https` with a host, or its host has such characters.
    package static func written(_ address: String) -> String? {
        let address = withASCIIHost(clean(address))
        guard isWeb(address) else { return nil }
        let isPlain = address.utf8.allSatisfy {
            $0 < 0x7F && !isForbidden($0) && $0 != 0x25 && $0 != 0x5B && $0 != 0x5D
        }
        if isPlain { return address }
        let authority = Parts(address[...]).authority ?? ""
        guard authority.utf8.allSatisfy({ $0 < 0x7F && !isForbidden($0) && $0 != 0x25 }) else {
            return nil
        }
        var written: [UInt8] = []
        let bytes = Array(address.utf8)
        // Only addresses of IPv6 have brackets.
        let path =
            (address.firstRange(of: authority)?.upperBound).map {
                address.utf8.distance(from: address.utf8.startIndex, to: $0)
            } ?? bytes.count
        for (index, byte) in bytes.enumerated() {
            let isBare =
                byte == 0x25
                && !(bytes.count > index + 2 && bytes[index + 1].hexValue != nil
                    && bytes[index + 2].hexValue != nil)
            let isBracket = index >= path && (byte == 0x5B || byte == 0x5D || byte >= 0x7F)
            if isBare || isForbidden(byte) || isBracket {
                written += "%\(String(byte, radix: 16, uppercase: true))".utf8
            } else {
                written.append(byte)
            }
        }
        return String(decoding: written, as: UTF8.self)
    }

    /// Returns whether a byte is a visible character of ASCII, or a space, that no address has:
    /// `"<>\^` and `` `{|} ``.
    static func isForbidden(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B...0x7D: true
        default: false
        }
    }

    /// Returns a text without control characters and white space at its ends, and with escapes for
    /// spaces inside.
    static func clean(_ text: String) -> String {
        if isClean(text.utf8.span) { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.trimmed.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7F
        {
            if scalar == " " {
                scalars.append(contentsOf: "%20".unicodeScalars)
            } else {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// Returns whether all bytes are visible characters of ASCII.
    private static func isClean(_ bytes: Span<UInt8>) -> Bool {
        // A loop over all bytes is vectorized, and so faster than one that stops at the first.
        var others: UInt8 = 0
        for index in bytes.indices { others |= bytes[index] &- 0x21 > 0x5D ? 1 : 0 }
        return others == 0
    }

    /// Returns a path without its segments `.` and `..` (RFC 3986 §5.2.4).
    private static func removingDots(_ path: Substring) -> String {
        var segments: [Substring] = []
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch part {
            case ".": if isLast { segments.append("") }
            case "..":
                _ = segments.popLast()
                if isLast { segments.append("") }
            default: segments.append(part)
            }
        }
        return "/" + segments.joined(separator: "/")
    }
}

extension Substring {
    /// Returns the text before and behind the first `byte`, a character of ASCII; `nil`: there is
    /// none.
    fileprivate func divided(at byte: UInt8) -> (before: Substring, after: Substring)? {
        // Nearly no address has both signs, and a text without one is searched many bytes at a time.
        guard has(byte), let index = utf8.firstIndex(of: byte) else { return nil }
        return (self[..<index], self[utf8.index(after: index)...])
    }
}

/// Resolves the addresses of one text, up to a limit of growth: very many short references could
/// each become as long as their base.
struct ResolvingBudget {
    /// The number of bytes that the text may still grow by.
    private var byteCount: Int

    /// Makes the budget of a text: eight times its length, and 4 KiB.
    init(textByteCount: Int) { byteCount = 8 * textByteCount + 4096 }

    /// Returns the address that a reference means; `nil`: the budget is used up.
    mutating func resolve(_ reference: String, base: String) -> String? {
        guard byteCount > 0 || WebAddress.scheme(of: reference) != nil else { return nil }
        let address = WebAddress.resolve(reference, base: base)
        byteCount -= max(0, address.utf8.count - reference.utf8.count)
        return byteCount >= 0 ? address : nil
    }
}
