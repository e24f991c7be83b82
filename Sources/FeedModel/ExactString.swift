/// A string that equals another only if both are the same sequence of Unicode scalar values.
///
/// Swift's own `==` treats canonically equivalent strings as equal ("é" as one scalar and as two).
/// The protocol normalizes no text (docs/PROTOCOL.md, "Ids and values"). So ids and names of
/// members are compared, hashed and ordered by their UTF-8 bytes.
public struct ExactString: Sendable {
    /// The string as it was given.
    public let string: String

    /// Wraps `string`.
    public init(_ string: String) {
        self.string = string
    }
}

extension ExactString: Hashable {
    /// Returns whether both have the same scalar values.
    public static func == (left: ExactString, right: ExactString) -> Bool {
        // The spans compare several times as fast as views of the strings.
        left.string.withUTF8Span { left in
            right.string.withUTF8Span { right in
                guard left.count == right.count else { return false }
                for index in left.indices where left[index] != right[index] { return false }
                return true
            }
        }
    }

    /// Hashes the UTF-8 bytes.
    public func hash(into hasher: inout Hasher) {
        var bytes = string
        bytes.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension ExactString: Comparable {
    /// Orders strings by their UTF-8 bytes, which is the order of the scalar values.
    public static func < (left: ExactString, right: ExactString) -> Bool {
        left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
    }
}

extension ExactString: CustomStringConvertible, ExpressibleByStringLiteral {
    /// The string.
    public var description: String { string }

    /// Wraps a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}
