import CZlib
package import HTTPWire

/// Compresses one content with zlib, as a whole or piece by piece; the only owner of its zlib
/// state.
struct Deflater: ~Copyable {
    /// The continuation after a piece of the content (zlib.h, deflate).
    enum Flush {
        /// More content follows at once.
        case none
        /// More content follows, but perhaps not soon: the output so far must be decodable.
        case sync
        /// No more content follows.
        case finish

        fileprivate var value: CInt {
            switch self {
            case .none: Z_NO_FLUSH
            case .sync: Z_SYNC_FLUSH
            case .finish: Z_FINISH
            }
        }
    }

    /// The memory that zlib uses: `1 << (windowBits + 2)` and `1 << (memoryLevel + 9)` bytes, and
    /// some 6 KiB more (zconf.h).
    struct Size {
        /// The binary logarithm of the greatest distance at which repetitions are found, from 9 to
        /// 15.
        var windowBits: CInt
        /// The level of memory for zlib's other state, from 1 to 9.
        var memoryLevel: CInt

        /// Returns the size for a content of `byteCount` bytes: 268 KiB at most, and less for short
        /// content.
        static func content(byteCount: Int) -> Size {
            let bits = CInt(Int.bitWidth - max(0, byteCount - 1).leadingZeroBitCount)
            let windowBits = min(max(bits, 9), 15)
            return Size(windowBits: windowBits, memoryLevel: windowBits - 7)
        }
    }

    /// The zlib stream, at a fixed address, because zlib's state points back at it.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Makes a deflater for the gzip format (RFC 1952); `level` is 1 (fast) to 9 (small).
    init(_ size: Size, level: Int = 6) {
        self.init(windowBits: size.windowBits + 16, memoryLevel: size.memoryLevel, level: level)
    }

    /// Makes a deflater for raw deflate blocks (RFC 1951), without the header and trailer of a
    /// format.
    init(raw size: Size, level: Int = 6) {
        self.init(windowBits: -size.windowBits, memoryLevel: size.memoryLevel, level: level)
    }

    private init(windowBits: CInt, memoryLevel: CInt, level: Int) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let result = freshet_deflateInit(stream, CInt(level), windowBits, memoryLevel)
        precondition(result == Z_OK, "deflateInit2 fails only without memory or for wrong numbers")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses the content, or the next piece of it.
    mutating func code(_ bytes: [UInt8], _ flush: Flush) -> [UInt8] {
        var output: [UInt8] = []
        bytes.withUnsafeBufferPointer { input in
            // The input is not changed by zlib, though its type says so.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = uInt(input.count)
            let bound = Int(deflateBound(stream, uLong(input.count))) + Deflater.flushByteCount
            repeat {
                let part = code(flush, room: bound)
                if output.isEmpty { output = part } else { output += part }
            } while stream.pointee.avail_out == 0
            stream.pointee.next_in = nil
        }
        return output
    }

    /// Compresses the content, or the next piece of it, in slices; returns `nil` if `isWanted`
    /// returns false between two of them.
    mutating func code(_ bytes: [UInt8], _ last: Flush, while isWanted: () -> Bool) -> [UInt8]? {
        guard bytes.count > Deflater.sliceByteCount else { return code(bytes, last) }
        var output: [UInt8] = []
        var start = 0
        while bytes.count - start > Deflater.sliceByteCount {
            guard isWanted() else { return nil }
            let end = start + Deflater.sliceByteCount
            output += code(Array(bytes[start..<end]), .none)
            start = end
        }
        return output + code(Array(bytes[start...]), last)
    }

    /// The number of bytes of a slice; compressing a slice takes some 10 ms.
    private static let sliceByteCount = 256 << 10

    /// Runs zlib once on the input that is set, and returns at most `room` bytes.
    private func code(_ flush: Flush, room: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: room) { output, count in
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = uInt(room)
            // With nothing to do, `deflate` returns Z_BUF_ERROR, which is no error (zlib.h,
            // deflate).
            let result = deflate(stream, flush.value)
            precondition(result != Z_STREAM_ERROR, "the stream is as deflateInit2 left it")
            count = room - Int(stream.pointee.avail_out)
        }
    }

    /// The most bytes that a flush may add.
    private static let flushByteCount = 16
}

extension ContentCoding {
    /// The least number of bytes of a content that may be worth compressing.
    package static let leastContentByteCount = 64

    /// Returns whether coded content should be sent in the place of the plain content: it must save
    /// a tenth of the bytes, and more than the header fields of a coding take.
    package static func isWorth(_ codedByteCount: Int, insteadOf plainByteCount: Int) -> Bool {
        let savedByteCount = plainByteCount - codedByteCount
        return savedByteCount > 40 && 10 * savedByteCount >= plainByteCount
    }

    /// Compresses all of `bytes` in this coding; `level` is 1 (fast) to 9 (small).
    package func compress(_ bytes: [UInt8], level: Int = 6) -> [UInt8] {
        guard self != .identity else { return bytes }
        var deflater = Deflater(.content(byteCount: bytes.count), level: level)
        return deflater.code(bytes, .finish).fitted
    }

    /// Compresses all of `bytes` in this coding; `nil` if `isWanted`, called about every 10 ms,
    /// returns false on the way.
    package func compress(_ bytes: [UInt8], while isWanted: () -> Bool) -> [UInt8]? {
        guard self != .identity else { return bytes }
        var deflater = Deflater(.content(byteCount: bytes.count))
        return deflater.code(bytes, .finish, while: isWanted)?.fitted
    }
}

extension [UInt8] {
    /// A copy of the array without unused capacity, for an array that is stored for long.
    var fitted: [UInt8] { withUnsafeBufferPointer { Array($0) } }
}
