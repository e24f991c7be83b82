internal import CBytes

/// Searches for the ends of a head's parts, eight bytes at a time.
extension Span<UInt8> {
    /// Returns the first index of `byte` in `range`.
    package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "the range is outside")
        let offset = unsafe withUnsafeBufferPointer { bytes -> Int in
            guard let start = bytes.baseAddress else { return 0 }
            return unsafe freshet_firstIndex(start + range.lowerBound, range.count, byte)
        }
        return offset < range.count ? range.lowerBound &+ offset : nil
    }

    /// Returns the first index of one of two ASCII characters in `range`.
    package func firstIndex(
        of first: Unicode.Scalar,
        or second: Unicode.Scalar,
        in range: Range<Int>
    ) -> Int? {
        let (first, second) = (UInt8(ascii: first), UInt8(ascii: second))
        var index = range.lowerBound
        while index + 8 <= range.upperBound {
            let word = knownWord(at: index)
            let marks = word.marks(first) | word.marks(second)
            guard marks == 0 else { return index + marks.firstMark }
            index += 8
        }
        while index < range.upperBound {
            if self[index] == first || self[index] == second { return index }
            index += 1
        }
        return nil
    }

    /// Returns the end of the token that begins at `index`: the first byte that is no tchar (RFC
    /// 9110 §5.6.2), or the end.
    func endOfToken(from index: Int) -> Int {
        var index = index
        while index + 8 <= count {
            // Most names of fields consist of letters and hyphens.
            let marks = knownWord(at: index).marksUnlessLetter
            index += marks.firstMark
            guard marks != 0 else { continue }
            guard self[index].isTokenCharacter else { return index }
            index += 1
        }
        while index < count, self[index].isTokenCharacter { index += 1 }
        return index
    }

    /// Returns the index of the first byte from `index` on that is not allowed in a target; the end
    /// if there is none.
    func endOfTarget(from index: Int) -> Int {
        var index = index
        while index + 8 <= count {
            let word = knownWord(at: index)
            let marks =
                word.marks(below: 0x21) | word.marks(UInt8(ascii: "#")) | word.marksAboveTilde
            guard marks == 0 else { return index + marks.firstMark }
            index += 8
        }
        while index < count, self[index].isTargetCharacter { index += 1 }
        return index
    }

    /// Returns the index of the first byte from `index` on that is not allowed in a field's value;
    /// the end if there is none (RFC 9110 §5.5).
    func endOfFieldContent(from index: Int) -> Int {
        var controls = ControlPlaces()
        var index = index
        while true {
            index = controls.next(in: self, from: index)
            guard index < count, self[index] == .tab else { return index }
            index += 1
        }
    }
}

extension Span<UInt8> {
    /// Returns whether the bytes of `range` are a token (RFC 9110 §5.6.2).
    func isToken(in range: Range<Int>) -> Bool {
        for index in range where !self[index].isTokenCharacter { return false }
        return !range.isEmpty
    }

    /// Returns `range` without the white space at both ends.
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
    /// - Parameter range: The rest of the list; afterwards the rest after the comma, nil after the
    ///   last element.
    /// - Returns: The range of the element; nil if there are no more.
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

/// Functions for the values of several fields.
extension Span<UInt8> {
    /// Returns the index of the first byte of `range` that is not white space; its end if there is
    /// none.
    func afterBlanks(_ range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound, self[index].isBlank { index += 1 }
        return index
    }

    /// Returns the next element of a comma-separated list that is not empty, without the white
    /// space around it; a comma in quotes does not separate (RFC 9110 §5.6.1).
    ///
    /// - Parameter range: The rest of the list; afterwards the rest after the comma, nil after the
    ///   last element.
    func nextUnquotedElement(in range: inout Range<Int>?) -> Range<Int>? {
        while let rest = range {
            let end = endOfUnquotedElement(rest)
            range = end < rest.upperBound ? end + 1..<rest.upperBound : nil
            let element = trimmed(rest.lowerBound..<end)
            if !element.isEmpty { return element }
        }
        return nil
    }

