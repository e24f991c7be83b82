/// Reads request heads (RFC 9112 §2 to §6), however their bytes arrive.
///
/// Every byte is looked at as it comes, so an error is thrown by the first byte (a line's meaning:
/// by its line feed) from which on the request cannot be a good one, and it is the same error
/// wherever the bytes were cut. After an error the connection closes: the parser is not used again.
package struct RequestParser: Sendable {
    /// The head; whole once `consume` has said so, until `reset`. Others may take it out of here
    /// and put it back before that.
    package var head = RequestHead()
    /// What a head may have; changes only while the parser is fresh.
    package var limits: HeadLimits
    var state = State.start
    /// Empty lines taken before the request line.
    var emptyLineCount = 0
    /// The place in the head of the current input's first byte; negative when empty lines precede.
    var base = 0
    var line = Line()
    var seen = Seen()

    /// A parser that is ready for the first head.
    package init(limits: HeadLimits = HeadLimits()) {
        self.limits = limits
    }

    /// Whether a head was begun (leading empty lines do not count).
    package var isMidway: Bool {
        state != .start && state != .emptyLine && state != .whole
    }

    /// Whether nothing was taken since it was made or reset, not even an empty line.
    package var isFresh: Bool { state == .start && emptyLineCount == 0 }

    /// Whether what was taken begins a HEAD request: however it goes on, its answer has no content
    /// (RFC 9110 §9.3.2).
    package var isForHead: Bool { head.bytes.starts(with: Self.headMethod) }

    private static let headMethod = Array("HEAD ".utf8)

    /// Gets ready for the next head, keeping the storage.
    package mutating func reset() {
        head.bytes.removeAll(keepingCapacity: true)
        head.fields.removeAll(keepingCapacity: true)
        head.index.removeAll()
        head.framing = .none
        head.expectsContinue = false
        head.hasUnknownExpectation = false
        restart()
    }

    /// Gets ready for the next head, and gives the storage back (an idle connection).
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
    /// What the next byte belongs to; where a line feed must follow, the line before it.
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

    /// Places in the current line, counted from the head's first byte.
    struct Line: Sendable {
        var start = 0
        /// Behind the method or the field's name.
        var nameEnd = 0
        /// At the carriage return; -1 before there was one.
        var end = -1
        var major: UInt8 = 0
        var minor: UInt8 = 0
    }

    /// What the fields so far have said.
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
    /// - Parameter input: What has arrived and was not taken before.
    /// - Returns: How many bytes were taken, and whether the head is whole.
    /// - Throws: Why the request is refused.
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
            // What was good of it, and a line that was taken at once, still tell how to refuse it.
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

    /// Appends to the head what was taken of the input so far.
    mutating func keep(_ input: Span<UInt8>, upTo index: Int) {
        head.bytes.append(copying: input.extracting((head.bytes.count - base)..<index))
    }

    /// Takes bytes as long as they belong to the same part of the head.
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
    /// The longest request target.
    package var targetByteLimit = 24 << 10
    /// The longest head, from the method to the empty line, which counts.
    package var headByteLimit = 48 << 10
    /// The most field lines.
    package var fieldLimit = 100 {
        didSet { fieldLimit = min(fieldLimit, HeadLimits.mostFields) }
    }

    /// The most that ``fieldLimit`` can be: a field's place is noted in a byte.
    package static let mostFields = 255

    /// The limits that the protocol names.
    package init() {}
}
