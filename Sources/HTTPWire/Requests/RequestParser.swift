/// Parses request heads (RFC 9112 §2 to §6), however their bytes arrive.
///
/// Every byte is checked as it comes. An error is thrown at the first byte that makes the request
/// invalid (for the meaning of a line: at its line feed), and it is the same error wherever the
/// input was divided. After an error the connection closes, and the parser is not used again.
package struct RequestParser: Sendable {
    /// The head; it is complete from when `consume` says so until `reset`.
    ///
    /// The owner may take it out for a while and must put it back before that.
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
