import COpenSSL

/// Ids of items made of what entries are known by.
package enum EntryID {
    /// A text as an id: itself if an id may be so, else its SHA-256 in hex.
    package static func id(_ text: String) -> String {
        let isPlain =
            1...256 ~= text.utf8.count && text != "." && text != ".."
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return isPlain ? text : digest(text)
    }

    /// The SHA-256 of a text, in hex.
    package static func digest(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var digest = [UInt8](repeating: 0, count: 32)
        freshet_sha256(bytes, bytes.count, &digest)
        let hex = Array("0123456789abcdef".utf8)
        return String(
            decoding: digest.flatMap { [hex[Int($0 >> 4)], hex[Int($0 & 15)]] },
            as: UTF8.self
        )
    }
}
