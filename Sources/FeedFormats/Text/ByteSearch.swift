import Glibc

/// Searches for a byte, many at a time.
extension Collection<UInt8> where Index == Int {
    /// Returns the first index of a byte, at `start` or later, in bytes that lie together.
    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        let found = withContiguousStorageIfAvailable { bytes -> Int? in
            let offset = start - startIndex
            guard let base = bytes.baseAddress, offset < bytes.count,
                let found = memchr(base + offset, Int32(byte), bytes.count - offset)
            else { return nil }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base) + startIndex
        }
        return found ?? nil
    }
}

extension [UInt8] {
    /// Returns whether a part of the array equals other bytes.
    func has(_ other: [UInt8], in range: Range<Int>) -> Bool {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        guard other.count == range.count else { return false }
        return withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return true }
            return other.withUnsafeBufferPointer { other in
                other.baseAddress.map { memcmp(base + range.lowerBound, $0, range.count) == 0 }
                    ?? true
            }
        }
    }

    /// Returns the first index of a text, at `start` or later.
    func firstIndex(of text: StaticString, from start: Int) -> Int? {
        withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return nil }
            let count = text.utf8CodeUnitCount
            var next = start
            while let found = bytes.firstIndex(of: text.utf8Start[0], from: next) {
                if found + count > bytes.count { return nil }
                if memcmp(base + found, text.utf8Start, count) == 0 { return found }
                next = found + 1
            }
            return nil
        }
    }

    /// Appends text with `&`, `<`, `>` and `"` as references.
    mutating func append(escapedForHTML text: ArraySlice<UInt8>) {
        text.withUnsafeBufferPointer { append(escapedForHTML: $0) }
    }

    /// Appends text with `&`, `<`, `>` and `"` as references.
    mutating func append(escapedForHTML text: String) {
        var text = text
        text.withUTF8 { append(escapedForHTML: $0) }
    }

    private mutating func append(escapedForHTML text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in text.indices {
            let byte = text[index]
            // Letters are tested first: nearly all bytes are letters.
            if byte > UInt8(ascii: ">") { continue }
            let reference: StaticString
            switch byte {
            case UInt8(ascii: "&"): reference = "&amp;"
            case UInt8(ascii: "<"): reference = "&lt;"
            case UInt8(ascii: ">"): reference = "&gt;"
            case UInt8(ascii: "\""): reference = "&quot;"
            default: continue
            }
            append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            reference.withUTF8Buffer { append(contentsOf: $0) }
            start = index + 1
        }
        append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }
}

extension UInt8 {
    fileprivate var isControl: Bool {
        self < 0x20 && self != 0x09 && self != 0x0A && self != 0x0C && self != 0x0D
    }
}

extension StringProtocol {
    /// Returns whether the text's UTF-8 has a byte.
    func has(_ byte: UInt8) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.firstIndex(of: byte, from: 0) != nil }
            ?? utf8.contains(byte)
    }
}

extension String {
    /// The text without the control characters that no text has: C0 without the white space of
    /// HTML.
    var withoutControls: String {
        let bytes = utf8.span
        var controls: UInt8 = 0
        for index in bytes.indices { controls |= bytes[index].isControl ? 1 : 0 }
        return controls == 0 ? self : String(decoding: utf8.filter { !$0.isControl }, as: UTF8.self)
    }

    /// Returns the text with only the scalars that a condition holds for.
    func keeping(where isKept: (Unicode.Scalar) -> Bool) -> String {
        String(UnicodeScalarView(unicodeScalars.filter(isKept)))
    }

    /// The text without byte order marks (U+FEFF).
    var withoutByteOrderMarks: String {
        hasByteOrderMark ? keeping { $0 != "\u{FEFF}" } : self
    }

    /// Whether the text has a byte order mark (U+FEFF).
    var hasByteOrderMark: Bool {
        // Nearly no text has the mark's first byte, which is found many bytes at a time.
        has(0xEF) && unicodeScalars.contains("\u{FEFF}")
    }
}
