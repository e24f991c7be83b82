import COpenSSL

/// Makes the ids of items from the names of entries.
package enum EntryID {
    /// Returns a text as an id: the text itself if an id may be so, otherwise its SHA-256 in hex.
    package static func id(_ text: String) -> String {
        let isPlain =
            1...256 ~= text.utf8.count && text != "." && text != ".."
            && (text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
                || !text.unicodeScalars.contains { $0.properties.generalCategory == .control })
        return isPlain ? text : digest(text)
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// Returns the SHA-256 of a text, in hex.
    package static func digest(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var digest = [UInt8](repeating: 0, count: 32)
        freshet_sha256(bytes, bytes.count, &digest)
        var text: [UInt8] = []
        text.reserveCapacity(64)
        for byte in digest {
            text.append(EntryID.digits[Int(byte >> 4)])
            text.append(EntryID.digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
