/// The strong entity tag of a representation without a coding (RFC 9110 §8.8.3); with a suffix it
/// is the tag of a coded representation.
package struct EntityTag: Hashable, Sendable {
    /// The bytes of the tag without its quotes.
    package let bytes: [UInt8]

    /// Makes a tag from its text without quotes, which contains neither quotes nor white space.
    package init(_ text: some Sequence<UInt8>) { bytes = Array(text) }

    /// Makes a tag from the 128 bits of a hash: 32 lower-case hexadecimal digits, the lowest bits
    /// of each number first.
    package init(hash first: UInt64, _ second: UInt64) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for number in [first, second] {
            for shift in stride(from: 0, to: 64, by: 4) {
                let digit = UInt8(truncatingIfNeeded: number >> shift) & 15
                bytes.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
            }
        }
        self.bytes = bytes
    }

    /// Returns the tag of the representation in a content coding, with its quotes.
    package func text(_ coding: ContentCoding) -> String {
        "\"" + String(decoding: bytes, as: UTF8.self) + coding.tagSuffix + "\""
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

    /// Returns whether a client's tag, whose range in `text` is without its quotes, names the
    /// representation in any coding.
    package func isNamed(in text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        match(text, range, nil) != nil
    }

    /// Compares a client's tag with this one; the caller decides about a weak tag (RFC 9110
    /// §8.8.3.2).
    ///
    /// - Parameters:
    ///   - range: The range of the tag without its quotes.
    ///   - coding: The coding of the only representation to compare; `nil`: any coding.
    func match(_ text: Span<UInt8>, _ range: Range<Int>, _ coding: ContentCoding?) -> Match? {
        var end = range.lowerBound + bytes.count
        guard end <= range.upperBound, text.isSame(range.lowerBound..<end, as: bytes.span)
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
