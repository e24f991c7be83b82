/// Parses request heads (RFC 9112 §2 to §6), however their bytes arrive.
///
/// Every byte is checked as it comes. An error is thrown at the first byte that makes the request
/// invalid (for the meaning of a line: at its line feed), and it is the same error wherever the
/// input was divided. After an error the connection closes, and the parser is not used again.
package struct RequestParser: Sendable {
    /// The head, which is complete from the moment `consume` says so until `reset`.
    ///
    /// The owner may take the head out of the parser meanwhile, and must put it back before
    /// `reset`.
    package var head = RequestHead()
    /// The limits on a head; changed only while the parser is fresh.
    package var limits: HeadLimits
    var state = State.start
    /// The number of empty lines taken before the request line.
    var emptyLineCount = 0
    /// The index in the head of the current input's first byte; negative if empty lines precede.
    var base = 0
    var line = Line()
    var seen = Seen()

    /// Makes a parser that is ready for the first head.
    package init(limits: HeadLimits = HeadLimits()) {
        self.limits = limits
    }

    /// Whether a head has begun (leading empty lines do not count).
    package var isMidway: Bool {
        state != .start && state != .emptyLine && state != .whole
    }

    /// Whether no byte was taken since the parser was made or reset, not even an empty line.
    package var isFresh: Bool { state == .start && emptyLineCount == 0 }

    /// Whether the bytes so far begin a HEAD request: however it continues, its answer has no
    /// content (RFC 9110 §9.3.2).
    package var isForHead: Bool { head.bytes.starts(with: Self.headMethod) }

    private static let headMethod = Array("HEAD ".utf8)

    /// Prepares for the next head, and keeps the storage.
    package mutating func reset() {
        head.bytes.removeAll(keepingCapacity: true)
        head.fields.removeAll(keepingCapacity: true)
        head.index.removeAll()
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
        state = .start
        emptyLineCount = 0
        line = Line()
        seen = Seen()
    }
}

extension RequestParser {
    /// The part of the head that the next byte belongs to; if a line feed must follow, the line
    /// that it ends.
    enum State: Sendable {
        case start
        case emptyLine
        case method
        case target
        case version
        case requestLineEnd
        case fieldStart
        case fieldName
        case fieldValue
        case fieldEnd
        case headEnd
        case whole
    }

    /// Indices in the current line, counted from the head's first byte.
    struct Line: Sendable {
        var start = 0
        /// The index after the method or the field's name.
        var nameEnd = 0
        /// The index of the carriage return; -1 before it has come.
        var end = -1
        var major: UInt8 = 0
        var minor: UInt8 = 0
    }

    /// The facts that the fields so far have stated.
    struct Seen: Sendable {
        var host = false
        var contentLength = false
        var transferEncoding = false
        var close = false
        var keepAlive = false
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
        precondition(state != .whole, "the parser was not reset")
        var index = try skipEmptyLines(input)
        guard index < input.count else { return (index, false) }
        base = head.bytes.count - index
        let input = input.extracting(first: limits.headByteLimit - base)
        do throws(RequestError) {
            if state == .method, base + index == 0 { index = takeRequestLine(input, from: index) }
            while index < input.count, state != .whole {
                index = try advance(input, from: index)
            }
        } catch {
            // The valid bytes, and a line that was taken at once, are kept: they tell how to refuse
            // the request.
            keep(input, upTo: max(index, line.end + 1 - base))
            throw error
        }
        keep(input, upTo: index)
        guard state != .whole else { return (index, true) }
        guard head.bytes.count < limits.headByteLimit else {
            throw .headTooLarge(limit: limits.headByteLimit)
        }
        return (index, false)
    }

    /// Appends to the head the input that was taken so far.
    mutating func keep(_ input: Span<UInt8>, upTo index: Int) {
        head.bytes.append(copying: input.extracting((head.bytes.count - base)..<index))
    }

    /// Takes bytes that belong to the same part of the head.
    ///
    /// - Returns: The index of the first byte that was not taken.
    private mutating func advance(
        _ input: Span<UInt8>,
        from index: Int
    ) throws(RequestError) -> Int {
        switch state {
        case .method: return try takeMethod(input, from: index)
        case .target: return try takeTarget(input, from: index)
        case .version: return try takeVersion(input, from: index)
        case .fieldName: return try takeFieldName(input, from: index)
        case .fieldValue: return try takeFieldValue(input, from: index)
        case .fieldStart:
            return try startField(input, at: index)
        case .requestLineEnd:
            guard input[index] == .lineFeed else { throw .invalidRequestLine }
            try endRequestLine(input, at: index)
        case .fieldEnd:
            guard input[index] == .lineFeed else { throw .invalidField }
            try endField(input, at: index)
        case .headEnd:
            guard input[index] == .lineFeed else { throw .invalidField }
            try endHead()
        case .start, .emptyLine, .whole:
            preconditionFailure("not within a head")
        }
        return index + 1
    }

