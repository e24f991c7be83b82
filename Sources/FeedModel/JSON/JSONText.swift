/// One JSON value as its publisher wrote it, without the white space between tokens.
///
/// Numbers keep their digits and strings their escapes. Two texts are equal when the values are:
/// the order of members and the way that strings are escaped do not count, a number's spelling
/// does (docs/PROTOCOL.md, "Words").
public struct JSONText: Sendable {
    /// Valid JSON (RFC 8259) in UTF-8.
    public let bytes: [UInt8]

    /// A hash of the value, the same for equal values in one run of the program.
    package let valueHash: UInt64

    /// Takes what a reader has checked.
    package init(checked bytes: [UInt8], valueHash: UInt64) {
        self.bytes = bytes
        self.valueHash = valueHash
    }
}
