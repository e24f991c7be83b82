import HTTPTypes
import HTTPWire

/// What a head says, read by its lines.
struct NaiveHead: Equatable {
    struct Field: Equatable {
        var name: [UInt8]
        var value: [UInt8]
        var known: String
    }

    var method: String
    var target: String
    var fields: [Field]
    var framing: RequestHead.Framing
    var isPersistent: Bool
    var expectsContinue: Bool

    init(_ head: RequestHead) {
        method = head.methodName
        target = head.string(head.target)
        fields = head.fields.map { field in
            Field(
                name: Array(head.bytes[field.name]),
                value: Array(head.bytes[field.value]),
                known: "\(field.known.name)"
            )
        }
        framing = head.framing
        isPersistent = head.isPersistent
        expectsContinue = head.expectsContinue
    }

    /// Reads a head; nil when it is not one that may be taken.
    init?(_ bytes: [UInt8]) {
        guard var lines = NaiveHead.lines(bytes), lines.count >= 3 else { return nil }
        let start = lines.removeFirst().split(separator: 0x20, omittingEmptySubsequences: false)
        guard start.count == 3, start[2].starts(with: Array("HTTP/1.".utf8)), start[2].count == 8,
            start[0].allSatisfy(NaiveHead.isToken), !start[0].isEmpty, !start[1].isEmpty,
            start[1].allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "#") })
        else { return nil }
        // The head's end: the empty line, and nothing behind it.
        guard lines.removeLast().isEmpty, lines.removeLast().isEmpty else { return nil }
        method = String(decoding: start[0], as: UTF8.self)
        target = String(decoding: start[1], as: UTF8.self)
        fields = []
        for line in lines {
            guard let field = Field(line) else { return nil }
            fields.append(field)
        }
        let isOld = start[2].last == UInt8(ascii: "0")
        guard let framing = NaiveHead.framing(fields, isOld: isOld) else { return nil }
        self.framing = framing
        let hosts = fields.count { $0.known == "host" }
        guard hosts == 1 || hosts == 0 && isOld else { return nil }
        let options = NaiveHead.elements(fields, "connection")
        isPersistent = !options.contains("close") && (!isOld || options.contains("keep-alive"))
        expectsContinue =
            !isOld && NaiveHead.elements(fields, "expect").contains("100-continue")
    }

    /// The lines between CR LF; nil when one of the two stands alone.
    private static func lines(_ bytes: [UInt8]) -> [[UInt8]]? {
        var lines: [[UInt8]] = [[]]
        var index = 0
        while index < bytes.count {
            if bytes[index...].starts(with: [13, 10]) {
                lines.append([])
                index += 2
                continue
            }
            if bytes[index] == 13 || bytes[index] == 10 { return nil }
            lines[lines.count - 1].append(bytes[index])
            index += 1
        }
        return lines
    }

    private static func framing(_ fields: [Field], isOld: Bool) -> RequestHead.Framing? {
        let lengths = fields.filter { $0.known == "content-length" }.map(\.value)
        let codings = fields.filter { $0.known == "transfer-encoding" }.map(\.value)
        switch (lengths.count, codings.count) {
        case (0, 0): return RequestHead.Framing.none
        case (1, 0):
            let digits = lengths[0].allSatisfy { 0x30...0x39 ~= $0 }
            guard digits, !lengths[0].isEmpty else { return nil }
            let length = Int(String(decoding: lengths[0], as: UTF8.self)) ?? .max
            return .length(min(length, RequestHead.longestBody))
        case (0, 1) where !isOld:
            let coding = String(decoding: codings[0], as: UTF8.self).lowercased()
            return coding == "chunked" ? .chunked : nil
        default: return nil
        }
    }

    private static func elements(_ fields: [Field], _ name: String) -> [String] {
        fields.filter { $0.known == name }.flatMap { field in
            field.value.split(separator: UInt8(ascii: ",")).map { element in
                String(decoding: Field.trimmed(element), as: UTF8.self).lowercased()
            }
        }
    }

    static func isToken(_ byte: UInt8) -> Bool {
        0x21...0x7e ~= byte && !Array("\"(),/:;<=>?@[\\]{}".utf8).contains(byte)
    }
}

extension NaiveHead.Field {
    private static let names = Set(KnownField.allCases.map { "\($0.name)" })

    /// Reads a field line.
    init?(_ line: [UInt8]) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            line[..<colon].allSatisfy(NaiveHead.isToken),
            line[colon...].allSatisfy({ $0 == 9 || $0 >= 0x20 && $0 != 0x7f })
        else { return nil }
        name = Array(line[..<colon])
        value = Self.trimmed(line[(colon + 1)...])
        let lowercased = String(decoding: name, as: UTF8.self).lowercased()
        known = Self.names.contains(lowercased) ? lowercased : ""
    }

    static func trimmed(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let isBlank: (UInt8) -> Bool = { $0 == 9 || $0 == 0x20 }
        return Array(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
