import FeedFormats
import Foundation

extension WebAddress {
    /// An address with the name of its host as it is looked up (RFC 5891): `ü.example` is
    /// `xn--tda.example`.
    ///
    /// It is to come before all checks of the host: other signs may stand for those of an IP address.
    ///
    /// - Returns: The address as it is where the host has no other name, or is none.
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

    private static func asciiName(_ host: Substring) -> String? {
        // Foundation knows the tables of Unicode for that.
        guard let whole = URL(string: "http://\(host)/")?.absoluteString else { return nil }
        let name = whole.dropFirst("http://".count).dropLast()
        let isName = isASCII(name) && !name.contains { "%/?#@:".contains($0) }
        return isName && !name.isEmpty ? String(name) : nil
    }

    private static func isASCII(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 }
    }
}

extension SourceSettings.Location {
    /// The same with the name of the host as it is looked up.
    var lookedUp: SourceSettings.Location {
        guard case .web(let address) = self else { return self }
        return .web(WebAddress.withASCIIHost(address))
    }
}
