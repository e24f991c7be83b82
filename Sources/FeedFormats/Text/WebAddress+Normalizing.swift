import FeedModel
import Foundation

/// Normalizes addresses for requests.
extension WebAddress {
    /// Returns an address with its host name in ASCII, as DNS needs it (RFC 5891): `ü.example`
    /// becomes `xn--tda.example`.
    ///
    /// Call this before all checks of the host: characters beyond ASCII may stand for the digits of
    /// an IP address.
    ///
    /// - Returns: The address; unchanged if it has no host, or if the host name has no form in
    ///   ASCII.
    package static func withASCIIHost(_ address: String) -> String {
        guard !isASCII(address), let scheme = address.firstRange(of: "://") else { return address }
        let end = address[scheme.upperBound...].firstIndex { "/?#".contains($0) }
        var authority = address[scheme.upperBound..<(end ?? address.endIndex)]
        if let at = authority.lastIndex(of: "@") {
            authority = authority[authority.index(after: at)...]
        }
        let host = authority.prefix { $0 != ":" }
        guard !isASCII(host), let name = asciiName(host) else { return address }
        return address.replacingCharacters(in: host.startIndex..<host.endIndex, with: name)
    }

    /// Returns an address as a request needs it: with its host name in ASCII, and with white space,
    /// control characters and all other characters beyond ASCII percent-encoded.
    package static func normalized(_ address: String) -> String {
        requested(bytes: withASCIIHost(address).utf8)
    }

    /// Returns an address with the bytes percent-encoded that a request cannot contain: white
    /// space, control characters and all beyond ASCII, which browsers encode like this (URL
    /// Standard).
    ///
    /// - Parameter bytes: The address, in any encoding that extends ASCII.
    package static func requested(bytes: some Sequence<UInt8>) -> String {
        bytes.percentEncoded { 0x21..<0x7F ~= $0 }
    }

    /// Replaces a scheme for feed readers (`feed`, `feeds`, `itpc`, `pcast`) by `http` or `https`;
    /// other addresses keep their scheme.
    ///
    /// `feed://a.example` becomes `http://a.example`, and `feed:https://a.example` becomes
    /// `https://a.example`.
    package static func withWebScheme(_ address: String) -> String {
        let address = clean(address)
        guard let scheme = scheme(of: address) else { return address }
        let rest = String(address.dropFirst(scheme.count + 1))
        switch scheme {
        case "feed" where !rest.hasPrefix("//"), "feeds" where !rest.hasPrefix("//"): return rest
        case "feed", "itpc", "pcast": return "http:" + rest
        case "feeds": return "https:" + rest
        default: return address
        }
    }

    private static func asciiName(_ host: Substring) -> String? {
        // Foundation has the Unicode tables that the conversion needs.
        guard let whole = URL(string: "http://\(host)/")?.absoluteString else { return nil }
        let name = whole.dropFirst("http://".count).dropLast()
        let isName = isASCII(name) && !name.contains { "%/?#@:".contains($0) }
        return isName && !name.isEmpty ? String(name) : nil
    }

    private static func isASCII(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 }
    }
}