    /// Returns the index of the first comma of `range` outside quotes; its end if there is none.
    private func endOfUnquotedElement(_ range: Range<Int>) -> Int {
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

    /// The bytes as a decimal number; nil if they are not all digits; a number beyond `Int` becomes
    /// the largest `Int`.
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

    /// Returns the weight (RFC 9110 §12.4.2) in `range`, in thousandths; nil unless it is from 0 to
    /// 1 with at most three decimals.
    func weight(in range: Range<Int>) -> Int? {
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

extension [UInt8] {
    /// Appends all of `bytes` in one go.
    package mutating func append(copying bytes: Span<UInt8>) {
        // The copy is one copy of memory; byte by byte it would be many times slower.
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}

/// Operations on eight bytes at a time, for loops over all bytes of a head.
///
/// The bit tricks are from "Bit Twiddling Hacks" (S. E. Anderson), "Determine if a word has a byte
/// less than n" and "has a zero byte": only the lowest marked byte is certain.
extension Span<UInt8> {
    /// The bytes of fewer than eight as one number, the first of them in its highest bits.
    package var shortWord: UInt64 {
        var word: UInt64 = 0
        for index in indices { word = word << 8 | UInt64(self[index]) }
        return word
    }

    /// Returns the eight bytes from `index` on as a number, the first byte lowest.
    package func word(at index: Int) -> UInt64 { unsafe bytes.word(at: index) }

    /// Returns the eight bytes from `index` on, without a check; they must lie below ``count``.
    func knownWord(at index: Int) -> UInt64 {
        // The load is safe, because any eight bytes make a number.
        UInt64(
            littleEndian: unsafe bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: index,
                as: UInt64.self
            )
        )
    }

    /// Returns whether the bytes of `range` are equal to those of `other`.
    package func isSame(_ range: Range<Int>, as other: Span<UInt8>) -> Bool {
        guard range.count == other.count else { return false }
        let start = range.lowerBound
        var index = 0
        while index + 8 <= other.count {
            guard word(at: start + index) == other.word(at: index) else { return false }
            index += 8
        }
        while index < other.count {
            guard self[start + index] == other[index] else { return false }
            index += 1
        }
        return true
    }

    /// Returns whether the bytes of `range` are equal to those of `text`.
    package func isSame(_ range: Range<Int>, as text: StaticString) -> Bool {
        matches(range, text, inAnyCase: false)
    }

    /// Returns whether the bytes of `range` are equal to those of `text`, ignoring the case of
    /// letters.
    ///
    /// The text must be ASCII in lower case, without "@", "[", "]", "^", "_", "`" and the
    /// characters after "z".
    package func equals(_ text: StaticString, in range: Range<Int>) -> Bool {
        matches(range, text, inAnyCase: true)
    }

    private func matches(
        _ range: Range<Int>,
        _ text: StaticString,
        inAnyCase isCaseless: Bool
    ) -> Bool {
        let size = text.utf8CodeUnitCount
        guard range.count == size else { return false }
        // The compiler made the text, so its length is right.
        let bytes = unsafe UnsafeRawBufferPointer(start: text.utf8Start, count: size)
        let text = unsafe bytes.bytes
        let start = range.lowerBound
        guard size >= 8 else {
            for offset in 0..<size {
                let wanted = text.byte(at: offset)
                let caseBit = isCaseless ? (wanted & 0x40) >> 1 : 0
                guard self[start + offset] | caseBit == wanted else { return false }
            }
            return true
        }
        var offset = 0
        while true {
            let wanted = text.word(at: offset)
            let caseBits = isCaseless ? wanted.caseBits : 0
            guard word(at: start + offset) | caseBits == wanted else { return false }
            if offset + 8 == size { return true }
            // The last word overlaps the previous one.
            offset = Swift.min(offset + 8, size - 8)
        }
    }
}

/// Marks: the highest bit of each byte in question; bits above the lowest mark may be wrong.
extension UInt64 {
    /// A word with the lowest bit of each byte set.
    fileprivate static let ones: UInt64 = 0x0101_0101_0101_0101
    /// A word with the highest bit of each byte set.
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The bit that differs between the cases of a letter, for each letter of a text in lower case.
    ///
    /// Only letters have two cases. They have the bit 0x40, which hyphens and digits do not have.
    var caseBits: UInt64 { (self & (.ones &* 0x40)) >> 1 }

    /// The index of the byte with the lowest mark; 8 if there is none.
    var firstMark: Int { trailingZeroBitCount / 8 }

    /// Returns marks of the bytes equal to `byte`.
    func marks(_ byte: UInt8) -> UInt64 {
        let difference = self ^ (.ones &* UInt64(byte))
        return (difference &- .ones) & ~difference & .highBits
    }

    /// Returns marks of the bytes below `limit`, which is at most 0x80.
    func marks(below limit: UInt8) -> UInt64 {
        (self &- .ones &* UInt64(limit)) & ~self & .highBits
    }

    /// Marks of the bytes that are DEL or above.
    var marksAboveTilde: UInt64 {
        (self | ((self & ~.highBits) &+ .ones)) & .highBits
    }

    /// Marks of the bytes that are neither a letter nor a hyphen.
    var marksUnlessLetter: UInt64 {
        let letter = (self | .ones &* 0x20) & ~.highBits
        let isFromA = letter &+ .ones &* (0x80 - 0x61)
        let isBehindZ = letter &+ .ones &* (0x7f - 0x7a)
        let hyphen = self ^ .ones &* 0x2d
        let isNoHyphen = ((hyphen & ~.highBits) &+ ~.highBits) | hyphen
        return ~(isFromA & ~isBehindZ & ~self | ~isNoHyphen) & .highBits
    }
}

extension RawSpan {
    /// Returns the eight bytes from `index` on as a number, the first byte lowest.
    fileprivate func word(at index: Int) -> UInt64 {
        // The load is safe, because any eight bytes make a number, and it checks the bounds.
        UInt64(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    fileprivate func byte(at index: Int) -> UInt8 {
        unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self)
    }
}

/// Finds the control characters of a head, 64 bytes at a time: lines end at them.
struct ControlPlaces {
    /// The index of the first byte that ``marks`` are about; -64 before the first search.
    private var start = -64
    /// A bit for each of 64 bytes, the lowest for the first byte.
    private var marks: UInt64 = 0

    /// Returns the index of the first control character from `index` on; ``Span/count`` if there is
    /// none.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, the same as in the previous calls.
    ///   - index: An index after the previous result.
    @inline(__always)
    mutating func next(in bytes: Span<UInt8>, from index: Int) -> Int {
        let passed = index &- start
        let ahead = passed < 64 ? marks &>> UInt64(passed) : 0
        return ahead != 0 ? index &+ ahead.trailingZeroBitCount : find(in: bytes, from: index)
    }

    private mutating func find(in bytes: Span<UInt8>, from index: Int) -> Int {
        start = max(index, start &+ 64)
        while start < bytes.count {
            marks = bytes.controls(from: start)
            guard marks == 0 else { return min(start &+ marks.trailingZeroBitCount, bytes.count) }
            start &+= 64
        }
        marks = 0
        return bytes.count
    }
}

extension Span<UInt8> {
    /// Returns marks of the control characters among the 64 bytes from `index` on, which is below
    /// ``count``; if there are fewer bytes, one mark follows the last byte.
    fileprivate func controls(from index: Int) -> UInt64 {
        unsafe extracting(index...).withUnsafeBufferPointer { rest in
            unsafe freshet_controls(rest.baseAddress!, rest.count)
        }
    }

    /// Returns marks of the bytes equal to `byte` among the 16 bytes from `index` on, which must
    /// exist.
    @inline(__always)
    func mask(of byte: UInt8, from index: Int) -> UInt16 {
        unsafe withUnsafeBufferPointer { unsafe freshet_places($0.baseAddress! + index, byte) }
    }

    /// Returns marks of the bytes that are neither ASCII letters nor hyphens among the 16 bytes
    /// from `index` on, which must exist.
    @inline(__always)
    func nonLetters(from index: Int) -> UInt16 {
        unsafe withUnsafeBufferPointer { unsafe freshet_nonLetters($0.baseAddress! + index) }
    }
}

/// The classes of bytes in HTTP's grammar (RFC 9110 §5.6, RFC 5234 §B.1).
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
    var isBlank: Bool { self == .space || self == .tab }

    /// Whether the byte is a DIGIT.
    var isDigit: Bool { self &- 0x30 <= 9 }

    /// Whether the byte is an ALPHA.
    var isLetter: Bool { (self | 0x20) &- 0x61 <= 25 }

    /// Whether a field's value may contain the byte: VCHAR, obs-text, SP or HTAB (RFC 9110 §5.5).
    var isFieldContent: Bool { (self >= 0x20 && self != 0x7f) || self == .tab }

    /// Whether a request target may contain the byte: visible ASCII except the fragment's "#".
    var isTargetCharacter: Bool { self &- 0x21 <= 0x7e - 0x21 && self != UInt8(ascii: "#") }

    /// Whether the byte is a tchar (RFC 9110 §5.6.2): letters, digits and ``!#$%&'*+-.^_`|~``.
    var isTokenCharacter: Bool { isIn(0x03ff_6cfa_0000_0000, 0x57ff_ffff_c7ff_fffe) }

    /// Whether a host's name may contain the byte, apart from percent-encoding: unreserved and
    /// sub-delims (RFC 3986 §3.2.2), which are letters, digits and `-._~!$&'()*+,;=`.
    var isRegisteredNameCharacter: Bool { isIn(0x2bff_7fd2_0000_0000, 0x47ff_fffe_87ff_fffe) }

    /// Whether a host's name may contain the byte, without the comma of
    /// ``isRegisteredNameCharacter``.
    var isHostNameCharacter: Bool { isIn(0x2bff_6fd2_0000_0000, 0x47ff_fffe_87ff_fffe) }

    /// Returns whether the byte is in a set of ASCII characters, given as one bit for each.
    private func isIn(_ low: UInt64, _ high: UInt64) -> Bool {
        let bits = self & 0x40 == 0 ? low : high
        return self < 0x80 && bits >> UInt64(self & 0x3f) & 1 != 0
    }

    /// The lower-case letter of an upper-case one; any other byte unchanged.
    var lowercased: UInt8 { self &- 0x41 <= 25 ? self | 0x20 : self }

    /// The value of a hexadecimal digit; nil for any other byte.
    var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
