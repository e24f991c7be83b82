/// The strong entity tag of a representation without a coding (RFC 9110 §8.8.3); with a suffix it
/// is the tag of a coded representation.
///
/// Its bytes are stored inline, because it is compared with the tags of nearly all requests.
package struct EntityTag: Sendable {
    private let bytes: InlineArray<40, UInt8>
    private let count: Int

    /// The most bytes of a tag.
    package static let byteLimit = 40

    /// Makes a tag from its text.
    ///
    /// - Parameter text: The tag without quotes: at most ``byteLimit`` bytes, without quotes or
    ///   white space.
    package init(_ text: some Collection<UInt8>) {
        precondition(text.count <= EntityTag.byteLimit, "a tag is too long")
        var bytes = InlineArray<40, UInt8>(repeating: 0)
        var count = 0
        for byte in text {
            bytes[count] = byte
            count += 1
        }
        self.bytes = bytes
        self.count = count
    }

    /// Makes a tag from the 128 bits of a hash: 32 lower-case hexadecimal digits, the lowest bits
    /// of each number first.
    package init(hash first: UInt64, _ second: UInt64) {
        var bytes = InlineArray<40, UInt8>(repeating: 0)
        for index in 0..<8 {
            let shift = UInt64(8 * index)
            bytes[index] = UInt8(truncatingIfNeeded: first.digitsOfLowerHalf >> shift)
            bytes[8 + index] = UInt8(truncatingIfNeeded: (first >> 32).digitsOfLowerHalf >> shift)
            bytes[16 + index] = UInt8(truncatingIfNeeded: second.digitsOfLowerHalf >> shift)
            bytes[24 + index] = UInt8(truncatingIfNeeded: (second >> 32).digitsOfLowerHalf >> shift)
        }
        self.bytes = bytes
        count = 32
    }

    /// Returns the tag of the representation in a content coding, with its quotes.
    package func text(_ coding: ContentCoding) -> String {
        var text: [UInt8] = []
        append(to: &text)
        return "\"" + String(decoding: text, as: UTF8.self) + coding.tagSuffix + "\""
    }

    /// Appends the bytes, without quotes.
    package func append(to text: inout [UInt8]) {
        for index in 0..<count { text.append(bytes[index]) }
    }

    /// Calls `body` with the bytes, without quotes.
    package func withBytes(_ body: (Span<UInt8>) -> Void) { body(bytes.span.extracting(..<count)) }
}

extension EntityTag: Hashable {
    package static func == (left: EntityTag, right: EntityTag) -> Bool {
        left.count == right.count
            && (0..<left.count).allSatisfy { left.bytes[$0] == right.bytes[$0] }
    }

    package func hash(into hasher: inout Hasher) {
        for index in 0..<count { hasher.combine(bytes[index]) }
    }
}

/// Compares tags with the ones that clients send.
extension EntityTag {
    /// The codings of the representation that a client's tag names.
    struct Match {
        /// The content coding that this server has applied.
        let coding: ContentCoding
        /// The content coding that a proxy has applied, and whose suffix it has added to the tag;
        /// `nil`: none.
        let added: AcceptEncoding.Added?
    }

    /// Returns whether a client's tag names the representation in any coding.
    ///
    /// - Parameters:
    ///   - text: The text that contains the tag.
    ///   - range: The range of the tag without its quotes.
    package func isNamed(in text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        match(text, range, nil) != nil
    }

    /// Compares a client's tag with this one; the caller decides about a weak tag (RFC 9110
    /// §8.8.3.2).
    ///
    /// - Parameters:
    ///   - text: The text that contains the tag.
    ///   - range: The range of the tag without its quotes.
    ///   - coding: The coding of the only representation to compare; `nil`: any coding.
    /// - Returns: `nil` if the client's tag names no representation that is compared.
    func match(_ text: Span<UInt8>, _ range: Range<Int>, _ coding: ContentCoding?) -> Match? {
        var end = range.lowerBound + count
        guard end <= range.upperBound,
            text.isSame(range.lowerBound..<end, as: bytes.span.extracting(..<count))
        else { return nil }
        var own = ContentCoding.identity
        if let coding { own = coding }
        if coding != .identity, text.hasSuffix("-gzip", at: end, in: range) {
            own = .gzip
            end += 5
        } else if coding == .gzip {
            return nil
        }
        let rest = end..<range.upperBound
        if rest.isEmpty { return Match(coding: own, added: nil) }
        return text.added(rest).map { Match(coding: own, added: $0) }
    }
}

