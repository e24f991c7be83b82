/// Makes the keys by which two addresses count as the same article's.
extension WebAddress {
    /// The parameters that say where a reader came from.
    private static let tracking: Set<String> = [
        "fbclid", "gclid", "dclid", "msclkid", "mc_cid", "mc_eid", "igshid", "ref_src", "yclid",
        "_hsenc", "_hsmi", "cmpid", "ncid", "spm",
    ]

    /// Returns an address without the parameters that say where a reader came from.
    package static func withoutTracking(_ address: String) -> String {
        guard address.has(UInt8(ascii: "?")) else { return address }
        var parts = Parts(address[...])
        guard let query = parts.query else { return address }
        let pairs = query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let kept = pairs.map { Substring($0) }.filter { pair in
            let name = Substring(pair.utf8.prefix { $0 != UInt8(ascii: "=") }).lowercased()
            return !(name.utf8.starts(with: "utm_".utf8) || tracking.contains(name))
        }
        if kept.count == pairs.count { return address }
        let text = kept.joined(separator: "&")
        parts.query = kept.isEmpty ? nil : text[...]
        return parts.text
    }

    /// Returns the part of an address that stays when scheme, `www.`, tracking and a last slash
    /// change.
    package static func key(_ address: String) -> String {
        var parts = Parts(withoutTracking(address)[...])
        parts.scheme = nil
        // A part of a page may be an article; a fragment for tracking is not.
        let fragment = parts.fragment?.lowercased() ?? ""
        if fragment.isEmpty || fragment.hasPrefix("utm_") || fragment.hasPrefix("xtor=") {
            parts.fragment = nil
        }
        if let authority = parts.authority?.lowercased() {
            let isWorldWide = authority.utf8.starts(with: "www.".utf8)
            parts.authority = isWorldWide ? authority.dropFirst(4) : authority[...]
        }
        parts.dropLastSlashes()
        return parts.text
    }

    /// Returns the part of an address that stays when its site moves to another host; `nil`: there
    /// is none.
    static func pathKey(_ address: String) -> String? {
        guard isWeb(address) else { return nil }
        var parts = Parts(withoutTracking(address)[...])
        (parts.scheme, parts.authority) = (nil, nil)
        parts.dropLastSlashes()
        return parts.text.isEmpty ? nil : parts.text
    }
}
