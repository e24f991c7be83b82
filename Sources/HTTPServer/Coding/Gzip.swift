import HTTPWire

/// The gzip format (RFC 1952), by zlib.
package enum Gzip {
    /// zlib's window bits for the gzip format with the largest window.
    static let windowBits: CInt = 15 + 16

    /// Compresses all of `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - level: 1 (fast) to 9 (small).
    /// - Returns: One member of the format.
    package static func compress(_ bytes: [UInt8], level: Int = 6) -> [UInt8] {
        ContentCoding.gzip.compress(bytes, level: level)
    }
}
