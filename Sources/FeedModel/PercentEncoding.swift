extension String {
    /// The text with all bytes but the unreserved ones encoded, for a path segment, or for a name
    /// or value in a query (RFC 3986 §2.1).
    package var percentEncoded: String {
        utf8.percentEncoded { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-._~".utf8.contains(byte)
        }
    }
}

extension Sequence<UInt8> {
    /// Returns the bytes as a text, in which those that are not plain are encoded (RFC 3986 §2.1).
    ///
    /// - Parameter isPlain: Whether a byte stands for itself; it is one of ASCII.
    package func percentEncoded(unless isPlain: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(underestimatedCount)
        for byte in self {
            if isPlain(byte) {
                text.append(byte)
            } else {
                text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
