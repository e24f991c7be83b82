extension JSONPath {
    /// Parses a path in the form of ``text``.
    init(text: String) {
        var rest = Substring(text).utf8
        var steps: [Step] = []
        while let first = rest.first {
            if first == UInt8(ascii: "[") {
                rest.removeFirst()
                steps.append(JSONPath.bracketed(&rest))
            } else {
                if first == UInt8(ascii: ".") { rest.removeFirst() }
                let name = rest.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "[") }
                steps.append(.member(String(Substring(name))))
                rest = rest.dropFirst(name.count)
            }
        }
        self.init(steps: steps)
    }

    /// Takes an index or a quoted name, and the closing bracket.
    private static func bracketed(_ rest: inout Substring.UTF8View) -> Step {
        var end = rest.startIndex
        if rest.first == UInt8(ascii: "\"") {
            rest.formIndex(after: &end)
            while end < rest.endIndex, rest[end] != UInt8(ascii: "\"") {
                if rest[end] == UInt8(ascii: "\\") { rest.formIndex(after: &end) }
                if end < rest.endIndex { rest.formIndex(after: &end) }
            }
        }
        while end < rest.endIndex, rest[end] != UInt8(ascii: "]") { rest.formIndex(after: &end) }
        let content = Array(rest[..<end])
        rest = rest[end...].dropFirst()
        if let index = Int(String(decoding: content, as: UTF8.self)), index >= 0 {
            return .index(index)
        }
        let isEscaped = content.contains(UInt8(ascii: "\\"))
        let token = StringToken(start: 1, end: content.count - 1, hash: 0, isEscaped: isEscaped)
        return .member(content.count < 2 ? "" : token.string(in: content[...]))
    }

    /// The path as a JSON Pointer (RFC 6901 §3).
    var pointer: String {
        steps.reduce(into: "") { pointer, step in
            switch step {
            case .index(let index): pointer += "/\(index)"
            case .member(let name):
                // The text is built of scalars: a slash with a combining mark after it would be
                // part of another character.
                pointer.unicodeScalars.append("/")
                for scalar in name.unicodeScalars {
                    switch scalar {
                    case "~": pointer.unicodeScalars += "~0".unicodeScalars
                    case "/": pointer.unicodeScalars += "~1".unicodeScalars
                    default: pointer.unicodeScalars.append(scalar)
                    }
                }
            }
        }
    }
}

extension DocumentError {
    /// Returns this error with its ``place`` in the document that it is about.
    ///
    /// - Parameter bytes: The whole document, which is JSON; if the value at the path does not
    ///   exist there, the place is that of the object or array around it.
    package func located(in bytes: [UInt8]) -> DocumentError {
        guard place == nil else { return self }
        var search = PathSearch(bytes)
        let found = search.follow(JSONPath(text: path))
        let line = bytes[...].line(of: search.index)
        return at(Place(pointer: found.pointer, offset: search.index, line: line))
    }
}

/// A search for a value in JSON that was validated before.
private struct PathSearch {
    private let bytes: ArraySlice<UInt8>
    /// The index of the first byte of the value that was found last.
    private(set) var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
        skipWhiteSpace()
    }

    /// Follows a path as far as it leads.
    ///
    /// - Returns: The part of the path that was followed.
    mutating func follow(_ path: JSONPath) -> JSONPath {
        var found: [JSONPath.Step] = []
        for step in path.steps {
            let start = index
            guard enter(step) else {
                index = start
                break
            }
            found.append(step)
        }
        return JSONPath(steps: found)
    }

    /// Goes to a member or an element of the current value.
    private mutating func enter(_ step: JSONPath.Step) -> Bool {
        guard index < bytes.count else { return false }
        switch (step, bytes[index]) {
        case (.member(let name), UInt8(ascii: "{")): return enterMember(name)
        case (.index(let index), UInt8(ascii: "[")): return enterElement(index)
        default: return false
        }
    }

    private mutating func enterMember(_ wanted: String) -> Bool {
        pass()
        while index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
            let (start, end) = (index + 1, JSONPath.tokenEnd(at: index, in: bytes) - 1)
            let isEscaped = bytes[start..<end].contains(UInt8(ascii: "\\"))
            let token = StringToken(start: start, end: end, hash: 0, isEscaped: isEscaped)
            pass()
            pass()
            if token.string(in: bytes).utf8.elementsEqual(wanted.utf8) { return true }
            passValue()
            pass()
        }
        return false
    }

    private mutating func enterElement(_ wanted: Int) -> Bool {
        pass()
        for _ in 0..<wanted {
            guard index < bytes.count, bytes[index] != UInt8(ascii: "]") else { return false }
            passValue()
            pass()
        }
        return index < bytes.count && bytes[index] != UInt8(ascii: "]")
    }

    /// Skips a token, and the white space after it.
    private mutating func pass() {
        guard index < bytes.count else { return }
        index = min(JSONPath.tokenEnd(at: index, in: bytes), bytes.count)
        skipWhiteSpace()
    }

    private mutating func passValue() {
        var depth = 0
        repeat {
            guard index < bytes.count else { return }
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            pass()
        } while depth > 0
    }

    private mutating func skipWhiteSpace() {
        while index < bytes.count, bytes[index].isWhiteSpace { index += 1 }
    }
}

extension ArraySlice<UInt8> {
    /// Returns the line, from 1, of the byte at `offset`.
    func line(of offset: Int) -> Int {
        self[..<Swift.min(offset, count)].count { $0 == UInt8(ascii: "\n") } + 1
    }
}
