extension RequestTarget.Form {
    /// The form of a target whose bytes all are such as a target may have; nil when it has none,
    /// or one that `method` may not have.
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

    /// Whether it is an address of one of the two schemes, without a user (RFC 9110 §4.2).
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
