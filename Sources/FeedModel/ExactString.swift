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
                left.isEqual(to: right)
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

/// Validates ids (docs/PROTOCOL.md, "Ids and values").
extension ExactString {
    /// The reason why no section or item can have this id; nil if one can.
    package var refusalAsID: String? {
        string.withUTF8Span { $0.refusalAsID(from: 0, to: $0.count) }
    }
}

extension Span<UInt8> {
    /// Returns whether both have the same bytes.
    ///
    /// The bytes are compared in words of eight, the last word first: long ids often begin alike,
    /// and a walk along two lists compares each with hundreds of others.
    func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else {
            for index in indices where self[index] != other[index] { return false }
            return true
        }
        let last = count - 8
        guard knownWord(at: last) == other.knownWord(at: last) else { return false }
        for index in stride(from: 0, to: last, by: 8)
        where knownWord(at: index) != other.knownWord(at: index) {
            return false
        }
        return true
    }

    /// Returns the reason why the UTF-8 from `start` to `end` is no valid id; `nil` if it is.
    func refusalAsID(from start: Int, to end: Int) -> String? {
        guard end > start else { return "an id cannot be empty" }
        guard end - start <= 256 else { return "an id has at most 256 bytes" }
        for index in start..<end {
            switch self[index] {
            case 0x00...0x1f, 0x7f: return "an id has no control characters"
            case 0xc2 where index + 1 < end && self[index + 1] < 0xa0:
                return "an id has no control characters"
            default: continue
            }
        }
        guard self[start] == UInt8(ascii: "."), end - start <= 2 else { return nil }
        let isDots = self[end - 1] == UInt8(ascii: ".")
        return isDots ? "an id cannot be “.” or “..”, which no path can hold" : nil
    }
}
