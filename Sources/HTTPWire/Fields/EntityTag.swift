/// An entity tag (RFC 9110 §8.8.3).
package struct EntityTag: Sendable {
    /// Whether it is marked as weak.
    package var isWeak: Bool
    /// Without the quotes.
    package var value: String

    /// A tag of that value, which has no quotes and no white space.
    package init(_ value: String, isWeak: Bool = false) {
        self.value = value
        self.isWeak = isWeak
    }

    /// Strong comparison (RFC 9110 §8.8.3.2): neither is weak, and the values are the same bytes.
    package func stronglyMatches(_ other: EntityTag) -> Bool {
        !isWeak && self == other
    }

    /// Weak comparison (RFC 9110 §8.8.3.2): the values are the same bytes.
    package func weaklyMatches(_ other: EntityTag) -> Bool {
        value.utf8.elementsEqual(other.value.utf8)
    }
}

extension EntityTag: CustomStringConvertible {
    /// As it stands in a field.
    package var description: String { (isWeak ? "W/\"" : "\"") + value + "\"" }
}

/// Tags are equal byte by byte: `String`'s own equality takes canonically equivalent texts for the
/// same, and a tag that is not the client's would then make a 304.
extension EntityTag: Hashable {
    package static func == (left: EntityTag, right: EntityTag) -> Bool {
        left.isWeak == right.isWeak && left.weaklyMatches(right)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(isWeak)
        for byte in value.utf8 { hasher.combine(byte) }
    }
}
