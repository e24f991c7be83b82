/// Parses request heads (RFC 9112 §2 to §6), however their bytes arrive.
///
/// A complete line is parsed once. The bytes of an incomplete line are checked when they arrive,
/// and again with the bytes that follow. So an error is thrown at the first byte that makes the
/// request invalid; if the value of a line is invalid, at its line feed. The error is the same
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
    private var part = Part.emptyLines
    /// The number of empty lines that have begun before the request line.
    private var emptyLineCount = 0
    /// The number of the head's bytes in complete lines; after an error, of the valid bytes.
    private var taken = 0
    /// The facts that the fields so far have stated.
    private var seen: Seen = []

    /// Makes a parser that is ready for the first head.
    package init(limits: HeadLimits = HeadLimits()) {
        self.limits = limits
    }

    /// Whether a head has begun (leading empty lines do not count).
    package var isMidway: Bool {
        switch part {
        case .requestLine, .fields: true
        case .emptyLines, .emptyLineEnd, .none: false
        }
    }

    /// Whether no byte was taken since the parser was made or reset, not even an empty line.
    package var isFresh: Bool { part == .emptyLines && emptyLineCount == 0 }

    /// Whether the bytes so far begin a HEAD request: even if the rest is malformed, the response
    /// has no content (RFC 9110 §9.3.2).
    package var isForHead: Bool { head.bytes.starts(with: Self.headMethod) }

    private static let headMethod = Array("HEAD ".utf8)

    /// Prepares for the next head, which reuses the storage.
    package mutating func reset() {
        head.bytes.removeAll(keepingCapacity: true)
        head.forgetFields()
        head.framing = .none
        head.expectsContinue = false
        head.hasUnknownExpectation = false
        restart()
    }

    /// Prepares for the next head, and frees the storage, for an idle connection.
    package mutating func releaseStorage() {
        head = RequestHead()
        restart()
    }

    private mutating func restart() {
        part = .emptyLines
        emptyLineCount = 0
        taken = 0
        seen = []
    }
}

extension RequestParser {
    /// The part of the head that the next byte belongs to.
    private enum Part: Sendable {
        case emptyLines
        /// The line feed of an empty line.
        case emptyLineEnd
        case requestLine
        case fields
        /// No part: the head is complete.
        case none
    }

    /// The facts that the fields so far have stated.
    private struct Seen: OptionSet, Sendable {
        let rawValue: UInt8

        static let host = Seen(rawValue: 1)
        static let contentLength = Seen(rawValue: 2)
        static let transferEncoding = Seen(rawValue: 4)
        static let close = Seen(rawValue: 8)
        static let keepAlive = Seen(rawValue: 16)
    }
}

extension RequestParser {
    /// The most empty lines before a request line (RFC 9112 §2.2 asks for at least one).
    private static let emptyLineLimit = 8

    /// Takes bytes up to the end of the head.
    ///
    /// - Parameter input: The bytes that have arrived and were not taken before.
    /// - Returns: The number of bytes taken, and whether the head is complete.
    /// - Throws: The reason why the request is refused.
    package mutating func consume(
        _ input: Span<UInt8>
    ) throws(RequestError) -> (count: Int, isComplete: Bool) {
        guard part != .none else { preconditionFailure("the parser was not reset") }
        let start = try skipEmptyLines(input)
        guard start < input.count else { return (start, false) }
        let known = head.bytes.count
        let rest = input.extracting(start...).extracting(first: limits.headByteLimit - known)
        if known == 0 {
            // Most heads arrive whole: they are read where they are, and copied once.
            do throws(RequestError) {
                try takeLines(rest)
            } catch {
                head.bytes.append(copying: rest.extracting(first: taken))
                throw error
            }
            head.bytes.append(copying: part == .none ? rest.extracting(first: taken) : rest)
        } else {
            head.bytes.append(copying: rest)
            try takeKeptLines()
        }
        guard part != .none else { return (start + taken - known, true) }
        guard head.bytes.count < limits.headByteLimit else {
            throw .headTooLarge(limit: limits.headByteLimit)
        }
        return (start + rest.count, false)
    }

