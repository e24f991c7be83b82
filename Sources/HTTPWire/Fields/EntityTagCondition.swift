/// The value of If-Match or If-None-Match (RFC 9110 §13.1).
package enum EntityTagCondition: Sendable, Equatable {
    /// "*".
    case any
    /// One tag or more.
    case list([EntityTag])
}

extension EntityTagCondition {
    /// Reads a field's value; those of repeated fields are joined by commas before.
    ///
    /// nil when the value is malformed.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - lenient: Takes tags without quotes too.
    package init?(_ value: String, lenient: Bool = false) {
        let bytes = Array(value.utf8)
        var tags: [EntityTag] = []
        let form = bytes.span.scanEntityTags(lenient: lenient) { range, isWeak in
            tags.append(EntityTag(String(decoding: bytes[range], as: UTF8.self), isWeak: isWeak))
        }
        switch form {
        case .any: self = .any
        case .list: self = .list(tags)
        case nil: return nil
        }
    }

    /// Whether it names what has that tag; of what has none, "*" alone does.
    ///
    /// - Parameters:
    ///   - tag: A strong tag, if there is one.
    ///   - isStrong: Whether tags are compared strongly, as If-Match has it (RFC 9110 §13.1.1), or
    ///     weakly, as If-None-Match has it (§13.1.2).
    package func names(_ tag: EntityTag?, isStrong: Bool) -> Bool {
        switch self {
        case .any: true
        case .list(let tags):
            tag.map { tag in
                tags.contains { isStrong ? $0.stronglyMatches(tag) : $0.weaklyMatches(tag) }
            } ?? false
        }
    }
}

/// The form of a value of If-Match or If-None-Match.
package enum EntityTagForm: Sendable {
    /// "*".
    case any
    /// One tag or more.
    case list
}

extension Span<UInt8> {
    /// Reads a value of If-Match or If-None-Match where it stands (RFC 9110 §13.1.1).
    ///
    /// - Parameters:
    ///   - lenient: Takes tags without quotes too: what stands before a quote, a comma or white
    ///     space.
    ///   - visit: Is called with the place of each tag, without its quotes, and whether it is
    ///     weak; also when the value turns out to be malformed behind it.
    /// - Returns: nil when the value is malformed.
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
            // "*" stands alone; tags stand apart.
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

    /// Passes over a tag.
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

extension EntityTagCondition {
    /// How many tags a malformed value begins with that are not: the next one is wrong.
    package static func validTagCount(of value: String) -> Int {
        let bytes = Array(value.utf8)
        var count = 0
        _ = bytes.span.scanEntityTags(lenient: false) { _, _ in count += 1 }
        return count
    }
}

extension UInt8 {
    /// etagc (RFC 9110 §8.8.3).
    fileprivate var isEntityTagCharacter: Bool {
        self > .space && self != .quote && self != 0x7f
    }
}
