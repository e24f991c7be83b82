import CZlib

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
        var stream = z_stream()
        guard freshet_deflateInit(&stream, CInt(level), windowBits) == Z_OK else {
            preconditionFailure("deflateInit2 fails only without memory or with a wrong level")
        }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, uLong(bytes.count)))
        return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            var bytes = bytes
            bytes.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                let result = deflate(&stream, Z_FINISH)
                precondition(result == Z_STREAM_END, "the output has the size that zlib asked for")
            }
            count = Int(stream.total_out)
        }
    }
}
