/// Parses request heads (RFC 9112 §2 to §6), however their bytes arrive.
///
/// A line is parsed once, when its line feed has arrived; a line that has reached the limit is
/// refused without one, and so is a first byte that begins no request line. The error is the same
/// wherever the input was divided. After an error the connection closes, and the parser is not used
/// again.
package struct RequestParser: Sendable {
    /// The head, which is complete from the moment `consume` says so until `reset`.
    ///
    /// The owner may take the head out of the parser meanwhile, and must put it back before
    /// `reset`.
    package var head = RequestHead()
    /// The limits on a head; changed only while the parser is fresh.
    package var limits: HeadLimits
    private var part = Part.requestLine
    /// The number of bytes of empty lines before the request line.
    private var emptyByteCount = 0
    /// The number of the head's bytes in complete lines.
    private var taken = 0
    /// Whether Connection has the option `close`.
    private var closes = false
    /// Whether Connection has the option `keep-alive`.
    private var keepsAlive = false

    /// Makes a parser that is ready for the first head.
    package init(limits: HeadLimits = HeadLimits()) {
        self.limits = limits
    }

    /// Whether a head has begun (leading empty lines do not count).
    package var isMidway: Bool { part != .none && !head.bytes.isEmpty }

    /// Whether no byte was taken since the parser was made or reset, not even an empty line.
    package var isFresh: Bool {
        part == .requestLine && head.bytes.isEmpty && emptyByteCount == 0
    }

    /// Whether the bytes so far begin a HEAD request: even if the rest is malformed, the response
    /// has no content (RFC 9110 §9.3.2).
    package var isForHead: Bool { head.bytes.starts(with: Self.headMethod) }

    private static let headMethod = Array("HEAD ".utf8)

    /// Prepares for the next head; an idle connection does not keep the storage.
    package mutating func reset(keepingStorage: Bool) {
        head.reset(keepingStorage: keepingStorage)
        part = .requestLine
        emptyByteCount = 0
        taken = 0
        (closes, keepsAlive) = (false, false)
    }
}

extension RequestParser {
    /// The part of the head that the next line belongs to.
    private enum Part: Sendable {
        case requestLine
        case fields
        /// No part: the head is complete.
        case none
    }
}

extension RequestParser {
    /// The most empty lines before a request line (RFC 9112 §2.2 asks for at least one).
    private static let emptyLineLimit = 8

    /// The most bytes of input that are copied at once: most heads have fewer, and what follows a
    /// head is not copied for long.
    private static let pieceByteCount = 1 << 10

    /// Takes bytes that have arrived and were not taken before, up to the end of the head, and
    /// returns their number, and whether the head is complete.
    package mutating func consume(
        _ input: Span<UInt8>
    ) throws(RequestError) -> (count: Int, isComplete: Bool) {
        guard part != .none else { preconditionFailure("the parser was not reset") }
        var count = head.bytes.isEmpty ? try skipEmptyLines(input) : 0
        while count < input.count, part != .none {
            let known = head.bytes.count
            let rest = input.extracting(count...)
            head.bytes.append(copying: rest.extracting(first: Self.pieceByteCount))
            try takeLines(behind: known)
            count += head.bytes.count - known
        }
        return (count, part == .none)
    }

    /// Skips empty lines before a request line (RFC 9112 §2.2).
    ///
    /// - Returns: The index of the first byte that belongs to the head.
    /// - Throws: ``RequestError/invalidRequestLine`` for a byte that begins no request line, such
    ///   as the first one of a TLS handshake.
    private mutating func skipEmptyLines(_ input: Span<UInt8>) throws(RequestError) -> Int {
        for index in input.indices {
            let isLineEnd = emptyByteCount & 1 == 1
            guard input[index] == (isLineEnd ? .lineFeed : .carriageReturn),
                emptyByteCount < 2 * Self.emptyLineLimit
            else {
                guard !isLineEnd, input[index].isTokenCharacter else { throw .invalidRequestLine }
                return index
            }
            emptyByteCount += 1
        }
        return input.count
    }

    /// Takes the complete lines in `head.bytes`, except those that end in its first `known` bytes,
    /// which are taken; if the head is complete, removes the bytes after it.
    private mutating func takeLines(behind known: Int) throws(RequestError) {
        var bytes: [UInt8] = []
        swap(&bytes, &head.bytes)
        defer { swap(&bytes, &head.bytes) }
        let range = known..<min(bytes.count, limits.headByteLimit)
        if let lineFeed = range.last(where: { bytes[$0] == .lineFeed }) {
            let lines = bytes.span.extracting(...lineFeed)
            while part != .none, taken < lines.count { try takeLine(lines) }
        }
        guard part != .none else { return bytes.removeLast(bytes.count - taken) }
        try boundLine(bytes.span)
    }