extension Span<UInt8> {
    fileprivate func hasSuffix(_ name: StaticString, at index: Int, in range: Range<Int>) -> Bool {
        let end = index + name.utf8CodeUnitCount
        return end <= range.upperBound && isSame(index..<end, as: name)
    }

    /// Returns the content coding whose suffix a compressing proxy adds to a tag; `nil`: the text
    /// is no such suffix.
    fileprivate func added(_ range: Range<Int>) -> AcceptEncoding.Added? {
        if isSame(range, as: "-gzip") { return .gzip }
        if isSame(range, as: "-br") || isSame(range, as: ";br") { return .br }
        if isSame(range, as: "-zstd") { return .zstd }
        return isSame(range, as: "-deflate") ? .deflate : nil
    }
}

extension UInt64 {
    /// The lower 32 bits as eight hexadecimal digits in ASCII; the digit of the lowest four bits is
    /// in the lowest byte.
    fileprivate var digitsOfLowerHalf: UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var numbers = self & 0xffff_ffff
        numbers = (numbers | numbers << 16) & 0x0000_ffff_0000_ffff
        numbers = (numbers | numbers << 8) & 0x00ff_00ff_00ff_00ff
        numbers = (numbers | numbers << 4) & 0x0f0f_0f0f_0f0f_0f0f
        // A number from ten on is a letter: the code of `a` is the code of `0`, plus 10, plus 39.
        let areLetters = (numbers &+ ones &* 6) >> 4 & ones
        return numbers &+ ones &* UInt64(UInt8(ascii: "0")) &+ areLetters &* 39
    }
}

/// The two kinds of values of If-Match and If-None-Match.
package enum EntityTagForm: Sendable {
    /// The value "*".
    case any
    /// A list of at least one tag.
    case list
}

extension Span<UInt8> {
    /// Parses an If-Match or If-None-Match value without copying it (RFC 9110 §13.1.1, §13.1.2).
    ///
    /// - Parameters:
    ///   - lenient: Whether to accept tags without quotes, which end before a quote, a comma or
    ///     white space.
    ///   - visit: Called with the range of each tag without its quotes, and whether the tag is
    ///     weak; also called before a malformed part of the value.
    /// - Returns: `nil` if the value is malformed.
    package func scanEntityTags(
        lenient: Bool,
        _ visit: (_ tag: Range<Int>, _ isWeak: Bool) -> Void
    ) -> EntityTagForm? {
        var index = 0
        var tagCount = 0
        var isAny = false
        var isSeparated = true
        while true {
            index = afterBlanks(index..<count)
            guard index < count else { break }
            if self[index] == .comma {
                index += 1
                isSeparated = true
                continue
            }
            // The value "*" must be alone, and tags must be separated.
            guard isSeparated, !isAny else { return nil }
            isSeparated = false
            if self[index] == UInt8(ascii: "*"), tagCount == 0 {
                isAny = true
                index += 1
            } else {
                // "W/" is case-sensitive (RFC 9110 §8.8.3).
                let isWeak =
                    index + 1 < count && self[index] == UInt8(ascii: "W")
                    && self[index + 1] == .slash
                if isWeak { index += 2 }
                guard let tag = entityTag(at: &index, lenient: lenient) else { return nil }
                visit(tag, isWeak)
                tagCount += 1
            }
        }
        guard isAny || tagCount > 0 else { return nil }
        return isAny ? .any : .list
    }

    /// Parses the tag at `index`, and moves `index` past it.
    ///
    /// - Returns: The range of the tag without its quotes; `nil`: the tag is malformed.
    private func entityTag(at index: inout Int, lenient: Bool) -> Range<Int>? {
        let isQuoted = index < count && self[index] == .quote
        guard isQuoted || lenient else { return nil }
        if isQuoted { index += 1 }
        let start = index
        while index < count, self[index].isEntityTagCharacter,
            isQuoted || self[index] != .comma && self[index] != UInt8(ascii: "*")
        {
            index += 1
        }
        let tag = start..<index
        if isQuoted {
            guard index < count, self[index] == .quote else { return nil }
            index += 1
        } else if tag.isEmpty {
            return nil
        }
        return tag
    }
}

extension UInt8 {
    /// Whether the byte is an etagc (RFC 9110 §8.8.3).
    fileprivate var isEntityTagCharacter: Bool {
        self > .space && self != .quote && self != 0x7f
    }
}
