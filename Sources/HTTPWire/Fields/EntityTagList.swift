/// The form of an If-Match or If-None-Match value.
package enum EntityTagForm: Sendable {
    /// The value "*".
    case any
    /// A list of at least one tag.
    case list
}

extension Span<UInt8> {
    /// Parses an If-Match or If-None-Match value without copying it (RFC 9110 §13.1.1).
    ///
    /// - Parameters:
    ///   - lenient: Whether to accept tags without quotes, which end before a quote, a comma or
    ///     white space.
    ///   - visit: Called with the range of each tag without its quotes, and whether the tag is
    ///     weak; also called before a malformed part of the value.
    /// - Returns: nil if the value is malformed.
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

    /// Takes a tag and returns its range.
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
