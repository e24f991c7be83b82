/// Finds the web page of a film from the address of its embedded player.
enum PlayerAddress {
    /// Returns the page of the film; the player's own address if the site is not known.
    static func page(of address: String) -> String {
        let host = host(of: address)
        let path = address.utf8.drop(while: { $0 != UInt8(ascii: "/") }).dropFirst(2)
            .drop { $0 != UInt8(ascii: "/") }
        let parts = String(Substring(path)).prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        guard parts.count == 2, parts[1].utf8.allSatisfy(isPlain) else { return address }
        switch (host, parts[0]) {
        case ("youtube.com", "embed"), ("youtube-nocookie.com", "embed"), ("youtube.com", "v"):
            if parts[1] == "videoseries" { return address }
            return "https://www.youtube.com/watch?v=\(parts[1])"
        case ("player.vimeo.com", "video"): return "https://vimeo.com/\(parts[1])"
        default: return address
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// Returns the host of an address without `www.`, which names a film without a title.
    static func host(of address: String) -> String {
        guard let start = address.firstRange(of: "//") else { return address }
        let authority = address[start.upperBound...].prefix { !"/?#".contains($0) }
        let name = (authority.split(separator: "@").last ?? authority).prefix { $0 != ":" }
        let host = name.lowercased()
        return host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
    }
}
