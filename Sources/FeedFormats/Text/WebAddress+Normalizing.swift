import FeedModel
import Foundation

/// Addresses as requests need them.
extension WebAddress {
    /// Returns an address with its host's name as it is looked up (RFC 5891): `ü.example` is
    /// `xn--tda.example`.
    ///
    /// To be called before all checks of the host: other characters may stand for the digits of an
    /// IP address.
    ///
    /// - Returns: The address; unchanged if it has no host, or if its host has no such name.
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

    /// Returns an address as it is asked for: with its host's name as it is looked up, and with
    /// escapes for characters that no request has.
    package static func normalized(_ address: String) -> String {
        requested(withASCIIHost(address))
    }

    /// Returns an address as it is sent: with escapes for white space and for all that is not
    /// ASCII.
    ///
    /// Links may have spaces and other letters, which browsers send escaped like this (URL
    /// Standard).
    private static func requested(_ address: String) -> String {
        address.utf8.contains(where: isEscaped) ? requested(bytes: Array(address.utf8)) : address
    }

    /// Returns an address as it is sent, from its bytes in any encoding.
    package static func requested(bytes: [UInt8]) -> String {
        bytes.percentEncoded { !isEscaped($0) }
    }

    private static func isEscaped(_ byte: UInt8) -> Bool { byte <= 0x20 || byte >= 0x7F }

    /// Returns an address of the web in place of one for feed readers (`feed:`, `feeds:`, `itpc:`,
    /// `pcast:`); other addresses stay as they are.
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
        // Foundation has the tables of Unicode that this takes.
        guard let whole = URL(string: "http://\(host)/")?.absoluteString else { return nil }
        let name = whole.dropFirst("http://".count).dropLast()
        let isName = isASCII(name) && !name.contains { "%/?#@:".contains($0) }
        return isName && !name.isEmpty ? String(name) : nil
    }

    private static func isASCII(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 }
    }
}
