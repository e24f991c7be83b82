import Glibc

/// Searches for the ends of the parts of a request's head.
extension Span<UInt8> {
    /// Returns the first index of `byte` in `range`; `nil` if there is none.
    package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        let bytes = extracting(range)
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress,
                let found = unsafe memchr(start, CInt(byte), bytes.count)
            else { return nil }
            return range.lowerBound + (unsafe UnsafeRawPointer(found) - UnsafeRawPointer(start))
        }
    }

    /// Returns the index of the first byte from `index` on that a part may not contain; the end of
    /// the span if there is none.
    @inline(__always)
    func end(of part: HeadPart, from index: Int) -> Int {
        var index = index
        while true {
            while index < count - 7 {
                let others = unsafe part.others(among: word(atUnchecked: index))
                index &+= others.trailingZeroBitCount &>> 3
                if others != 0 { break }
            }
            guard index < count, part.contains(self[index]) else { return index }
            index += 1
        }
    }
}

/// A part of a head that ends at the first byte that it may not contain.
enum HeadPart {
    /// A token, as names and methods are (RFC 9110 §5.6.2).
    case token
    /// A request's target: visible ASCII except the fragment's "#".
    case target
    /// A field's value (RFC 9110 §5.5).
    case fieldContent

    /// Returns whether the part may contain a byte.
    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        switch self {
        case .token: byte.isTokenCharacter
        case .target: byte.isTargetCharacter
        case .fieldContent: byte.isFieldContent
        }
    }

    /// Finds, among eight bytes, the first one that the part may not contain.
    ///
    /// Some rare bytes that the part may contain are found, too, so the caller must check.
    ///
    /// - Parameter word: The bytes as a number, the first byte lowest.
    /// - Returns: A number whose lowest 1 bit is the highest bit of the byte that is found; higher
    ///   bits have no meaning. The number is 0 if no byte is found.
    @inline(__always)
    fileprivate func others(among word: UInt64) -> UInt64 {
        // A subtraction sets the highest bit of a byte that is too small, and borrows only from the
        // bytes behind it.
        let isDelete = (word ^ .bytes(0x7f)) &- .bytes(1)
        let marks: UInt64
        switch self {
        case .token:
            // Nearly all bytes of a name are letters and hyphens. Sums of seven bits set the
            // highest bit of a byte, and carry into no other.
            let low = word & .bytes(0x7f)
            let letter = low | .bytes(0x20)
            let isLetter = (letter &+ .bytes(0x80 - 0x61)) & ~(letter &+ .bytes(0x80 - 0x7b))
            let isHyphen = ~((low ^ .bytes(0x2d)) &+ .bytes(0x7f))
            marks = ~(isLetter | isHyphen)
        case .target:
            let isNumberSign = (word ^ .bytes(0x23)) &- .bytes(1)
            marks = (word &- .bytes(0x21)) | isDelete | isNumberSign
        case .fieldContent:
            marks = (word &- .bytes(0x20)) | isDelete
        }
        return (marks | word) & .bytes(0x80)
    }
}

/// Operates on eight bytes at once, which are a number with the first byte lowest.
extension UInt64 {
    /// The eight bytes in lower case, provided that all are letters, digits or hyphens.
    var lowercasedBytes: UInt64 { self | .bytes(0x20) }

    /// Returns a number of eight equal bytes.
    fileprivate static func bytes(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }
}

extension Span<UInt8> {
    /// Returns whether the bytes of `range` are a token (RFC 9110 §5.6.2).
    func isToken(in range: Range<Int>) -> Bool {
        for index in range where !self[index].isTokenCharacter { return false }
        return !range.isEmpty
    }

    /// Returns `range` without the white space at both ends.
    @inline(__always)
    package func trimmed(_ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, self[lower].isBlank { lower += 1 }
        while lower < upper, self[upper - 1].isBlank { upper -= 1 }
        return lower..<upper
    }

    /// Returns the next element of a comma-separated list, which may be empty, without the white
    /// space around it; quotes have no meaning (RFC 9110 §5.6.1).
    ///
    /// - Parameter range: The rest of the list; afterwards the rest behind the next comma, `nil`
    ///   after the last element.
    func nextElement(in range: inout Range<Int>?) -> Range<Int>? {
        guard let rest = range else { return nil }
        for index in rest where self[index] == .comma {
            range = (index + 1)..<rest.upperBound
            return trimmed(rest.lowerBound..<index)
        }
        range = nil
        return trimmed(rest)
    }
}

