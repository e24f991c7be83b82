/// RFC 9112 §7.1, line by line.
struct NaiveChunks {
    private var rest: ArraySlice<UInt8>

    /// Decodes a body that is whole.
    ///
    /// - Returns: The body, and how many bytes it took; nil when it is not whole, or not one.
    static func decode(_ bytes: [UInt8], limit: Int) -> (body: [UInt8], count: Int)? {
        var chunks = NaiveChunks(rest: bytes[...])
        var body: [UInt8] = []
        var extensionByteCount = 0
        while let (size, extensions) = chunks.sizeLine() {
            extensionByteCount += extensions
            guard extensionByteCount <= 4096, size <= limit - body.count else { return nil }
            if size == 0 {
                return chunks.takeTrailers() ? (body, bytes.count - chunks.rest.count) : nil
            }
            guard chunks.rest.count >= size else { return nil }
            body += chunks.rest.prefix(size)
            chunks.rest = chunks.rest.dropFirst(size)
            guard chunks.line() == [] else { return nil }
        }
        return nil
    }

    /// The next line, which CR LF ends and in which neither stands alone.
    private mutating func line() -> [UInt8]? {
        guard let end = rest.firstIndex(of: 13), end + 1 < rest.endIndex, rest[end + 1] == 10,
            !rest[..<end].contains(10)
        else { return nil }
        defer { rest = rest[(end + 2)...] }
        return Array(rest[..<end])
    }

    private mutating func sizeLine() -> (size: Int, extensionByteCount: Int)? {
        guard let line = line() else { return nil }
        let digits = line.prefix { Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }
        guard 1...15 ~= digits.count, areExtensions(line[digits.count...]) else { return nil }
        let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        return size.map { ($0, line.count - digits.count) }
    }

    /// `*( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )`.
    private func areExtensions(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        func skipBlanks() { rest = rest.drop { $0 == 9 || $0 == 0x20 } }
        func skip(_ character: Character) -> Bool {
            guard let first = rest.first, first == character.asciiValue else { return false }
            rest = rest.dropFirst()
            return true
        }
        func skipToken() -> Bool {
            let token = rest.prefix(while: NaiveHead.isToken)
            rest = rest.dropFirst(token.count)
            return !token.isEmpty
        }
        func skipQuoted() -> Bool {
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "\"") { return true }
                guard byte == 9 || byte >= 0x20 && byte != 0x7f else { return false }
                if byte == UInt8(ascii: "\\") {
                    guard let next = rest.popFirst(), next == 9 || next >= 0x20 && next != 0x7f
                    else { return false }
                }
            }
            return false
        }
        while !rest.isEmpty {
            skipBlanks()
            guard skip(";") else { return false }
            skipBlanks()
            guard skipToken() else { return false }
            let end = rest
            skipBlanks()
            guard skip("=") else {
                rest = end
                continue
            }
            skipBlanks()
            guard skip("\"") ? skipQuoted() : skipToken() else { return false }
        }
        return true
    }

    /// Takes the trailer section, and says whether it is whole and well-formed.
    private mutating func takeTrailers() -> Bool {
        let start = rest.count
        while let line = line() {
            if line.isEmpty { return start - rest.count <= 16 << 10 }
            guard NaiveHead.Field(line) != nil else { return false }
        }
        return false
    }
}