    /// Refuses a line that has reached its limit without a line feed.
    private mutating func boundLine(_ bytes: Span<UInt8>) throws(RequestError) {
        if part == .requestLine, let limit = requestLineByteLimit(bytes), bytes.count >= limit {
            // A part is too long, or wrong: a right line that is as long as this would have ended.
            try takeRequestLine(bytes)
        }
        guard bytes.count < limits.headByteLimit else {
            throw .headTooLarge(limit: limits.headByteLimit)
        }
    }

    /// Takes the next line; all lines in `bytes` are complete.
    private mutating func takeLine(_ bytes: Span<UInt8>) throws(RequestError) {
        if part == .requestLine {
            try takeRequestLine(bytes)
        } else if bytes[taken] == .carriageReturn, bytes[taken + 1] == .lineFeed {
            try endHead()
        } else {
            try takeFieldLine(bytes)
        }
    }
}

/// Limits on a request head (docs/PROTOCOL.md, "Limits").
package struct HeadLimits: Sendable, Equatable {
    /// The most bytes of a request target.
    package var targetByteLimit = 24 << 10
    /// The most bytes of a head, from the method to the empty line inclusive.
    package var headByteLimit = 48 << 10
    /// The most field lines.
    package var fieldLimit = 100

    /// Makes the limits that are the protocol's defaults.
    package init() {}
}

/// Parses the request line (RFC 9112 §3).
extension RequestParser {
    /// The most bytes of a method; the handler refuses unknown methods.
    private static let methodByteLimit = 1 << 10

    /// The number of bytes in ` HTTP/1.1`, with the line's end.
    private static let versionByteCount = 11

    /// Returns the most bytes that a request line with this beginning can have; `nil` if a head
    /// has fewer.
    private func requestLineByteLimit(_ bytes: Span<UInt8>) -> Int? {
        let space = bytes.firstIndex(of: .space, in: 0..<min(bytes.count, Self.methodByteLimit + 1))
        let limit =
            space.map { $0 + 1 + limits.targetByteLimit + Self.versionByteCount }
            ?? Self.methodByteLimit + 1
        return limit < limits.headByteLimit ? limit : nil
    }

    /// Takes the request line, or refuses one that has reached its limit without a line feed.
    private mutating func takeRequestLine(_ bytes: Span<UInt8>) throws(RequestError) {
        let methodEnd = min(bytes.end(of: .token, from: 0), Self.methodByteLimit)
        guard bytes[methodEnd] == .space else { throw .invalidRequestLine }
        let start = methodEnd + 1
        let end = min(bytes.end(of: .target, from: start), start + limits.targetByteLimit)
        guard bytes[end] == .space, start < end else { throw targetError(bytes[end]) }
        let version = end + 6
        taken = end + Self.versionByteCount
        guard taken <= bytes.count, bytes.isSame(end..<version, as: " HTTP/"),
            bytes[version].isDigit, bytes[version + 1] == UInt8(ascii: "."),
            bytes[version + 2].isDigit, bytes[version + 3] == .carriageReturn,
            bytes[version + 4] == .lineFeed
        else { throw .invalidRequestLine }
        guard bytes[version] == UInt8(ascii: "1") else { throw .unsupportedVersion }
        head.version = bytes[version + 2] == UInt8(ascii: "0") ? .http10 : .http11
        head.method = Self.method(bytes.extracting(..<methodEnd))
        head.target = start..<end
        guard let parts = RequestTarget(start..<end, in: bytes, head.method) else {
            throw .invalidTarget
        }
        head.targetParts = parts
        part = .fields
    }

    /// Returns the error for a target that ends at a byte other than a space, or is empty.
    private func targetError(_ byte: UInt8) -> RequestError {
        switch byte {
        case .space, .carriageReturn, .lineFeed: .invalidRequestLine
        case let byte where byte.isTargetCharacter: .targetTooLong(limit: limits.targetByteLimit)
        default: .invalidTarget
        }
    }

    /// Returns the method with this name; the name's bytes are compared as one number.
    private static func method(_ name: Span<UInt8>) -> RequestHead.Method {
        guard name.count < 8 else { return .other }
        return switch name.shortWord {
        case 0x47_45_54: .get
        case 0x48_45_41_44: .head
        case 0x50_4f_53_54: .post
        case 0x50_55_54: .put
        case 0x50_41_54_43_48: .patch
        case 0x44_45_4c_45_54_45: .delete
        case 0x4f_50_54_49_4f_4e_53: .options
        case 0x43_4f_4e_4e_45_43_54: .connect
        case 0x54_52_41_43_45: .trace
        case 0x51_55_45_52_59: .query
        default: .other
        }
    }
}