/// Reads elements, numbers and weights in the values of fields.
extension Span<UInt8> {
    /// Returns the index of the first byte of `range` that is not white space; the end of `range`
    /// if there is none.
    func afterBlanks(_ range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound, self[index].isBlank { index += 1 }
        return index
    }

    /// Returns the next element of a comma-separated list that is not empty, without the white
    /// space around it; a comma in quotes does not separate (RFC 9110 §5.6.1).
    ///
    /// - Parameter range: The rest of the list; afterwards the rest behind the next comma, `nil`
    ///   after the last element.
    func nextUnquotedElement(in range: inout Range<Int>?) -> Range<Int>? {
        while let rest = range {
            let end = endOfUnquotedElement(rest)
            range = end < rest.upperBound ? end + 1..<rest.upperBound : nil
            let element = trimmed(rest.lowerBound..<end)
            if !element.isEmpty { return element }
        }
        return nil
    }

    /// Returns the index of the first comma of `range` outside quotes; the end of `range` if there
    /// is none.
    func endOfUnquotedElement(_ range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound, self[index] != .comma, self[index] != .quote { index += 1 }
        // Nearly all elements have no quotes.
        guard index < range.upperBound, self[index] == .quote else { return index }
        var isQuoted = false
        while index < range.upperBound, isQuoted || self[index] != .comma {
            if self[index] == .quote { isQuoted.toggle() }
            if self[index] == .backslash, isQuoted { index += 1 }
            index += 1
        }
        return Swift.min(index, range.upperBound)
    }

    /// The decimal number that the bytes write; `nil` unless all of them are digits; a number
    /// beyond `Int` becomes the largest `Int`.
    package var wholeNumber: Int? {
        guard !isEmpty else { return nil }
        var number = 0
        for index in indices {
            guard self[index].isDigit else { return nil }
            let (scaled, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = scaled.addingReportingOverflow(Int(self[index] - 0x30))
            number = isTooLarge || overflows ? Int.max : sum
        }
        return number
    }

    /// Returns the weight (RFC 9110 §12.4.2) in `range`, in thousandths; `nil` unless it is from 0
    /// to 1 with at most three decimals.
    package func weight(in range: Range<Int>) -> Int? {
        guard 1...5 ~= range.count, self[range.lowerBound] &- 0x30 <= 1 else { return nil }
        var weight = 1000 * Int(self[range.lowerBound] - 0x30)
        if range.count > 1, self[range.lowerBound + 1] != UInt8(ascii: ".") { return nil }
        var scale = 100
        for index in range.dropFirst(2) {
            guard self[index].isDigit else { return nil }
            weight += Int(self[index] - 0x30) * scale
            scale /= 10
        }
        return weight <= 1000 ? weight : nil
    }
}

/// Compares bytes, and reads up to eight bytes as one number.
extension Span<UInt8> {
    /// The bytes as one number whose lowest byte is the last one; there must be at most eight.
    package var shortWord: UInt64 {
        var word: UInt64 = 0
        for index in indices { word = word << 8 | UInt64(self[index]) }
        return word
    }

    /// Returns the bytes of `range` in lower case as one number whose lowest byte is the last one;
    /// they must be at most eight letters, digits and hyphens.
    func lowercasedNumber(in range: Range<Int>) -> UInt64 {
        guard range.upperBound >= 8 else {
            var number: UInt64 = 0
            for index in range { number = number << 8 | UInt64(self[index] | 0x20) }
            return number
        }
        let end = word(at: range.upperBound - 8).lowercasedBytes.byteSwapped
        return end & ~(~0 << UInt64(8 * range.count))
    }

    /// Returns the eight bytes from `index` on as a number, the first byte lowest; the index is not
    /// checked.
    @unsafe @inline(__always)
    private func word(atUnchecked index: Int) -> UInt64 {
        UInt64(
            littleEndian: unsafe bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: index,
                as: UInt64.self
            )
        )
    }

    /// Returns the eight bytes from `index` on as a number, the first byte lowest.
    package func word(at index: Int) -> UInt64 {
        // The load is safe, because any eight bytes make a number, and it checks the bounds.
        UInt64(
            littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
        )
    }

