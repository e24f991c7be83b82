/// The position of a value in a document, as members and indices: `sections[2].items[7].id`.
package struct JSONPath {
    enum Step {
        case member(String)
        case index(Int)
    }

    private(set) var steps: [Step] = []

    /// The index in the document of the value's first byte, or of the token in the value that was
    /// sought.
    private(set) var start = 0

    /// Makes a path from its steps.
    init(steps: [Step]) {
        self.steps = steps
    }

    /// Makes the path of the value that contains the byte at `offset`; for a byte between two
    /// values, the path of the object or array around them.
    ///
    /// - Parameters:
    ///   - offset: The index of the byte.
    ///   - bytes: A document that is JSON up to `offset`.
    ///
    /// The document is scanned from its start, which is slow, so this is used only for errors. The
    /// scan does not recurse, so a document may be nested at any depth.
    init(of offset: Int, in bytes: ArraySlice<UInt8>) {
        var scan = Scan()
        while scan.index < offset, scan.step(in: bytes, until: offset) {}
        steps = scan.steps(at: offset, in: bytes)
        start = min(scan.index, offset)
    }

    /// The path as text; empty for the document itself.
    var text: String {
        var text = ""
        for step in steps {
            switch step {
            case .index(let index): text += "[\(index)]"
            case .member(let name) where name.isPlainMemberName:
                text += text.isEmpty ? name : ".\(name)"
            case .member(let name):
                let quoted = JSONText(string: name).bytes
                text += "[\(String(decoding: quoted, as: UTF8.self))]"
            }
        }
        return text
    }

    /// The path of the object or array around the value.
    var parent: JSONPath {
        var path = self
        _ = path.steps.popLast()
        return path
    }

    func appending(_ step: Step) -> JSONPath {
        var path = self
        path.steps.append(step)
        return path
    }

    /// Returns the path in the document of a member of the value at `path`.
    package static func join(_ path: String, member name: String) -> String {
        join(path, JSONPath(steps: [.member(name)]).text)
    }

    /// Returns the path in a document for `inner`, which is a path in the value at `outer`.
    static func join(_ outer: String, _ inner: String) -> String {
        if outer.isEmpty || inner.isEmpty || inner.utf8.first == UInt8(ascii: "[") {
            return outer + inner
        }
        return "\(outer).\(inner)"
    }
}

extension JSONPath {
    /// A scan of a document's tokens up to the byte whose path is sought.
    private struct Scan {
        private enum Level {
            case object(member: String?)
            case array(index: Int)
        }

        private(set) var index = 0
        private var levels: [Level] = []
        private var isAfterValue = false

        /// Scans the next token.
        ///
        /// - Returns: Whether the token ended before `offset`; if not, the scan stays at its start.
        mutating func step(in bytes: ArraySlice<UInt8>, until offset: Int) -> Bool {
            let end = tokenEnd(in: bytes)
            guard end <= offset else { return false }
            switch bytes[index] {
            case UInt8(ascii: "{"): levels.append(.object(member: nil))
            case UInt8(ascii: "["): levels.append(.array(index: 0))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = levels.popLast()
                isAfterValue = true
            case UInt8(ascii: ","): separate()
            case UInt8(ascii: "\"") where expectsName:
                levels[levels.count - 1] = .object(member: name(in: bytes, to: end))
            case UInt8(ascii: ":"), 0x20, 0x0a, 0x0d, 0x09: break
            default: isAfterValue = true
            }
            index = end
            return true
        }

        /// Returns the steps to the value at which the scan stopped.
        func steps(at offset: Int, in bytes: ArraySlice<UInt8>) -> [Step] {
            var steps = levels.compactMap { level -> Step? in
                switch level {
                case .array(let index): .index(index)
                case .object(let member): member.map(Step.member)
                }
            }
            if isAfterValue {
                _ = steps.popLast()
            } else if expectsName, index == offset, offset < bytes.count,
                bytes[offset] == UInt8(ascii: "\""), case let end = tokenEnd(in: bytes),
                end <= bytes.count
            {
                steps.append(.member(name(in: bytes, to: end)))
            }
            return steps
        }

        private var expectsName: Bool {
            if case .object(member: nil) = levels.last { true } else { false }
        }

        private mutating func separate() {
            isAfterValue = false
            switch levels.popLast() {
            case .object: levels.append(.object(member: nil))
            case .array(let index): levels.append(.array(index: index + 1))
            case nil: break
            }
        }

        private func name(in bytes: ArraySlice<UInt8>, to end: Int) -> String {
            let token = StringToken(start: index + 1, end: end - 1, hash: 0, isEscaped: true)
            return token.string(in: bytes)
        }

        private func tokenEnd(in bytes: ArraySlice<UInt8>) -> Int {
            JSONPath.tokenEnd(at: index, in: bytes)
        }
    }

    /// Returns the end of the token that begins at `index`; for a string without a closing quote,
    /// an index past the document.
    static func tokenEnd(at index: Int, in bytes: ArraySlice<UInt8>) -> Int {
        switch bytes[index] {
        case UInt8(ascii: "\""):
            var position = index + 1
            while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
            }
            return position + 1
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0a, 0x0d, 0x09:
            return index + 1
        default:
            let rest = bytes[index...].dropFirst()
            return rest.firstIndex { !$0.continuesBareToken } ?? bytes.count
        }
    }
}

extension UInt8 {
    /// Whether the byte may follow the first one in a number, `true`, `false` or `null`.
    fileprivate var continuesBareToken: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

extension String {
    /// Whether the name may be written in a path without quotes.
    fileprivate var isPlainMemberName: Bool {
        guard let first = utf8.first, first > UInt8(ascii: "9") else { return false }
        return utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }
}

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

    /// Removes an index or a quoted name with its closing bracket from the start of `rest`, and
    /// returns it as a step.
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
        if let index = Int(digits: content) { return .index(index) }
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
    /// Returns this error with its ``place``, which is found by its path.
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
