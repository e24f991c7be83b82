/// The ranges of the parts of a request's target in its head, without decoding (RFC 9112 §3.2, RFC
/// 3986 §3.3 and §3.4).
package struct RequestTarget: Sendable {
    /// The forms of a target (RFC 9112 §3.2.1 to §3.2.4).
    package enum Form: Sendable {
        case origin
        case absolute
        case authority
        case asterisk
    }

    package private(set) var form: Form

    /// The path without the query; in absolute form, the part after scheme and authority, which may
    /// be empty.
    package private(set) var path: Range<Int>

    /// The authority between the scheme and the path; `nil` unless the target is in absolute form.
    package private(set) var authority: Range<Int>?

    /// The query without "?"; `nil` if there is no "?".
    package private(set) var query: Range<Int>?

    /// Makes empty ranges, for a head that is not parsed yet.
    init() { (form, path) = (.origin, 0..<0) }

    /// Divides a target, whose bytes are all allowed in targets; `nil` if it has no valid form, or
    /// one that `method` may not have.
    init?(_ target: Range<Int>, in bytes: Span<UInt8>, _ method: RequestHead.Method) {
        guard !target.isEmpty else { return nil }
        let first = bytes[target.lowerBound]
        (form, path) = (.origin, target)
        if method == .connect {
            guard HostSyntax.isHostWithPort(bytes.extracting(target)) else { return nil }
            form = .authority
            return
        }
        if first == UInt8(ascii: "*"), target.count == 1 {
            guard method == .options else { return nil }
            form = .asterisk
            return
        }
        var start = target.lowerBound
        if first != .slash {
            guard let authority = Self.authority(target, in: bytes) else { return nil }
            form = .absolute
            self.authority = authority
            start = authority.upperBound
        }
        let questionMark = bytes.firstIndex(of: UInt8(ascii: "?"), in: start..<target.upperBound)
        path = start..<target.upperBound
        if let questionMark {
            path = start..<questionMark
            query = questionMark + 1..<target.upperBound
        }
    }

    /// Whether the path consists of segments, as in origin and absolute form.
    package var hasSegments: Bool { form == .origin || form == .absolute }

    /// Returns the range of the authority of an http or https URL; `nil` if the target is not such
    /// a URL, or has user information (RFC 9110 §4.2).
    private static func authority(_ target: Range<Int>, in bytes: Span<UInt8>) -> Range<Int>? {
        for scheme: StaticString in ["http://", "https://"] {
            let start = target.lowerBound + scheme.utf8CodeUnitCount
            guard start < target.upperBound, bytes.equals(scheme, in: target.lowerBound..<start)
            else { continue }
            var end = start
            while end < target.upperBound, bytes[end] != .slash, bytes[end] != UInt8(ascii: "?") {
                end += 1
            }
            return HostSyntax.isAuthority(bytes.extracting(start..<end)) ? start..<end : nil
        }
        return nil
    }
}

extension RequestHead {
    /// The path as sent, without the query.
    ///
    /// In absolute form, the path is the part after scheme and authority, or "/" if that part is
    /// empty (RFC 9110 §4.2.3).
    package var path: String { targetParts.path.isEmpty ? "/" : string(targetParts.path) }

    /// Returns the path's segments, each percent-decoded.
    ///
    /// For example, "/feeds/a%2Fb" has the segments ["feeds", "a/b"]; a path that ends in "/" has
    /// an empty last segment; "/" is [""]. The segments "." and ".." have no special meaning, and a
    /// decoded segment may contain any character. The asterisk and authority forms have no
    /// segments.
    ///
    /// - Throws: ``RequestError/invalidTarget`` for bad percent-encoding, and text that is not
    ///   UTF-8 once decoded.
    package func pathSegments() throws(RequestError) -> [String] {
        guard targetParts.hasSegments else { return [] }
        return try bytes[targetParts.path].dropFirst()
            .split(separator: .slash, omittingEmptySubsequences: false)
            .map { (segment) throws(RequestError) in try segment.span.percentDecoded() }
    }
}

/// Decodes percent-encoding (RFC 3986 §2.1).
extension Span<UInt8> {
    /// Returns the text with its percent-encoding decoded.
    ///
    /// - Parameter plusIsSpace: Whether "+" stands for a space, as in forms and queries.
    /// - Throws: ``RequestError/invalidTarget`` for a malformed escape, or if the decoded bytes are
    ///   not UTF-8.
    package func percentDecoded(plusIsSpace: Bool = false) throws(RequestError) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(count)
        var index = 0
        while index < count {
            let byte = self[index]
            if byte == .percent {
                guard index + 2 < count, let high = self[index + 1].hexDigitValue,
                    let low = self[index + 2].hexDigitValue
                else { throw .invalidTarget }
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(byte == UInt8(ascii: "+") && plusIsSpace ? .space : byte)
                index += 1
            }
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .invalidTarget }
        return text
    }

    /// Whether ``percentDecoded(plusIsSpace:)`` would succeed.
    package var isPercentDecodable: Bool { (try? percentDecoded()) != nil }

    /// Returns whether `range` has a percent sign, or a "+" that stands for a space, so that it
    /// must be decoded.
    package func isEncoded(_ range: Range<Int>, plusIsSpace: Bool = false) -> Bool {
        if firstIndex(of: .percent, in: range) != nil { return true }
        guard plusIsSpace else { return false }
        return firstIndex(of: UInt8(ascii: "+"), in: range) != nil
    }
}

/// Checks hosts and ports against their grammar (RFC 3986 §3.2.2 and §3.2.3).
enum HostSyntax {
    /// Returns whether `value` is a host that is not empty, with or without a port (RFC 9110
    /// §4.2.1, §7.2).
    static func isAuthority(_ value: Span<UInt8>) -> Bool {
        guard let end = hostEnd(value), end > 0 else { return false }
        if end == value.count { return true }
        return isPort(value, from: end)
    }

    /// Returns whether `value` is a host and a port, neither of them empty (RFC 9112 §3.2.3).
    static func isHostWithPort(_ value: Span<UInt8>) -> Bool {
        guard let end = hostEnd(value), end > 0 else { return false }
        return isPort(value, from: end) && value.count > end + 1
    }

    /// Returns the index behind the host; `nil` if the host is malformed.
    ///
    /// RFC 3986 allows a comma in a name. Here a comma is refused, because it joins the values of
    /// two Host fields (RFC 9110 §5.3).
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

    /// Returns the index behind an address in brackets; `nil` if it is malformed.
    ///
    /// The digits and groups of an IPv6 address are not checked exactly, because the server does
    /// not connect to the address.
    private static func literalEnd(_ value: Span<UInt8>) -> Int? {
        var index = 1
        while index < value.count, value[index] != UInt8(ascii: "]") { index += 1 }
        guard index < value.count, index >= 3 else { return nil }
        let isFuture = value[1].lowercased == UInt8(ascii: "v")
        var colons = 0
        for position in 1..<index {
            let byte = value[position]
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
        let digits = value.extracting((start + 1)...)
        return digits.isEmpty || (digits.wholeNumber ?? .max) <= 65_535
    }
}
