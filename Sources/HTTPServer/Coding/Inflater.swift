import CZlib

/// Takes gzip content apart as it arrives, into no more than a limit.
///
/// Not for sharing: it belongs to one body on one event loop.
package final class Inflater {
    /// Why content was refused.
    package enum Failure: Error, Equatable {
        /// Not gzip, or its check fails, about so many bytes behind the start.
        case malformed(at: Int)
        /// It is not at its end, and there is no more.
        case truncated
        /// The decoded content is longer than the limit.
        case tooLarge
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private let byteLimit: Int
    /// The bytes that were decoded before those that are now.
    private var offset = 0

    /// Whether the last member is whole: more members may follow (RFC 1952 §2.2).
    package private(set) var isAtEnd = false

    /// What one takes of memory, about: the window, and zlib's tables.
    static let byteCount = 48 << 10

    /// zlib's word for the gzip format (RFC 1952) with the largest window.
    package static let gzipWindowBits: CInt = 15 + 16

    /// Bytes decoded with one call.
    private static let stepByteCount = 64 << 10

    /// - Parameters:
    ///   - byteLimit: Of the decoded content.
    ///   - windowBits: zlib's word for the format; negative: blocks of deflate with nothing around.
    package init(byteLimit: Int, windowBits: CInt = gzipWindowBits) {
        self.byteLimit = byteLimit
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let result = freshet_inflateInit(stream, windowBits)
        precondition(result == Z_OK, "inflateInit2 fails only without memory")
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decodes `input`, all of it, to the end of `output`.
    ///
    /// - Throws: ``Failure``; `output` has then no more than one byte past the limit.
    package func decode(_ input: [UInt8], into output: inout [UInt8]) throws(Failure) {
        var input = input
        var failure: Failure?
        input.withUnsafeMutableBufferPointer { bytes in
            stream.pointee.next_in = bytes.baseAddress
            stream.pointee.avail_in = uInt(bytes.count)
            do throws(Failure) {
                // A full output may hide more that is ready without more input.
                while try step(into: &output, of: bytes.count) || stream.pointee.avail_in > 0 {}
            } catch {
                failure = error
            }
            offset += bytes.count
            stream.pointee.next_in = nil
        }
        if let failure { throw failure }
    }

    /// Decodes as much as fits one step, of so much input.
    ///
    /// - Returns: Whether the step's room was used up.
    private func step(into output: inout [UInt8], of inputCount: Int) throws(Failure) -> Bool {
        if isAtEnd, stream.pointee.avail_in > 0 {
            // Zeros may follow the end, as gzip(1) takes them: some senders fill up blocks.
            while stream.pointee.avail_in > 0, stream.pointee.next_in.pointee == 0 {
                stream.pointee.next_in += 1
                stream.pointee.avail_in -= 1
            }
            guard stream.pointee.avail_in > 0 else { return false }
            isAtEnd = false
            inflateReset(stream)
        }
        var status = Z_OK
        // One byte more than allowed tells "full" from "too large".
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
        case Z_STREAM_END: isAtEnd = true
        default: throw .malformed(at: offset + inputCount - Int(stream.pointee.avail_in))
        }
        return part.count == room
    }
}