    /// Takes the complete lines of a head that arrives in pieces and is in `head.bytes`; if the
    /// head is complete, removes the bytes after it.
    private mutating func takeKeptLines() throws(RequestError) {
        var bytes: [UInt8] = []
        swap(&bytes, &head.bytes)
        defer { swap(&bytes, &head.bytes) }
        do throws(RequestError) {
            try takeLines(bytes.span)
        } catch {
            bytes.removeLast(bytes.count - taken)
            throw error
        }
        if part == .none { bytes.removeLast(bytes.count - taken) }
    }

    /// Takes all complete lines, and checks the bytes of an incomplete line behind them.
    ///
    /// - Parameter bytes: The head so far, and perhaps bytes after it.
    private mutating func takeLines(_ bytes: Span<UInt8>) throws(RequestError) {
        if part == .requestLine { try takeRequestLine(bytes) }
        while part == .fields, taken < bytes.count {
            if bytes[taken] == .carriageReturn { return try takeLastLine(bytes) }
            guard try takeLine(bytes) else { return }
        }
    }

    /// Returns an error to be thrown, and records the index of the byte that caused it.
    private mutating func refusal(_ error: RequestError, at index: Int) -> RequestError {
        taken = index
        return error
    }

    /// Skips empty lines before a request line (RFC 9112 §2.2).
    ///
    /// - Returns: The index of the first byte that belongs to the head.
    private mutating func skipEmptyLines(_ input: Span<UInt8>) throws(RequestError) -> Int {
        guard !isMidway else { return 0 }
        for index in input.indices {
            switch (part, input[index]) {
            case (.emptyLines, .carriageReturn):
                guard emptyLineCount < Self.emptyLineLimit else { throw .invalidRequestLine }
                emptyLineCount += 1
                part = .emptyLineEnd
            case (.emptyLineEnd, .lineFeed):
                part = .emptyLines
            case (.emptyLineEnd, _):
                throw .invalidRequestLine
            default:
                part = .requestLine
                return index
            }
        }
        return input.count
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

    /// Takes the request line, if it is complete.
    private mutating func takeRequestLine(_ bytes: Span<UInt8>) throws(RequestError) {
        let methodEnd = min(bytes.end(of: .token, from: 0), Self.methodByteLimit)
        guard methodEnd < bytes.count else { return }
        guard bytes[methodEnd] == .space, methodEnd > 0 else {
            throw refusal(.invalidRequestLine, at: methodEnd)
        }
        let start = methodEnd + 1
        let end = min(bytes.end(of: .target, from: start), start + limits.targetByteLimit)
        guard end < bytes.count else { return }
        guard bytes[end] == .space, start < end else {
            throw refusal(targetError(bytes[end]), at: end)
        }
        guard let (major, minor) = try version(bytes, from: end + 1) else { return }
        taken = end + 1 + Self.versionPattern.count
        guard major == UInt8(ascii: "1") else { throw .unsupportedVersion }
        head.version = minor == UInt8(ascii: "0") ? .http10 : .http11
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

    /// The version and the end of a request line; "0" stands for any digit (RFC 9112 §2.3).
    private static let versionPattern = Array("HTTP/0.0\r\n".utf8)

    /// Reads the version and the end of the request line.
    ///
    /// - Returns: The two digits; `nil` if the line is not complete.
    private mutating func version(
        _ bytes: Span<UInt8>,
        from start: Int
    ) throws(RequestError) -> (major: UInt8, minor: UInt8)? {
        let pattern = Self.versionPattern
        for index in start..<min(bytes.count, start + pattern.count) {
            let (byte, expected) = (bytes[index], pattern[index - start])
            if byte == expected { continue }
            guard expected.isDigit, byte.isDigit else {
                throw refusal(.invalidRequestLine, at: index)
            }
        }
        guard bytes.count >= start + pattern.count else { return nil }
        return (bytes[start + 5], bytes[start + 7])
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
    /// Takes a field line, or finds the byte that makes it invalid.
    ///
    /// - Returns: `false` if the line is not complete.
    private mutating func takeLine(_ bytes: Span<UInt8>) throws(RequestError) -> Bool {
        let start = taken
        let nameEnd = bytes.end(of: .token, from: start)
        // White space at the start of a line would be a folded line (RFC 9112 §5.2), a colon a
        // field without a name.
        guard nameEnd > start else { throw .invalidField }
        guard head.fields.count < limits.fieldLimit else {
            throw .tooManyFields(limit: limits.fieldLimit)
        }
        guard nameEnd < bytes.count else { return false }
        guard bytes[nameEnd] == .colon else { throw refusal(.invalidField, at: nameEnd) }
        let end = bytes.end(of: .fieldContent, from: nameEnd + 1)
        guard end < bytes.count else { return false }
        guard bytes[end] == .carriageReturn else { throw refusal(.invalidField, at: end) }
        guard try endsLine(bytes, at: end) else { return false }
        let known = KnownField(bytes, in: start..<nameEnd)
        let value = bytes.trimmed(nameEnd + 1..<end)
        head.add(RequestHead.Field(known: known, name: start..<nameEnd, value: value))
        try read(known, bytes.extracting(value))
        return true
    }

    /// Takes the empty line, and sets the properties of the head that follow from all fields (RFC
    /// 9112 §3.2, §9.3).
    private mutating func takeLastLine(_ bytes: Span<UInt8>) throws(RequestError) {
        guard try endsLine(bytes, at: taken) else { return }
        switch head.version {
        case .http10: head.isPersistent = seen.isDisjoint(with: .close) && seen.contains(.keepAlive)
        case .http11:
            guard seen.contains(.host) else { throw .invalidHost }
            head.isPersistent = seen.isDisjoint(with: .close)
        }
        part = .none
    }

    /// Takes a line whose carriage return is at `end`.
    ///
    /// - Returns: `false` if the line feed has not arrived.
    @inline(__always)
    private mutating func endsLine(_ bytes: Span<UInt8>, at end: Int) throws(RequestError) -> Bool {
        guard end + 1 < bytes.count else { return false }
        guard bytes[end + 1] == .lineFeed else { throw refusal(.invalidField, at: end + 1) }
        taken = end + 2
        return true
    }

    /// Reads a field if it controls the message.
    ///
    /// - Throws: The reason why the request is refused.
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
        guard !seen.contains(.host), HostSyntax.isAuthority(value) else { throw .invalidHost }
        seen.insert(.host)
    }

    /// Reads Content-Length (RFC 9110 §8.6, RFC 9112 §6.3).
    ///
    /// A length above ``RequestHead/longestBody`` is read as that length, which no server accepts.
    private mutating func readContentLength(_ value: Span<UInt8>) throws(RequestError) {
        guard !seen.contains(.contentLength), let length = value.wholeNumber else {
            throw .invalidContentLength
        }
        guard !seen.contains(.transferEncoding) else { throw .conflictingFraming }
        seen.insert(.contentLength)
        head.framing = .length(min(length, RequestHead.longestBody))
    }

    /// Reads Transfer-Encoding (RFC 9112 §6.1 and §6.3): only `chunked` alone is accepted.
    ///
    /// Without `chunked` at the end, the length of a request's body is unknown: 400 for any coding.
    /// A coding before `chunked` is not supported by this server: 501.
    private mutating func readTransferEncoding(_ value: Span<UInt8>) throws(RequestError) {
        guard head.version == .http11,
            seen.isDisjoint(with: [.transferEncoding, .contentLength])
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
        seen.insert(.transferEncoding)
        head.framing = .chunked
    }

    /// Reads Connection (RFC 9110 §7.6.1); its options are compared without regard to case.
    private mutating func readConnection(_ value: Span<UInt8>) {
        // Nearly all clients send this value.
        if value.equals("keep-alive", in: value.indices) {
            seen.insert(.keepAlive)
            return
        }
        var rest: Range<Int>? = value.indices
        while let element = value.nextElement(in: &rest) {
            if value.equals("close", in: element) { seen.insert(.close) }
            if value.equals("keep-alive", in: element) { seen.insert(.keepAlive) }
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