    /// Skips empty lines before a request line (RFC 9112 §2.2).
    ///
    /// - Returns: The index of the request line's first byte in `input`.
    private mutating func skipEmptyLines(_ input: Span<UInt8>) throws(RequestError) -> Int {
        var index = 0
        while index < input.count {
            switch (state, input[index]) {
            case (.start, .carriageReturn):
                guard emptyLineCount < Self.emptyLineLimit else { throw .invalidRequestLine }
                emptyLineCount += 1
                state = .emptyLine
            case (.start, _):
                state = .method
                return index
            case (.emptyLine, .lineFeed):
                state = .start
            case (.emptyLine, _):
                throw .invalidRequestLine
            default:
                return index
            }
            index += 1
        }
        return index
    }
}

/// Limits on a request head (docs/PROTOCOL.md, "Limits").
package struct HeadLimits: Sendable, Equatable {
    /// The most bytes of a request target.
    package var targetByteLimit = 24 << 10
    /// The most bytes of a head, from the method to the empty line, which counts.
    package var headByteLimit = 48 << 10
    /// The most field lines.
    package var fieldLimit = 100 {
        didSet { fieldLimit = min(fieldLimit, HeadLimits.mostFields) }
    }

    /// The upper bound of ``fieldLimit``: a field line's index is stored in a byte.
    package static let mostFields = 255

    /// Makes the limits that are the protocol's defaults.
    package init() {}
}

/// Parsing of the request line (RFC 9112 §3).
extension RequestParser {
    /// The most bytes of a method; the handler refuses unknown methods.
    private static let methodByteLimit = 1 << 10

    /// Takes the request line at once if it is complete and is a GET with a target in origin form
    /// and HTTP/1.1, as nearly all are; takes no bytes of any other line.
    ///
    /// - Parameter start: The index in `input` at which the head begins.
    /// - Returns: The index after its line feed, or `start`.
    mutating func takeRequestLine(_ input: Span<UInt8>, from start: Int) -> Int {
        let target = start + 4
        guard target + 4 <= input.count, input.word(at: start) & 0xff_ffff_ffff == Self.getSlash
        else {
            return start
        }
        let end = input.endOfTarget(from: target)
        guard end - target <= limits.targetByteLimit, end + 11 <= input.count,
            input[end] == .space, input.word(at: end + 1) == Self.version11,
            input[end + 9] == .carriageReturn, input[end + 10] == .lineFeed
        else { return start }
        line.nameEnd = 3
        head.method = .get
        head.target = 4..<end - start
        head.version = .http11
        state = .fieldStart
        return end + 11
    }

    /// The bytes "GET /" as the lowest five of a word.
    private static var getSlash: UInt64 { 0x2f_2054_4547 }

    /// Takes a method up to its space.
    mutating func takeMethod(_ input: Span<UInt8>, from start: Int) throws(RequestError) -> Int {
        let stop = min(input.count, Self.methodByteLimit - base)
        var index = start
        while index < stop, input[index].isTokenCharacter { index += 1 }
        guard index < input.count else { return index }
        line.nameEnd = base + index
        guard input[index] == .space, line.nameEnd > 0 else { throw .invalidRequestLine }
        state = .target
        return index + 1
    }

    /// Takes a target up to its space.
    mutating func takeTarget(_ input: Span<UInt8>, from start: Int) throws(RequestError) -> Int {
        let targetStart = line.nameEnd + 1
        let stop = min(input.count, targetStart + limits.targetByteLimit - base)
        let index = min(stop, input.endOfTarget(from: start))
        guard index < input.count else { return index }
        switch input[index] {
        case .space:
            head.target = targetStart..<(base + index)
            guard !head.target.isEmpty else { throw .invalidRequestLine }
            state = .version
            return index + 1
        case .carriageReturn, .lineFeed:
            throw .invalidRequestLine
        case let byte where byte.isTargetCharacter:
            throw .targetTooLong(limit: limits.targetByteLimit)
        default:
            throw .invalidTarget
        }
    }

    /// The bytes "HTTP/1.1" as a word.
    private static var version11: UInt64 { 0x312e_312f_5054_5448 }