/// Parses field lines (RFC 9112 §5), and the fields that control the message.
extension RequestParser {
    /// Takes a field line.
    private mutating func takeFieldLine(_ bytes: Span<UInt8>) throws(RequestError) {
        let start = taken
        let nameEnd = bytes.end(of: .token, from: start)
        // White space at the start of a line would be a folded line (RFC 9112 §5.2), a colon a
        // field without a name.
        guard nameEnd > start else { throw .invalidField }
        guard head.fields.count < limits.fieldLimit else {
            throw .tooManyFields(limit: limits.fieldLimit)
        }
        guard bytes[nameEnd] == .colon else { throw .invalidField }
        let end = bytes.end(of: .fieldContent, from: nameEnd + 1)
        guard bytes[end] == .carriageReturn, bytes[end + 1] == .lineFeed else {
            throw .invalidField
        }
        taken = end + 2
        let known = KnownField(bytes, in: start..<nameEnd)
        let value = bytes.trimmed(nameEnd + 1..<end)
        head.add(RequestHead.Field(known: known, name: start..<nameEnd, value: value))
        try read(known, bytes.extracting(value))
    }

    /// Sets the properties of the head that follow from all fields (RFC 9112 §3.2, §9.3).
    private mutating func endHead() throws(RequestError) {
        switch head.version {
        case .http10: head.isPersistent = !closes && keepsAlive
        case .http11:
            guard head.has(.host) else { throw .invalidHost }
            head.isPersistent = !closes
        }
        taken += 2
        part = .none
    }

    /// Reads a field if it controls the message.
    private mutating func read(_ known: KnownField, _ value: Span<UInt8>) throws(RequestError) {
        switch known {
        case .host: try readHost(value)
        case .contentLength: try readContentLength(value)
        case .transferEncoding: try readTransferEncoding(value)
        case .connection: readConnection(value)
        case .expect: readExpect(value)
        default: break
        }
    }
}

extension RequestParser {
    /// Reads Host (RFC 9112 §3.2); an empty host is refused, because http and https URIs must have
    /// a host (RFC 9110 §4.2.1).
    private mutating func readHost(_ value: Span<UInt8>) throws(RequestError) {
        guard !head.isRepeated(.host), HostSyntax.isAuthority(value) else { throw .invalidHost }
    }

    /// Reads Content-Length (RFC 9110 §8.6, RFC 9112 §6.3).
    ///
    /// A length above ``RequestHead/longestBody`` is read as that length, which no server accepts.
    private mutating func readContentLength(_ value: Span<UInt8>) throws(RequestError) {
        guard !head.isRepeated(.contentLength), let length = value.wholeNumber else {
            throw .invalidContentLength
        }
        guard !head.has(.transferEncoding) else { throw .conflictingFraming }
        head.framing = .length(min(length, RequestHead.longestBody))
    }

    /// Reads Transfer-Encoding (RFC 9112 §6.1 and §6.3): only `chunked` alone is accepted.
    ///
    /// Without `chunked` at the end, the length of a request's body is unknown: 400 for any coding.
    /// A coding before `chunked` is not supported by this server: 501.
    private mutating func readTransferEncoding(_ value: Span<UInt8>) throws(RequestError) {
        guard head.version == .http11, !head.isRepeated(.transferEncoding),
            !head.has(.contentLength)
        else {
            throw .conflictingFraming
        }
        var chunkedCount = 0
        var isChunkedLast = false
        var elementCount = 0
        var rest: Range<Int>? = value.indices
        while let element = value.nextElement(in: &rest) {
            guard value.isToken(in: element) else { throw .conflictingFraming }
            isChunkedLast = value.equals("chunked", in: element)
            chunkedCount += isChunkedLast ? 1 : 0
            elementCount += 1
        }
        guard isChunkedLast, chunkedCount == 1 else { throw .conflictingFraming }
        guard elementCount == 1 else { throw .unsupportedTransferCoding }
        head.framing = .chunked
    }

    /// Reads Connection (RFC 9110 §7.6.1); its options are compared without regard to case.
    private mutating func readConnection(_ value: Span<UInt8>) {
        // Nearly all clients send this value.
        if value.equals("keep-alive", in: value.indices) {
            keepsAlive = true
            return
        }
        var rest: Range<Int>? = value.indices
        while let element = value.nextElement(in: &rest) {
            if value.equals("close", in: element) { closes = true }
            if value.equals("keep-alive", in: element) { keepsAlive = true }
        }
    }

    /// Reads Expect (RFC 9110 §10.1.1); `100-continue` has no meaning in HTTP/1.0.
    private mutating func readExpect(_ value: Span<UInt8>) {
        var rest: Range<Int>? = value.indices
        while let element = value.nextElement(in: &rest) {
            if value.equals("100-continue", in: element) {
                head.expectsContinue = head.version == .http11
            } else if !element.isEmpty {
                head.hasUnknownExpectation = true
            }
        }
    }
}
