/// The position of a value in a document, as members and indices: `sections[2].items[7].id`.
package struct JSONPath {
    enum Step {
        case member(String)
        case index(Int)
    }

    private(set) var steps: [Step] = []

    /// The index of the first byte of the value, or of the token in it that was sought.
    private(set) var start = 0

    /// Makes a path from its steps.
    init(steps: [Step]) {
        self.steps = steps
    }

    /// Makes the path of the value that contains the byte at `offset` or begins there, by scanning
    /// `bytes`, which must be JSON up to `offset`; between values it is the path of the object or
    /// array around them.
    ///
    /// The scan is slow and used only for errors. It needs no recursion, whatever the depth.
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

    func appending(member name: String) -> JSONPath {
        var path = self
        path.steps.append(.member(name))
        return path
    }

    /// Returns the path in the document of a member of the value at `path`.
    package static func join(_ path: String, member name: String) -> String {
        join(path, JSONPath(steps: [.member(name)]).text)
    }

    /// Returns the path in the document of `inner`, which is a path in the value at `outer`.
    static func join(_ outer: String, _ inner: String) -> String {
        if outer.isEmpty || inner.isEmpty || inner.utf8.first == UInt8(ascii: "[") {
            return outer + inner
        }
        return "\(outer).\(inner)"
    }
}

extension JSONPath {
    /// A scan of the tokens before the offset that is sought.
    private struct Scan {
        private enum Level {
            case object(member: String?)
            case array(index: Int)
        }

        private(set) var index = 0
        private var levels: [Level] = []
        private var isAfterValue = false

        /// Takes one token.
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

        /// Returns the steps to the place at which the scan stopped.
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
