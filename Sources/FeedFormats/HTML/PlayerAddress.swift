/// Finds the web page of a film from the address of its embedded player.
enum PlayerAddress {
    /// Returns the page of the film; the player's own address if the site is not known.
    static func page(of address: String) -> String {
        let parts = WebAddress.Parts(address[...]).path.split(separator: "/")
        guard parts.count == 2, parts[1].utf8.allSatisfy(isPlain) else { return address }
        switch (host(of: address), parts[0]) {
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
        guard let authority = WebAddress.Parts(address[...]).authority else { return address }
        let name = (authority.split(separator: "@").last ?? authority).prefix { $0 != ":" }
        let host = name.lowercased()
        return host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
    }
}
