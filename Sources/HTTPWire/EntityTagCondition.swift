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
        var scanner = FieldScanner(value)
        var tags: [EntityTag] = []
        var isAny = false
        var isSeparated = true
        while true {
            scanner.skipBlanks()
            guard let next = scanner.next else { break }
            if scanner.skip(.comma) {
                isSeparated = true
                continue
            }
            // "*" stands alone; tags stand apart.
            guard isSeparated, !isAny else { return nil }
            isSeparated = false
            if next == UInt8(ascii: "*"), tags.isEmpty, scanner.skip(next) {
                isAny = true
            } else {
                guard let tag = scanner.entityTag(lenient: lenient) else { return nil }
                tags.append(tag)
            }
        }
        guard isAny || !tags.isEmpty else { return nil }
        self = isAny ? .any : .list(tags)
    }

    /// The first tag of the list that matches `tag` by weak comparison, as If-None-Match has it
    /// (RFC 9110 §13.1.2); `tag` itself for "*".
    package func weakMatch(for tag: EntityTag) -> EntityTag? {
        switch self {
        case .any: tag
        case .list(let tags): tags.first { $0.weaklyMatches(tag) }
        }
    }

    /// The same by strong comparison, as If-Match has it (RFC 9110 §13.1.1).
    package func strongMatch(for tag: EntityTag) -> EntityTag? {
        switch self {
        case .any: tag
        case .list(let tags): tags.first { $0.stronglyMatches(tag) }
        }
    }
}

extension FieldScanner {
    /// An entity tag (RFC 9110 §8.8.3); "W/" is case-sensitive.
    ///
    /// - Parameter lenient: Takes one without quotes too: what stands before a quote, a comma or
    ///   white space.
    /// - Returns: nil when there is none.
    fileprivate mutating func entityTag(lenient: Bool) -> EntityTag? {
        var rest = self
        let isWeak = rest.skip(UInt8(ascii: "W")) && rest.skip(.slash)
        if isWeak { self = rest }
        if skip(.quote) {
            let value = text(where: \.isEntityTagCharacter) ?? ""
            return skip(.quote) ? EntityTag(value, isWeak: isWeak) : nil
        }
        guard lenient else { return nil }
        let value = text { $0.isEntityTagCharacter && $0 != .comma && $0 != UInt8(ascii: "*") }
        return value.map { EntityTag($0, isWeak: isWeak) }
    }
}

extension UInt8 {
    /// etagc (RFC 9110 §8.8.3).
    fileprivate var isEntityTagCharacter: Bool {
        self > .space && self != .quote && self != 0x7f
    }
}