    /// Returns whether the bytes of `range` are equal to those of `other`.
    package func isSame(_ range: Range<Int>, as other: Span<UInt8>) -> Bool {
        guard range.count == other.count else { return false }
        return unsafe extracting(range).withUnsafeBytes { bytes in
            unsafe other.withUnsafeBytes { other in
                // Only empty bytes have no address.
                guard let bytes = bytes.baseAddress, let start = other.baseAddress else {
                    return true
                }
                return unsafe memcmp(bytes, start, other.count) == 0
            }
        }
    }

    /// Returns whether the bytes of `range` are equal to those of `text`.
    package func isSame(_ range: Range<Int>, as text: StaticString) -> Bool {
        // The compiler made the text, so its length is right.
        let bytes = unsafe UnsafeBufferPointer(
            start: text.utf8Start,
            count: text.utf8CodeUnitCount
        )
        return unsafe isSame(range, as: bytes.span)
    }

    /// Returns whether the bytes of `range` are equal to those of `text`, ASCII without letters in
    /// upper case, ignoring the case of letters.
    @inline(__always)
    package func equals(_ text: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        let (bytes, wanted) = unsafe (extracting(range), text.utf8Start)
        for index in bytes.indices {
            guard unsafe bytes[index].lowercased == wanted[index] else { return false }
        }
        return true
    }
}

/// Tells the classes of bytes in HTTP's grammar (RFC 9110 §5.6, RFC 5234 §B.1).
extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0a
    static let carriageReturn: UInt8 = 0x0d
    static let space: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let percent: UInt8 = 0x25
    static let comma: UInt8 = 0x2c
    static let slash: UInt8 = 0x2f
    static let colon: UInt8 = 0x3a
    static let semicolon: UInt8 = 0x3b
    static let equals: UInt8 = 0x3d
    static let backslash: UInt8 = 0x5c

    /// Whether the byte is SP or HTAB.
    var isBlank: Bool {
        switch self {
        case .space, .tab: true
        default: false
        }
    }

    /// Whether the byte is a DIGIT.
    var isDigit: Bool { self &- 0x30 <= 9 }

    /// Whether the byte is an ALPHA.
    var isLetter: Bool { (self | 0x20) &- 0x61 <= 25 }

    /// Whether a field's value may contain the byte: VCHAR, obs-text, SP or HTAB (RFC 9110 §5.5).
    var isFieldContent: Bool {
        switch self {
        case .tab, 0x20...0x7e, 0x80...: true
        default: false
        }
    }

    /// Whether a request target may contain the byte: visible ASCII except the fragment's "#".
    var isTargetCharacter: Bool { self &- 0x21 <= 0x7e - 0x21 && self != UInt8(ascii: "#") }

    /// Whether the byte is a tchar (RFC 9110 §5.6.2): letters, digits and ``!#$%&'*+-.^_`|~``.
    var isTokenCharacter: Bool { isIn(0x03ff_6cfa_0000_0000, 0x57ff_ffff_c7ff_fffe) }

    /// Whether a host's name may contain the byte, apart from percent-encoding: unreserved and
    /// sub-delims (RFC 3986 §3.2.2), which are letters, digits and `-._~!$&'()*+,;=`.
    var isRegisteredNameCharacter: Bool { isIn(0x2bff_7fd2_0000_0000, 0x47ff_fffe_87ff_fffe) }

    /// Whether the name of a host in a request may contain the byte: the bytes of
    /// ``isRegisteredNameCharacter`` except the comma, which joins several Host fields.
    var isHostNameCharacter: Bool { isIn(0x2bff_6fd2_0000_0000, 0x47ff_fffe_87ff_fffe) }

    /// Returns whether the byte is in a set of ASCII characters, given as one bit for each
    /// character: the first 64 in `low`, the others in `high`.
    private func isIn(_ low: UInt64, _ high: UInt64) -> Bool {
        guard self < 0x80 else { return false }
        let bits = self & 0x40 == 0 ? low : high
        return bits >> UInt64(self & 0x3f) & 1 != 0
    }

    /// The byte in lower case if it is an ASCII letter; any other byte unchanged.
    var lowercased: UInt8 { self &- 0x41 <= 25 ? self | 0x20 : self }

    /// The value of a hexadecimal digit; `nil` for any other byte.
    package var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
