/// A JSON value as its publisher wrote it, without the white space between tokens.
///
/// Numbers keep their digits and strings their escapes. Two texts are equal when their values are:
/// the order of members and the escapes of strings do not matter, but the spelling of a number does
/// (docs/PROTOCOL.md, "Ids and values").
public struct JSONText: Sendable {
    /// Valid JSON (RFC 8259) in UTF-8.
    public let bytes: [UInt8]

    /// A hash of the value; equal values have equal hashes in one run of the program.
    package let valueHash: UInt64

    /// Makes a text of bytes that a reader has validated.
    package init(checked bytes: [UInt8], valueHash: UInt64) {
        self.bytes = bytes
        self.valueHash = valueHash
    }
}
