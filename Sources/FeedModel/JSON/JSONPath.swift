/// The position of a value in a document, as members and indices: `sections[2].items[7].id`.
package struct JSONPath {
    enum Step: Equatable {
        case member(ExactString)
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
    /// The document is scanned from its start, which is slow, so this is used only for errors. The
    /// scan does not recurse, so a document may be nested at any depth.
    ///
    /// - Parameter bytes: A document that is JSON up to `offset`.
    init(of offset: Int, in bytes: ArraySlice<UInt8>) {
        var scan = Scan()
        while scan.index < offset, scan.pass(in: bytes, until: offset) {}
        steps = scan.steps(at: offset, in: bytes)
        start = min(scan.index, offset)
    }

    /// Makes the part of `path`, whose value may not exist, that leads to a value in a document,
    /// which is JSON.
    init(following path: JSONPath, in bytes: ArraySlice<UInt8>) {
        var scan = Scan()
        while scan.index < bytes.count, bytes[scan.index].isWhiteSpace, scan.pass(in: bytes) {}
        start = scan.index
        for step in path.steps {
            guard scan.enter(step, in: bytes) else { return }
            steps.append(step)
            start = scan.index
        }
    }

    /// The path as text; empty for the document itself.
    var text: String {
        var text = ""
        for step in steps {
            switch step {
            case .index(let index): text += "[\(index)]"
            case .member(let name) where name.string.isPlainMemberName:
                text += text.isEmpty ? name.string : ".\(name)"
            case .member(let name):
                let quoted = JSONText(string: name.string).bytes
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
        join(path, JSONPath(steps: [.member(ExactString(name))]).text)
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
    /// A scan of a document's tokens.
    private struct Scan {
        private(set) var index = 0
        /// The step to the current value in each object and array around it; `nil` for an object
        /// whose next member's name has not been scanned.
        private var levels: [Step?] = []
        private var isAfterValue = false

        /// Scans the next token, and returns whether it ended before `end`, by default that of the
        /// document; if not, the scan stays at the token's start.
        mutating func pass(in bytes: ArraySlice<UInt8>, until end: Int? = nil) -> Bool {
            let tokenEnd = JSONPath.tokenEnd(at: index, in: bytes)
            guard tokenEnd <= end ?? bytes.count else { return false }
            switch bytes[index] {
            case UInt8(ascii: "{"): levels.append(nil)
            case UInt8(ascii: "["): levels.append(.index(0))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = levels.popLast()
                isAfterValue = true
            case UInt8(ascii: ","): separate()
            case UInt8(ascii: "\"") where expectsName:
                levels[levels.count - 1] = name(in: bytes, to: tokenEnd)
            case UInt8(ascii: ":"), 0x20, 0x0a, 0x0d, 0x09: break
            default: isAfterValue = true
            }
            index = tokenEnd
            return true
        }

        /// Scans up to a member or an element of the value at which the scan is; returns whether
        /// the value has it.
        mutating func enter(_ step: Step, in bytes: ArraySlice<UInt8>) -> Bool {
            let depth = levels.count + 1
            while index < bytes.count, pass(in: bytes), levels.count >= depth {
                // The name, which may be long, is compared once, when its value begins.
                if levels.count == depth, isAtValue(in: bytes), levels.last == step { return true }
            }
            return false
        }

        private func isAtValue(in bytes: ArraySlice<UInt8>) -> Bool {
            guard !isAfterValue, index < bytes.count, !bytes[index].isWhiteSpace else {
                return false
            }
            return bytes[index] != UInt8(ascii: ":") && bytes[index] != UInt8(ascii: "]")
        }

        /// Returns the steps to the value at which the scan stopped.
        func steps(at offset: Int, in bytes: ArraySlice<UInt8>) -> [Step] {
            var steps = levels.compactMap { $0 }
            if isAfterValue {
                _ = steps.popLast()
            } else if expectsName, index == offset, offset < bytes.count,
                bytes[offset] == UInt8(ascii: "\""),
                case let end = JSONPath.tokenEnd(at: index, in: bytes), end <= bytes.count
            {
                steps.append(name(in: bytes, to: end))
            }
            return steps
        }

        private var expectsName: Bool { levels.last == .some(nil) }

        private mutating func separate() {
            isAfterValue = false
            guard let last = levels.popLast() else { return }
            if case .index(let index) = last {
                levels.append(.index(index + 1))
            } else {
                levels.append(nil)
            }
        }

        private func name(in bytes: ArraySlice<UInt8>, to end: Int) -> Step {
            .member(ExactString(StringToken(quoted: index..<end, in: bytes).string(in: bytes)))
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
        let bytes = Array(text.utf8)[...]
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "[") {
                let start = index + 1
                let end = start < bytes.count ? JSONPath.tokenEnd(at: start, in: bytes) : start
                steps.append(JSONPath.bracketed(start..<min(end, bytes.count), in: bytes))
                index = end + 1
            } else {
                let start = bytes[index] == UInt8(ascii: ".") ? index + 1 : index
                let rest = bytes[start...]
                index =
                    rest.firstIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") }
                    ?? bytes.count
                let name = String(decoding: bytes[start..<index], as: UTF8.self)
                steps.append(.member(ExactString(name)))
            }
        }
    }

    /// Returns the step that is written in brackets: an index, or a quoted name.
    private static func bracketed(_ range: Range<Int>, in bytes: ArraySlice<UInt8>) -> Step {
        if let index = Int(digits: bytes[range]) { return .index(index) }
        guard range.count >= 2 else { return .member("") }
        return .member(ExactString(StringToken(quoted: range, in: bytes).string(in: bytes)))
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
                pointer.unicodeScalars += name.pointerToken
            }
        }
    }
}

extension ExactString {
    /// The string as a reference token of a JSON Pointer (RFC 6901 §3).
    package var pointerToken: String.UnicodeScalarView {
        var token = String.UnicodeScalarView()
        for scalar in string.unicodeScalars {
            switch scalar {
            case "~": token += "~0".unicodeScalars
            case "/": token += "~1".unicodeScalars
            default: token.append(scalar)
            }
        }
        return token
    }
}

extension DocumentError {
    /// Returns this error with its ``place``, which is found by its path.
    ///
    /// - Parameter bytes: The whole document, which is JSON; if the value at the path does not
    ///   exist there, the place is that of the object or array around it.
    package func located(in bytes: [UInt8]) -> DocumentError {
        guard place == nil else { return self }
        let found = JSONPath(following: JSONPath(text: path), in: bytes[...])
        let line = bytes[...].line(of: found.start)
        return at(Place(pointer: found.pointer, offset: found.start, line: line))
    }
}

extension ArraySlice<UInt8> {
    /// Returns the line, from 1, of the byte at `offset`.
    func line(of offset: Int) -> Int {
        self[..<Swift.min(offset, count)].count { $0 == UInt8(ascii: "\n") } + 1
    }
}
