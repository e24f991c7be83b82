extension JSONReader {
    /// Passes a number (RFC 8259 §6).
    ///
    /// - Returns: The hash of its spelling.
    mutating func number(in source: Span<UInt8>) throws(JSONFault) -> UInt64 {
        let start = index
        if next(in: source) == UInt8(ascii: "-") { index += 1 }
        if next(in: source) == UInt8(ascii: "0") {
            index += 1
        } else {
            try digits(in: source, of: start)
        }
        if next(in: source) == UInt8(ascii: ".") {
            index += 1
            try digits(in: source, of: start)
        }
        if next(in: source) | 0x20 == UInt8(ascii: "e") {
            index += 1
            switch next(in: source) {
            case UInt8(ascii: "+"), UInt8(ascii: "-"): index += 1
            default: break
            }
            try digits(in: source, of: start)
        }
        return hashes.bytes(source, from: start, to: index, seed: hashes.number)
    }

    /// Passes one digit or more, of the number that began at `start`.
    @inline(__always)
    private mutating func digits(
        in source: Span<UInt8>,
        of start: Int
    ) throws(JSONFault) {
        guard next(in: source) &- UInt8(ascii: "0") <= 9 else {
            throw expected("a digit", in: start)
        }
        repeat { index += 1 } while next(in: source) &- UInt8(ascii: "0") <= 9
    }
}

extension JSONReader {
    /// Passes a string (RFC 8259 §7).
    ///
    /// Eight bytes at a time as long as they are ASCII without escapes, which most strings are to
    /// their end.
    mutating func string(in source: Span<UInt8>) throws(JSONFault) -> StringToken {
        let start = index + 1
        var place = start
        var state = hashes.string
        while place + 8 <= source.count {
            let word = source.word(at: place)
            let stops = word.stopsOfString
            if stops == 0 {
                state = hashes.adding(word, to: state)
                place += 8
                continue
            }
            let length = stops.trailingZeroBitCount >> 3
            guard unsafe source[unchecked: place + length] == UInt8(ascii: "\"") else { break }
            let tail = word & .lowBytes(length)
            let end = place + length
            index = end + 1
            return StringToken(
                start: start,
                end: end,
                hash: hashes.ending(state, tail: tail, length: end - start),
                isEscaped: false
            )
        }
        return try string(in: source, from: start, checkedTo: place)
    }

    /// Passes a string of any kind, byte by byte.
    private mutating func string(
        in source: Span<UInt8>,
        from start: Int,
        checkedTo place: Int
    ) throws(JSONFault) -> StringToken {
        var isEscaped = false
        index = place
        while true {
            guard index < source.count else { throw expected("the closing quote") }
            switch unsafe source[unchecked: index] {
            case UInt8(ascii: "\""):
                let hash = hash(from: start, isEscaped: isEscaped, in: source)
                let token = StringToken(start: start, end: index, hash: hash, isEscaped: isEscaped)
                index += 1
                return token
            case UInt8(ascii: "\\"):
                isEscaped = true
                try escape(in: source)
            case 0x20...0x7f: index += 1
            case 0x80...: try multibyteScalar(in: source)
            default: throw refused("a control character in a string must be escaped")
            }
        }
    }

    private func hash(from start: Int, isEscaped: Bool, in source: Span<UInt8>) -> UInt64 {
        guard isEscaped else {
            return hashes.bytes(source, from: start, to: index, seed: hashes.string)
        }
        let token = StringToken(start: start, end: index, hash: 0, isEscaped: true)
        let bytes = token.unescaped(in: source)
        return hashes.bytes(bytes.span, from: 0, to: bytes.count, seed: hashes.string)
    }

    /// Passes an escape, or two that are a surrogate pair.
    private mutating func escape(in source: Span<UInt8>) throws(JSONFault) {
        let start = index
        index += 1
        switch next(in: source) {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 1
        case UInt8(ascii: "u"):
            switch try codeUnit(in: source) {
            case 0xd800...0xdbff:
                guard next(in: source) == UInt8(ascii: "\\"), index + 1 < source.count,
                    source[index + 1] == UInt8(ascii: "u")
                else { throw refused("holds half a surrogate pair", at: start) }
                index += 1
                guard 0xdc00...0xdfff ~= (try codeUnit(in: source)) else {
                    throw refused("holds half a surrogate pair", at: start)
                }
            case 0xdc00...0xdfff: throw refused("holds half a surrogate pair", at: start)
            default: break
            }
        default: throw expected("one of “\"\\/bfnrtu” after a backslash")
        }
    }

    /// Passes `u` and its four digits.
    private mutating func codeUnit(in source: Span<UInt8>) throws(JSONFault) -> UInt32 {
        guard let unit = source.hexadecimal(at: index + 1) else {
            throw refused("“\\u” must have four hexadecimal digits")
        }
        index += 5
        return unit
    }

    /// Passes a scalar of two to four bytes (The Unicode Standard, table 3-7).
    @inline(__always)
    private mutating func multibyteScalar(in source: Span<UInt8>) throws(JSONFault) {
        let start = index
        let lead = next(in: source)
        index += 1
        switch lead {
        case 0xc2...0xdf: break
        case 0xe0: try continuation(0xa0...0xbf, in: source, of: start)
        case 0xed: try continuation(0x80...0x9f, in: source, of: start)
        case 0xe1...0xef: try continuation(0x80...0xbf, in: source, of: start)
        case 0xf0: try continuations(0x90...0xbf, in: source, of: start)
        case 0xf1...0xf3: try continuations(0x80...0xbf, in: source, of: start)
        case 0xf4: try continuations(0x80...0x8f, in: source, of: start)
        default: throw refused("holds bytes that are not UTF-8", at: start)
        }
        try continuation(0x80...0xbf, in: source, of: start)
    }

    @inline(__always)
    private mutating func continuations(
        _ first: ClosedRange<UInt8>,
        in source: Span<UInt8>,
        of start: Int
    ) throws(JSONFault) {
        try continuation(first, in: source, of: start)
        try continuation(0x80...0xbf, in: source, of: start)
    }

    @inline(__always)
    private mutating func continuation(
        _ range: ClosedRange<UInt8>,
        in source: Span<UInt8>,
        of start: Int
    ) throws(JSONFault) {
        guard range ~= next(in: source) else {
            throw refused("holds bytes that are not UTF-8", at: start)
        }
        index += 1
    }

    private func refused(_ reason: StaticString, at offset: Int? = nil) -> JSONFault {
        JSONFault(offset: offset ?? index, problem: .refused(reason))
    }
}

extension UInt64 {
    /// The high bit of the first byte that is a quote, a backslash, a control character or not
    /// ASCII; 0 when there is none.
    ///
    /// Higher bits may be set as well. A byte is zero where taking 1 from it borrows; a borrow
    /// reaches only bytes above it.
    @inline(__always)
    fileprivate var stopsOfString: UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = self ^ (ones &* 0x22)
        let backslashes = self ^ (ones &* 0x5c)
        let isQuote = (quotes &- ones) & ~quotes
        let isBackslash = (backslashes &- ones) & ~backslashes
        let isControl = (self &- ones &* 0x20) & ~self
        return (isQuote | isBackslash | isControl | self) & (ones &* 0x80)
    }
}
