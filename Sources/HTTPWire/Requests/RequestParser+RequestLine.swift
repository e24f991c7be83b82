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