    /// Takes "HTTP/" DIGIT "." DIGIT and the carriage return.
    mutating func takeVersion(_ input: Span<UInt8>, from start: Int) throws(RequestError) -> Int {
        let versionStart = head.target.upperBound + 1
        if base + start == versionStart, input.count - start > 8,
            input[start + 8] == .carriageReturn,
            input.word(at: start) == Self.version11
        {
            line.major = UInt8(ascii: "1")
            line.minor = UInt8(ascii: "1")
            state = .requestLineEnd
            return start + 9
        }
        for index in start..<input.count {
            let byte = input[index]
            let isRight =
                switch base + index - versionStart {
                case 0: byte == UInt8(ascii: "H")
                case 1, 2: byte == UInt8(ascii: "T")
                case 3: byte == UInt8(ascii: "P")
                case 4: byte == .slash
                case 5, 7: byte.isDigit
                case 6: byte == UInt8(ascii: ".")
                default: byte == .carriageReturn
                }
            guard isRight else { throw .invalidRequestLine }
            switch base + index - versionStart {
            case 5: line.major = byte
            case 7: line.minor = byte
            case 8:
                state = .requestLineEnd
                return index + 1
            default: break
            }
        }
        return input.count
    }

    /// Ends the request line at its line feed.
    mutating func endRequestLine(_ input: Span<UInt8>, at index: Int) throws(RequestError) {
        guard line.major == UInt8(ascii: "1") else { throw .unsupportedVersion }
        head.version = line.minor == UInt8(ascii: "0") ? .http10 : .http11
        if base <= 0 {
            try readRequestLine(in: input, offset: base)
        } else {
            keep(input, upTo: index)
            let bytes = head.bytes
            try readRequestLine(in: bytes.span, offset: 0)
        }
        state = .fieldStart
    }

    /// Reads the method and the target of a complete request line.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that contain the line.
    ///   - offset: The index in the head of the first of them.
    /// - Throws: The reason why the request is refused.
    private mutating func readRequestLine(in bytes: Span<UInt8>, offset: Int) throws(RequestError) {
        let target = head.target.lowerBound - offset..<head.target.upperBound - offset
        head.method = Self.method(bytes.extracting((0 - offset)..<(line.nameEnd - offset)))
        guard RequestTarget.Form(bytes.extracting(target), method: head.method) != nil else {
            throw .invalidTarget
        }
    }

