/// Finds the addresses in HTML.
enum HTMLAddresses {
    /// Attributes with addresses.
    private static let attributes: Set<String> = [
        "action", "background", "cite", "data", "href", "longdesc", "poster", "src", "srcset",
    ]

    /// Returns whether HTML has a relative address, for which a reader needs a base.
    static func hasRelative(_ html: String) -> Bool {
        let bytes = Array(html.utf8)
        guard mayHaveRelative(bytes) else { return false }
        var tokenizer = HTMLTokenizer(bytes[...])
        while let token = tokenizer.next() {
            guard case .start(_, let found) = token else { continue }
            for (name, value) in found where attributes.contains(name) {
                if !WebAddress.clean(value).isEmpty, WebAddress.scheme(of: value) == nil {
                    return true
                }
            }
        }
        return false
    }

    /// Returns whether an `=` may be followed by a relative address; most HTML has no such `=` and
    /// need not be read tag by tag.
    private static func mayHaveRelative(_ bytes: [UInt8]) -> Bool {
        var next = bytes.firstIndex(of: UInt8(ascii: "="), from: 0)
        while let equals = next {
            let name = bytes[..<equals].suffix(10).reversed().prefix { $0.isASCIILetter }
            let value = bytes[(equals + 1)...]
                .drop { $0.isSpace || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
            let isWeb = ["http://", "https://"].contains { value.starts(with: $0.utf8) }
            let word = String(decoding: name.reversed(), as: UTF8.self).lowercased()
            if !isWeb, attributes.contains(word) || name.isEmpty { return true }
            next = bytes.firstIndex(of: UInt8(ascii: "="), from: equals + 1)
        }
        return false
    }
}
