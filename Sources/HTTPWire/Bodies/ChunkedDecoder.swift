/// Decodes chunked content (RFC 9112 §7.1).
///
/// The decoder is strict: sizes have 1 to 15 hexadecimal digits, white space is allowed only within
/// extensions, and every line ends with CR LF. The grammar of chunk extensions and trailers is
/// checked, and their content is dropped.
struct ChunkedDecoder: Sendable {
    private enum State: Sendable {
        case size
        case chunkExtension
        /// The LF of the size's line must follow.
        case sizeEnd
        case data
        /// The CR after a chunk's data must follow.
        case dataReturn
        /// The LF after a chunk's data must follow.
        case dataEnd
        case trailers
        case complete
    }

    /// The most bytes of extensions in one body.
    static let extensionByteLimit = 4 << 10

    private let limit: Int
    private var state = State.size
    private var digitCount = 0
    /// The number of bytes of the current chunk that are still to come.
    private var remaining = 0
    /// The sum of the sizes of all chunks so far, at most `limit`.
    private var total = 0
    private var extensionByteCount = 0
    private var chunkExtension = ChunkExtension()
    private var trailers = TrailerSection()

    /// The number of bytes read that are not content.
    private(set) var framingByteCount = 0

    /// Makes a decoder for one body of at most `limit` bytes of content.
    init(limit: Int) {
        self.limit = limit
    }

    /// Decodes input, appends its content to `output`, and returns the number of bytes taken.
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

    /// Takes the next byte that is not content.
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

/// Checks the bytes between a chunk's size and the end of its line, one by one (RFC 9112 §7.1.1).
///
/// White space around semicolons and equals signs is accepted, though senders must not write it
/// (BWS, RFC 9110 §5.6.3). White space at the end of the line is not accepted.
struct ChunkExtension: Sendable {
    private enum State: Sendable {
        /// A semicolon must follow, perhaps after white space.
        case start
        case nameStart
        case name
        /// A "=" or ";" must follow the white space after a name.
        case nameEnd
        case valueStart
        case token
        case quoted
        case quotedPair
        case quotedEnd
    }

    private var state = State.start

    /// Whether the line may end here.
    var canEnd: Bool { state == .name || state == .token || state == .quotedEnd }

    /// Takes the next byte, and returns whether it is allowed there.
    mutating func take(_ byte: UInt8) -> Bool {
        switch state {
        case .start, .nameEnd, .nameStart, .valueStart:
            return byte.isBlank || begin(byte)
        case .name, .token:
            if byte.isTokenCharacter { return true }
            return end(byte)
        case .quoted:
            if byte == .quote { state = .quotedEnd }
            if byte == .backslash { state = .quotedPair }
            return byte.isFieldContent
        case .quotedPair:
            state = .quoted
            return byte.isFieldContent
        case .quotedEnd:
            return end(byte)
        }
    }

    /// Takes a byte that is not white space, in a state in which white space is allowed.
    private mutating func begin(_ byte: UInt8) -> Bool {
        switch (state, byte) {
        case (.start, .semicolon), (.nameEnd, .semicolon): state = .nameStart
        case (.nameEnd, .equals): state = .valueStart
        case (.valueStart, .quote): state = .quoted
        case (.nameStart, _) where byte.isTokenCharacter: state = .name
        case (.valueStart, _) where byte.isTokenCharacter: state = .token
        default: return false
        }
        return true
    }

    /// Takes the byte after a name or a value.
    private mutating func end(_ byte: UInt8) -> Bool {
        switch (state, byte) {
        case (_, .semicolon): state = .nameStart
        case (.name, .equals): state = .valueStart
        case (.name, _) where byte.isBlank: state = .nameEnd
        case (_, _) where byte.isBlank: state = .start
        default: return false
        }
        return true
    }
}

/// The field lines after the last chunk (RFC 9112 §7.1.2), checked byte by byte and dropped.
struct TrailerSection: Sendable {
    private enum State: Sendable {
        case lineStart
        case name
        case value
        case lineEnd
        case sectionEnd
    }

    /// The most bytes of the section, with the empty line that ends it.
    static let byteLimit = 16 << 10

    private var state = State.lineStart
    private var byteCount = 0

    /// Takes the next byte, and returns whether it was the section's last byte.
    ///
    /// - Throws: ``RequestError/invalidField`` for a byte that is not allowed there, and
    ///   ``RequestError/trailersTooLarge(limit:)`` past ``byteLimit``.
    mutating func take(_ byte: UInt8) throws(RequestError) -> Bool {
        byteCount += 1
        guard byteCount <= Self.byteLimit else { throw .trailersTooLarge(limit: Self.byteLimit) }
        switch (state, byte) {
        case (.sectionEnd, .lineFeed): return true
        case (.lineEnd, .lineFeed): state = .lineStart
        case (.lineStart, .carriageReturn): state = .sectionEnd
        case (.name, .colon): state = .value
        case (.value, .carriageReturn): state = .lineEnd
        case (.lineStart, _) where byte.isTokenCharacter: state = .name
        case (.name, _) where byte.isTokenCharacter: break
        case (.value, _) where byte.isFieldContent: break
        default: throw .invalidField
        }
        return false
    }
}
