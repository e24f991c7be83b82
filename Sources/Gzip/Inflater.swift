import CZlib

/// Decodes gzip content, or another format of zlib, as it arrives, up to a limit.
///
/// An inflater is not shared: it decodes one body, on one thread or event loop.
package final class Inflater {
    /// The reason why content was refused.
    package enum Failure: Error, Equatable {
        /// The content is not gzip, or its checksum is wrong, near this offset in bytes.
        case malformed(at: Int)
        /// The content ends before the gzip stream does.
        case truncated
        /// The decoded content is longer than the limit.
        case tooLarge
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private let byteLimit: Int
    /// The number of input bytes before those that are being decoded.
    private var offset = 0

    /// Whether the format is gzip, where members may follow each other; bytes behind the end of
    /// another format are ignored.
    private let isGzip: Bool

    /// Whether the last gzip member is complete: more members may follow (RFC 1952 §2.2).
    package private(set) var isAtEnd = false

    /// The number of bytes of the output at the end of the last whole member; `nil`: none is whole.
    package private(set) var wholeByteCount: Int?

    /// The version of zlib that is loaded, such as "1.2.13".
    package static var libraryVersion: String { String(cString: zlibVersion()) }

    /// The approximate memory of an inflater in bytes: the window and zlib's tables.
    package static let byteCount = 48 << 10

    /// The window bits that select the gzip format (RFC 1952) with the largest window.
    package static let gzipWindowBits: CInt = 15 + 16

    private static let stepByteCount = 64 << 10

    /// Makes an inflater for one content of at most `byteLimit` decoded bytes.
    ///
    /// - Parameter windowBits: The format and the size of the window in zlib's encoding (zlib.h,
    ///   inflateInit2); negative: deflate blocks without header and trailer.
    package init(byteLimit: Int, windowBits: CInt = gzipWindowBits) {
        self.byteLimit = byteLimit
        isGzip = windowBits == Inflater.gzipWindowBits
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let result = freshet_inflateInit(stream, windowBits)
        precondition(result == Z_OK, "inflateInit2 fails only without memory")
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decodes all of `input` and appends the result to `output`, which after a failure exceeds the
    /// limit by at most one byte.
    package func decode(_ input: [UInt8], into output: inout [UInt8]) throws(Failure) {
        var input = input
        var failure: Failure?
        input.withUnsafeMutableBufferPointer { bytes in
            stream.pointee.next_in = bytes.baseAddress
            stream.pointee.avail_in = uInt(bytes.count)
            do throws(Failure) {
                // If a step's output is full, zlib may have more output even without more input.
                while try step(into: &output, of: bytes.count) || stream.pointee.avail_in > 0 {}
            } catch {
                failure = error
            }
            offset += bytes.count
            stream.pointee.next_in = nil
        }
        if let failure { throw failure }
    }

    /// Decodes as much as fits into one step, and returns whether the step's output was full.
    private func step(into output: inout [UInt8], of inputCount: Int) throws(Failure) -> Bool {
        if isAtEnd, !isGzip {
            stream.pointee.avail_in = 0
            return false
        }
        if isAtEnd, stream.pointee.avail_in > 0 {
            // Zeros may follow the end, as in gzip(1): some senders pad blocks.
            while stream.pointee.avail_in > 0, stream.pointee.next_in.pointee == 0 {
                stream.pointee.next_in += 1
                stream.pointee.avail_in -= 1
            }
            guard stream.pointee.avail_in > 0 else { return false }
            isAtEnd = false
            inflateReset(stream)
        }
        var status = Z_OK
        // The extra byte distinguishes full output from output that is too large.
        let room = min(Inflater.stepByteCount, byteLimit - output.count + 1)
        let part = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            stream.pointee.next_out = buffer.baseAddress
            stream.pointee.avail_out = uInt(room)
            status = inflate(stream, Z_NO_FLUSH)
            count = room - Int(stream.pointee.avail_out)
        }
        output += part
        guard output.count <= byteLimit else { throw .tooLarge }
        switch status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: (isAtEnd, wholeByteCount) = (true, output.count)
        default: throw .malformed(at: offset + inputCount - Int(stream.pointee.avail_in))
        }
        return part.count == room
    }
}
