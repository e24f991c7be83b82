import Glibc

/// Searches for a byte, many at a time.
extension UnsafeBufferPointer<UInt8> {
    fileprivate func place(of byte: UInt8, from start: Int) -> Int? {
        guard let base = baseAddress, start < count,
            let found = memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}

extension [UInt8] {
    /// The first place of a byte at `start` or behind it.
    func place(of byte: UInt8, from start: Int) -> Int? {
        withUnsafeBufferPointer { $0.place(of: byte, from: start) }
    }

    /// Appends text with `&`, `<`, `>` and `"` as references.
    mutating func append(escapedForHTML text: ArraySlice<UInt8>) {
        var start = text.startIndex
        for index in text.indices {
            let reference: StaticString
            switch text[index] {
            case UInt8(ascii: "&"): reference = "&amp;"
            case UInt8(ascii: "<"): reference = "&lt;"
            case UInt8(ascii: ">"): reference = "&gt;"
            case UInt8(ascii: "\""): reference = "&quot;"
            default: continue
            }
            append(contentsOf: text[start..<index])
            reference.withUTF8Buffer { append(contentsOf: $0) }
            start = index + 1
        }
        append(contentsOf: text[start...])
    }
}

extension ArraySlice<UInt8> {
    /// The first place of a byte at `start` or behind it.
    func place(of byte: UInt8, from start: Int) -> Int? {
        withUnsafeBufferPointer { $0.place(of: byte, from: start - startIndex) }
            .map { $0 + startIndex }
    }
}

extension String {
    /// Whether a byte is in its UTF-8.
    func has(_ byte: UInt8) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.place(of: byte, from: 0) != nil }
            ?? utf8.contains(byte)
    }
}