    /// Recognizes a method by its bytes as a number.
    private static func method(_ name: Span<UInt8>) -> RequestHead.Method {
        guard name.count <= 8 else { return .other }
        var number: UInt64 = 0
        for index in name.indices { number = number << 8 | UInt64(name[index]) }
        return switch number {
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

/// Parsing of field lines (RFC 9112 §5), and of the fields that control the message.
extension RequestParser {
    /// Takes a line's first byte: a field's name, or the end of the head.
    ///
    /// Complete and valid lines, as nearly all are, are taken at once.
    mutating func startField(_ input: Span<UInt8>, at start: Int) throws(RequestError) -> Int {
        if input[start] == .carriageReturn {
            state = .headEnd
            return start + 1
        }
        let index = try takeLines(input, from: start)
        guard index == start else { return index }
        // White space here would be a folded line (RFC 9112 §5.2); a colon, a field without name.
        guard input[start].isTokenCharacter else { throw .invalidField }
        guard head.fields.count < limits.fieldLimit else {
            throw .tooManyFields(limit: limits.fieldLimit)
        }
        line.start = base + start
        state = .fieldName
        return start + 1
    }

    /// The number of fields for which a new head reserves room.
    private static let usualFieldCount = 24

    /// Takes complete and valid lines, and stops at the first other line, or when the head's
    /// storage for fields is full.
    ///
    /// - Returns: The index after the last line taken.
    /// - Throws: The reason why the request is refused for a line's meaning.
    private mutating func takeLines(
        _ input: Span<UInt8>,
        from start: Int
    ) throws(RequestError) -> Int {
        var index = start
        var fields: [RequestHead.Field] = []
        swap(&fields, &head.fields)
        defer { swap(&fields, &head.fields) }
        let known = fields.count
        let room = min(
            limits.fieldLimit - known,
            max(Self.usualFieldCount, fields.capacity - known)
        )
        try fields.append(addingCapacity: room) { fields throws(RequestError) in
            var controls = ControlPlaces()
            while fields.freeCapacity > 0 {
                let end = controls.next(in: input, from: index)
                guard let line = input.fieldLine(index, end) else { return }
                fields.append(RequestHead.Field(line, base))
                index = end &+ 2
                guard line.known != .other else { continue }
                head.index.add(line.known, at: known &+ fields.count &- 1)
                guard line.known.isForMessage else { continue }
                self.line.end = base + end
                try read(line.known, input.extracting(line.value))
            }
        }
        return index
    }

    /// Takes a field's name up to its colon.
    mutating func takeFieldName(_ input: Span<UInt8>, from start: Int) throws(RequestError) -> Int {
        for index in start..<input.count where !input[index].isTokenCharacter {
            guard input[index] == .colon else { throw .invalidField }
            line.nameEnd = base + index
            state = .fieldValue
            return index + 1
        }
        return input.count
    }

    /// Takes a field's value up to its carriage return.
    mutating func takeFieldValue(
        _ input: Span<UInt8>,
        from start: Int
    ) throws(RequestError) -> Int {
        let index = input.endOfFieldContent(from: start)
        guard index < input.count else { return index }
        guard input[index] == .carriageReturn else { throw .invalidField }
        line.end = base + index
        state = .fieldEnd
        return index + 1
    }

    /// Ends a field line at its line feed.
    mutating func endField(_ input: Span<UInt8>, at index: Int) throws(RequestError) {
        if base <= line.start {
            try readField(in: input, offset: base)
        } else {
            keep(input, upTo: index)
            let bytes = head.bytes
            try readField(in: bytes.span, offset: 0)
        }
        state = .fieldStart
    }

    /// Reads the complete line in `bytes`, which begin at index `offset` of the head.
    private mutating func readField(in bytes: Span<UInt8>, offset: Int) throws(RequestError) {
        let name = line.start - offset..<line.nameEnd - offset
        let known = KnownField(bytes, in: name)
        let line = FieldLine(
            known: known,
            nameStart: name.lowerBound,
            nameEnd: name.upperBound,
            value: bytes.trimmed(name.upperBound + 1..<line.end - offset)
        )
        if known != .other { head.index.add(known, at: head.fields.count) }
        head.fields.append(RequestHead.Field(line, offset))
        if known.isForMessage { try read(known, bytes.extracting(line.value)) }
    }

    /// Reads a field that controls the message.
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

    /// Sets the properties of the head that follow from all fields (RFC 9112 §3.2, §9.3).
    mutating func endHead() throws(RequestError) {
        guard seen.host || head.version == .http10 else { throw .invalidHost }
        head.isPersistent = !seen.close && (head.version == .http11 || seen.keepAlive)
        state = .whole
    }
}

extension RequestParser {
    /// Reads Host (RFC 9112 §3.2); without a host no http or https URI is complete (RFC 9110
    /// §4.2.1).
    private mutating func readHost(_ value: Span<UInt8>) throws(RequestError) {
        guard !seen.host, HostSyntax.isAuthority(value) else { throw .invalidHost }
        seen.host = true
    }

    /// Reads Content-Length (RFC 9110 §8.6, RFC 9112 §6.3).
    ///
    /// A length above ``RequestHead/longestBody`` is read as that, which no server accepts.
    private mutating func readContentLength(_ value: Span<UInt8>) throws(RequestError) {
        guard !seen.contentLength, let length = value.wholeNumber else {
            throw .invalidContentLength
        }
        guard !seen.transferEncoding else { throw .conflictingFraming }
        seen.contentLength = true
        head.framing = .length(min(length, RequestHead.longestBody))
    }

    /// Reads Transfer-Encoding (RFC 9112 §6.1 and §6.3): only `chunked` alone is accepted.
    ///
    /// Without `chunked` at the end, the length of a request's body is unknown: 400 for any coding.
    /// A coding before `chunked` is not supported by this server: 501.
    private mutating func readTransferEncoding(_ value: Span<UInt8>) throws(RequestError) {
        guard head.version == .http11, !seen.transferEncoding, !seen.contentLength else {
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
        seen.transferEncoding = true
        head.framing = .chunked
    }

    /// Reads Connection (RFC 9110 §7.6.1); its options are compared without regard to case.
    private mutating func readConnection(_ value: Span<UInt8>) {
        // Nearly all clients send this value.
        if value.equals("keep-alive", in: value.indices) {
            seen.keepAlive = true
            return
        }
        var rest: Range<Int>? = value.indices
        while let element = value.nextElement(in: &rest) {
            if value.equals("close", in: element) { seen.close = true }
            if value.equals("keep-alive", in: element) { seen.keepAlive = true }
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

extension KnownField {
    /// Whether the field controls the message.
    fileprivate var isForMessage: Bool {
        switch self {
        case .host, .contentLength, .transferEncoding, .connection, .expect: true
        default: false
        }
    }
}
