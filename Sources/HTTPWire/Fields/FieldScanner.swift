/// Reads a field's value from left to right by the grammar of RFC 9110 §5.6.
struct FieldScanner {
    private let bytes: [UInt8]
    private let end: Int
    /// The index of the next byte.
    private(set) var index: Int

    init(_ value: String) {
        bytes = Array(value.utf8)
        index = 0
        end = bytes.count
    }

    private init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        index = range.lowerBound
        end = range.upperBound
    }

    /// The next byte; `nil` at the end.
    var next: UInt8? { index < end ? bytes[index] : nil }

    var isAtEnd: Bool { index == end }
}

extension FieldScanner {
    /// Skips optional white space (RFC 9110 §5.6.3).
    mutating func skipBlanks() {
        while let next, next.isBlank { index += 1 }
    }

    /// Skips `byte`, if it is the next one, and returns whether it was.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    /// Skips `byte` and the white space around it, and returns whether `byte` was there; if not,
    /// white space was skipped all the same.
    mutating func skipBetweenBlanks(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard skip(byte) else { return false }
        skipBlanks()
        return true
    }

    /// Takes the longest text of bytes for which `isPart` returns true; `nil` if that text is
    /// empty.
    mutating func text(where isPart: (UInt8) -> Bool) -> String? {
        let start = index
        while let next, isPart(next) { index += 1 }
        guard index > start else { return nil }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Takes a token (RFC 9110 §5.6.2); `nil` if none follows.
    mutating func token() -> String? {
        text(where: \.isTokenCharacter)
    }

    /// Takes a token and returns it in lower case.
    mutating func lowercasedToken() -> String? {
        token().map { String(decoding: $0.utf8.map(\.lowercased), as: UTF8.self) }
    }

    /// Takes a quoted string and returns it without its quotes (RFC 9110 §5.6.4); `nil` if none
    /// follows, or if it is malformed.
    mutating func quotedString() -> String? {
        guard skip(.quote) else { return nil }
        var content: [UInt8] = []
        while var byte = next {
            index += 1
            if byte == .quote { return String(decoding: content, as: UTF8.self) }
            if byte == .backslash {
                guard let escaped = next else { return nil }
                byte = escaped
                index += 1
            }
            guard byte.isFieldContent else { return nil }
            content.append(byte)
        }
        return nil
    }

    /// Takes a token, or a quoted string without its quotes; `nil` if neither follows.
    mutating func word() -> String? {
        next == .quote ? quotedString() : token()
    }

    /// Returns scanners for the elements of a comma-separated list that are not empty, without the
    /// white space around them; a comma in quotes does not separate (RFC 9110 §5.6.1).
    func elements(atMost limit: Int = .max) -> [FieldScanner] {
        var elements: [FieldScanner] = []
        var rest: Range<Int>? = index..<end
        while elements.count < limit, let range = bytes.span.nextUnquotedElement(in: &rest) {
            elements.append(FieldScanner(bytes, in: range))
        }
        return elements
    }
}
