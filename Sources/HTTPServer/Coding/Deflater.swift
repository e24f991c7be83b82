import CZlib
import HTTPWire

/// Compresses one content, as a whole or as it comes, by zlib.
///
/// Sole owner of zlib's memory for it.
struct Deflater: ~Copyable {
    /// What follows a part of the content.
    enum Flush {
        /// More, at once.
        case none
        /// More, but perhaps not soon: all that was given can be decoded.
        case sync
        /// Nothing.
        case finish

        fileprivate var value: CInt {
            switch self {
            case .none: Z_NO_FLUSH
            case .sync: Z_SYNC_FLUSH
            case .finish: Z_FINISH
            }
        }
    }

    /// How much memory is spent: zlib takes `1 << (windowBits + 2)` and `1 << (memoryLevel + 9)`
    /// bytes and some 6 KiB more (zconf.h).
    struct Size {
        /// The binary logarithm of how far back repetitions are found, from 9 to 15.
        var windowBits: CInt
        /// From 1 to 9.
        var memoryLevel: CInt

        /// For a content of so many bytes: 268 KiB at most, and little for little.
        static func content(byteCount: Int) -> Size {
            let bits = CInt(Int.bitWidth - max(0, byteCount - 1).leadingZeroBitCount)
            let windowBits = min(max(bits, 9), 15)
            return Size(windowBits: windowBits, memoryLevel: windowBits - 7)
        }

        /// For each of many streams.
        static let stream = Size(windowBits: 11, memoryLevel: 4)
    }

    /// At a place of its own: zlib's state points back at it.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Makes one for the gzip format (RFC 1952).
    ///
    /// - Parameters:
    ///   - size: How much memory to spend.
    ///   - level: 1 (fast) to 9 (small).
    init(_ size: Size, level: Int = 6) {
        self.init(windowBits: size.windowBits + 16, memoryLevel: size.memoryLevel, level: level)
    }

    /// For blocks (RFC 1951) without the frame of a format.
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

    /// Codes `bytes`, which are followed by what `flush` says.
    mutating func code(_ bytes: [UInt8], _ flush: Flush) -> [UInt8] {
        var output: [UInt8] = []
        bytes.withUnsafeBufferPointer { input in
            // zlib only reads there, whatever its type says.
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

    /// Codes all of `bytes` in slices, unless that is given up between two of them.
    ///
    /// - Parameters:
    ///   - bytes: The content, or what is next of it.
    ///   - last: What follows.
    ///   - isWanted: Asked before each slice.
    /// - Returns: What was coded; `nil` when it was given up.
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

    /// Takes some 10 ms.
    private static let sliceByteCount = 256 << 10

    /// - Returns: At most `room` bytes.
    private func code(_ flush: Flush, room: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: room) { output, count in
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = uInt(room)
            // With nothing to do it says Z_BUF_ERROR, which is no error (zlib.h, deflate).
            let result = deflate(stream, flush.value)
            precondition(result != Z_STREAM_ERROR, "the stream is as deflateInit2 left it")
            count = room - Int(stream.pointee.avail_out)
        }
    }

    /// What a flush may add.
    private static let flushByteCount = 16
}

extension ContentCoding {
    /// The least bytes of a content that may be worth coding.
    package static let leastContentByteCount = 64

    /// Returns whether a coded content is sent in the place of the plain one: it saves a tenth, and more
    /// than the fields of a coding take.
    ///
    /// - Parameters:
    ///   - codedByteCount: The bytes of the coded content.
    ///   - plainByteCount: The bytes of the content without a coding.
    package static func isWorth(_ codedByteCount: Int, insteadOf plainByteCount: Int) -> Bool {
        let savedByteCount = plainByteCount - codedByteCount
        return savedByteCount > 40 && 10 * savedByteCount >= plainByteCount
    }

    /// Compresses all of `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - level: 1 (fast) to 9 (small).
    /// - Returns: The content in this coding.
    package func compress(_ bytes: [UInt8], level: Int = 6) -> [UInt8] {
        guard self != .identity else { return bytes }
        var deflater = Deflater(.content(byteCount: bytes.count), level: level)
        return deflater.code(bytes, .finish).fitted
    }

    /// The same, unless it is given up on the way.
    ///
    /// - Parameter isWanted: Asked every few milliseconds.
    /// - Returns: `nil` when it was given up.
    package func compress(_ bytes: [UInt8], while isWanted: () -> Bool) -> [UInt8]? {
        guard self != .identity else { return bytes }
        var deflater = Deflater(.content(byteCount: bytes.count))
        return deflater.code(bytes, .finish, while: isWanted)?.fitted
    }
}

extension [UInt8] {
    /// The same without room that is not needed, to be kept.
    var fitted: [UInt8] { withUnsafeBufferPointer { Array($0) } }
}
