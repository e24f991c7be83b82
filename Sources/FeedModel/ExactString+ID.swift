/// Validation of ids (docs/PROTOCOL.md, "Ids and values").
extension ExactString {
    /// The reason why no section or item can have this id; nil if one can.
    package var refusalAsID: String? {
        string.withUTF8Span { $0.refusalAsID(from: 0, to: $0.count) }.map { "\($0)" }
    }
}

extension Span<UInt8> {
    /// Returns the reason why the UTF-8 from `start` to `end` is no valid id; `nil` if it is.
    func refusalAsID(from start: Int, to end: Int) -> StaticString? {
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
