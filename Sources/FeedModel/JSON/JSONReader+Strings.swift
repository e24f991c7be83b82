extension JSONReader {
    /// Reads a string (RFC 8259 §7).
    ///
    /// Eight bytes are read at a time; bytes that are not ASCII are noted on the way and validated
    /// at the end.
    mutating func string(in source: Span<UInt8>) throws(JSONFault) -> StringToken {
        let start = index + 1
        var position = start
        var state = hashes.string
        var seen: UInt64 = 0
        while true {
            let word = source.paddedWord(at: position)
            let stops = word.stopsOfString
            seen |= word
            guard stops != 0 else {
                state = hashes.adding(word, to: state)
                position += 8
                continue
            }
            let count = stops.trailingZeroBitCount >> 3
            guard word.byte(count) == UInt8(ascii: "\"") else {
                let beginning = StringHash(state: state, count: position - start)
                return try string(in: source, from: start, after: beginning)
            }
            let end = position + count
            if !seen.isASCII { try checkEncoding(from: start, to: end, of: source) }
            index = end + 1
            let length = end - start
            return StringToken(
                start: start,
                end: end,
                hash: hashes.ending(state, tail: word & .lowBytes(count), length: length),
                isEscaped: false
            )
        }
    }

    /// Reads the rest of a string that contains an escape or a byte that is not allowed.
    private mutating func string(
        in source: Span<UInt8>,
        from start: Int,
        after beginning: StringHash
    ) throws(JSONFault) -> StringToken {
        var hash = beginning
        index = start + beginning.count
        while true {
            let word = source.paddedWord(at: index)
            let stops = word.stopsOfString
            guard stops != 0 else {
                hash.add(word, count: 8)
                index += 8
                continue
            }
            let count = stops.trailingZeroBitCount >> 3
            hash.add(word & .lowBytes(count), count: count)
            index += count
            switch word.byte(count) {
            case UInt8(ascii: "\""):
                try checkEncoding(from: start, to: index, of: source)
                index += 1
                return StringToken(start: start, end: index - 1, hash: hash.end(), isEscaped: true)
            case UInt8(ascii: "\\"):
                do throws(JSONFault) {
                    let escape = try escape(in: source)
                    hash.add(escape.utf8, count: escape.count)
                } catch {
                    try checkEncoding(from: start, to: error.offset, of: source)
                    throw error
                }
            default:
                try checkEncoding(from: start, to: index, of: source)
                if index == source.count { throw expected("the closing quote") }
                throw refused("a control character in a string must be escaped")
            }
        }
    }

    private func checkEncoding(
        from start: Int,
        to end: Int,
        of source: Span<UInt8>
    ) throws(JSONFault) {
        guard let position = source.firstNotUTF8(from: start, to: end) else { return }
        throw refused("holds bytes that are not UTF-8", at: position)
    }

    private func refused(_ reason: StaticString, at offset: Int? = nil) -> JSONFault {
        JSONFault(offset: offset ?? index, problem: .refused(reason))
    }
}

extension JSONReader {
    /// The UTF-8 of a scalar, the first byte lowest.
    private typealias Scalar = (utf8: UInt64, count: Int)

    /// Reads an escape, or two that form a surrogate pair.
    ///
    /// - Returns: The character.
    private mutating func escape(in source: Span<UInt8>) throws(JSONFault) -> Scalar {
        let start = index
        index += 1
        let kind = next(in: source)
        if kind == UInt8(ascii: "u") {
            return UInt64.utf8(of: try escapedScalar(in: source, from: start))
        }
        guard let byte = kind.meaningAfterBackslash else {
            throw expected("one of “\"\\/bfnrtu” after a backslash")
        }
        index += 1
        return (UInt64(byte), 1)
    }

    /// Reads `u` and its four digits, and the second half if it is the first of a surrogate pair.
    private mutating func escapedScalar(
        in source: Span<UInt8>,
        from start: Int
    ) throws(JSONFault) -> UInt32 {
        let unit = try codeUnit(in: source)
        guard 0xd800...0xdfff ~= unit else { return unit }
        guard unit < 0xdc00, next(in: source) == UInt8(ascii: "\\"), index + 1 < source.count,
            source[index + 1] == UInt8(ascii: "u")
        else { throw refused("holds half a surrogate pair", at: start) }
        index += 1
        let low = try codeUnit(in: source)
        guard 0xdc00...0xdfff ~= low else {
            throw refused("holds half a surrogate pair", at: start)
        }
        return 0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00)
    }

    /// Reads `u` and its four digits.
    private mutating func codeUnit(in source: Span<UInt8>) throws(JSONFault) -> UInt32 {
        guard let unit = source.hexadecimal(at: index + 1) else {
            throw refused("“\\u” must have four hexadecimal digits")
        }
        index += 5
        return unit
    }
}

extension UInt8 {
    /// The character of the escape with this letter, except `u` (RFC 8259 §7); nil if there is
    /// none.
    @inline(__always)
    var meaningAfterBackslash: UInt8? {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): self
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "r"): 0x0d
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0c
        default: nil
        }
    }
}

extension UInt64 {
    /// The high bit of the first byte that is a quote, a backslash or a control character; 0 if
    /// there is none.
    ///
    /// Higher bits may be set as well: a byte is zero if subtracting 1 from it borrows, and a
    /// borrow affects only higher bytes.
    @inline(__always)
    fileprivate var stopsOfString: UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = self ^ (ones &* 0x22)
        let backslashes = self ^ (ones &* 0x5c)
        let isStop = (quotes &- ones) | (backslashes &- ones) | (self &- ones &* 0x20)
        return isStop & ~self & (ones &* 0x80)
    }
}
