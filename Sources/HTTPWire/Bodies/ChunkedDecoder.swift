/// Decodes chunked content (RFC 9112 §7.1).
///
/// It is strict: sizes have 1 to 15 hexadecimal digits, white space is allowed only within
/// extensions, and every line ends with CR LF. Chunk extensions and trailers are checked for their
/// grammar and dropped.
struct ChunkedDecoder: Sendable {
    private enum State: Sendable {
        case size
        case chunkExtension
        case sizeEnd
        case data
        case dataReturn
        case dataEnd
        case trailers
        case complete
    }

    /// The most bytes of extensions in one body.
    static let extensionByteLimit = 4 << 10

    private let limit: Int
    private var state = State.size
    private var digitCount = 0
    /// The size of the current chunk, less the bytes that were taken of it.
    private var remaining = 0
    /// The sum of the sizes of all chunks so far, at most `limit`.
    private var total = 0
    private var extensionByteCount = 0
    private var chunkExtension = ChunkExtension()
    private var trailers = TrailerSection()

    /// The number of bytes read that are not content.
    private(set) var framingByteCount = 0

    /// - Parameter limit: The most bytes of the body.
    init(limit: Int) {
        self.limit = limit
    }

    /// Decodes input like ``BodyDecoder/decode(_:into:)``.
    mutating func decode(
        _ input: Span<UInt8>,
        into output: inout [UInt8]
    ) throws(RequestError) -> (count: Int, isComplete: Bool) {
        var index = 0
        let start = output.count
        defer { framingByteCount += index - (output.count - start) }
        while index < input.count, state != .complete {
            if state == .data {
                let rest = input.extracting(index..<input.count).extracting(first: remaining)
                output.append(copying: rest)
                index += rest.count
                remaining -= rest.count
                if remaining == 0 { state = .dataReturn }
            } else {
                try take(input[index])
                index += 1
            }
        }
        return (index, state == .complete)
    }

    /// Takes a byte of the framing.
    private mutating func take(_ byte: UInt8) throws(RequestError) {
        switch state {
        case .size:
            try takeSize(byte)
        case .chunkExtension:
            try takeExtension(byte)
        case .sizeEnd:
            try expect(.lineFeed, byte)
            state = remaining == 0 ? .trailers : .data
        case .dataReturn:
            try expect(.carriageReturn, byte)
            state = .dataEnd
        case .dataEnd:
            try expect(.lineFeed, byte)
            digitCount = 0
            state = .size
        case .trailers:
            if try trailers.take(byte) { state = .complete }
        case .data, .complete:
            preconditionFailure("not framing")
        }
    }

    private func expect(_ expected: UInt8, _ byte: UInt8) throws(RequestError) {
        guard byte == expected else { throw .invalidChunk }
    }

    private mutating func takeSize(_ byte: UInt8) throws(RequestError) {
        if let digit = byte.hexDigitValue {
            digitCount += 1
            guard digitCount <= 15 else { throw .invalidChunk }
            remaining = remaining << 4 | Int(digit)
            return
        }
        guard digitCount > 0 else { throw .invalidChunk }
        switch byte {
        case .carriageReturn:
            state = .sizeEnd
        case .semicolon, .space, .tab:
            chunkExtension = ChunkExtension()
            try countExtensionByte()
            guard chunkExtension.take(byte) else { throw .invalidChunk }
            state = .chunkExtension
        default:
            throw .invalidChunk
        }
        guard remaining <= limit - total else { throw .bodyTooLarge(limit: limit) }
        total += remaining
    }

    private mutating func takeExtension(_ byte: UInt8) throws(RequestError) {
        if byte == .carriageReturn {
            guard chunkExtension.canEnd else { throw .invalidChunk }
            state = .sizeEnd
            return
        }
        try countExtensionByte()
        guard chunkExtension.take(byte) else { throw .invalidChunk }
    }

    private mutating func countExtensionByte() throws(RequestError) {
        extensionByteCount += 1
        guard extensionByteCount <= Self.extensionByteLimit else {
            throw .chunkExtensionsTooLarge(limit: Self.extensionByteLimit)
        }
    }
}
