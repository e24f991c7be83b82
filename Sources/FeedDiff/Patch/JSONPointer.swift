import FeedModel

/// A JSON Pointer, the path to a value in a document (RFC 6901).
struct JSONPointer: Sendable {
    /// The names of members or indices of elements, the outermost first, with their escapes
    /// resolved.
    let tokens: [ExactString]
    /// The pointer as it was given.
    let text: String

    /// Parses a pointer: empty, or tokens that begin with `/`; `~` is allowed only in `~0` and
    /// `~1`.
    init?(_ text: String) {
        var tokens: [[UInt8]] = []
        var isAfterTilde = false
        for byte in text.utf8 {
            if isAfterTilde {
                guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { return nil }
                let isTilde = byte == UInt8(ascii: "0")
                tokens[tokens.count - 1].append(UInt8(ascii: isTilde ? "~" : "/"))
                isAfterTilde = false
            } else if byte == UInt8(ascii: "/") {
                tokens.append([])
            } else if tokens.isEmpty {
                return nil
            } else if byte == UInt8(ascii: "~") {
                isAfterTilde = true
            } else {
                tokens[tokens.count - 1].append(byte)
            }
        }
        guard !isAfterTilde else { return nil }
        self.tokens = tokens.map { ExactString(String(decoding: $0, as: UTF8.self)) }
        self.text = text
    }

    /// Returns whether `other` leads to a value inside the value that this pointer leads to.
    func contains(_ other: JSONPointer) -> Bool {
        tokens.count < other.tokens.count && other.tokens.starts(with: tokens)
    }
}

extension ExactString {
    /// The array index that the string stands for in a pointer: at most 18 digits without leading
    /// zeros (RFC 6901 §4); nil for any other string.
    var pointerIndex: Int? {
        let digits = string.utf8
        guard 1...18 ~= digits.count, digits.count == 1 || digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        return Int(string)
    }
}
