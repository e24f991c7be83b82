/// A request target (RFC 9112 §3.2), divided into its parts, with its path percent-decoded (RFC
/// 3986 §2.1).
package struct RequestTarget: Sendable {
    /// The form of the target.
    package var form: Form
    /// The path as sent, without the query.
    ///
    /// In absolute form it is the part after scheme and authority, or "/" if that is empty (RFC
    /// 9110 §4.2.3).
    package var rawPath: String
    /// The path's segments, each percent-decoded.
    ///
    /// For example, "/feeds/a%2Fb" has the segments ["feeds", "a/b"]; a path that ends in "/" has
    /// an empty last segment; "/" is [""]. The segments "." and ".." have no special meaning, and a
    /// decoded segment may contain any character. The asterisk and authority forms have no
    /// segments.
    package var segments: [String]
    /// The query as sent, without "?"; nil if there is no "?".
    package var rawQuery: String?
}

extension RequestTarget {
    /// The forms of a target (RFC 9112 §3.2.1 to §3.2.4).
    package enum Form: Sendable {
        case origin
        case absolute
        case authority
        case asterisk
    }
}

extension RequestTarget.Form {
    /// Returns the form of a target whose bytes are all allowed in targets; nil if it has no valid
    /// form, or one that `method` may not have.
    init?(_ target: Span<UInt8>, method: RequestHead.Method) {
        guard target.count > 0 else { return nil }
        if method == .connect {
            guard HostSyntax.isHostWithPort(target) else { return nil }
            self = .authority
        } else if target[0] == .slash {
            self = .origin
        } else if target.count == 1, target[0] == UInt8(ascii: "*") {
            guard method == .options else { return nil }
            self = .asterisk
        } else if Self.isAbsolute(target) {
            self = .absolute
        } else {
            return nil
        }
    }

    /// Returns whether the target is an http or https URL without user information (RFC 9110 §4.2).
    private static func isAbsolute(_ target: Span<UInt8>) -> Bool {
        for scheme: StaticString in ["http://", "https://"] {
            let start = scheme.utf8CodeUnitCount
            guard target.count > start, target.equals(scheme, in: 0..<start) else { continue }
            var end = start
            while end < target.count, target[end] != .slash, target[end] != UInt8(ascii: "?") {
                end += 1
            }
            return HostSyntax.isAuthority(target.extracting(start..<end))
        }
        return false
    }
}

extension RequestTarget {
    /// Parses the target of `head`.
    ///
    /// - Throws: ``RequestError/invalidTarget`` for bad percent-encoding in path or query, and
    ///   text that is not UTF-8 once decoded.
    package init(_ head: RequestHead) throws(RequestError) {
        let places = try TargetPlaces(head)
        let bytes = head.bytes
        if let query = places.query, !bytes.span.extracting(query).isPercentDecodable {
            throw .invalidTarget
        }
        form = places.form
        rawPath = places.path.isEmpty ? "/" : head.string(places.path)
        segments = places.hasSegments ? try Self.segments(bytes, places.path) : []
        rawQuery = places.query.map(head.string)
    }

    private static func segments(
        _ bytes: [UInt8],
        _ path: Range<Int>
    ) throws(RequestError) -> [String] {
        var segments: [String] = []
        var start = min(path.lowerBound + 1, path.upperBound)
        while let end = bytes.span.firstIndex(of: .slash, in: start..<path.upperBound) {
            segments.append(try bytes.span.extracting(start..<end).percentDecoded())
            start = end + 1
        }
        segments.append(try bytes.span.extracting(start..<path.upperBound).percentDecoded())
        return segments
    }
}
