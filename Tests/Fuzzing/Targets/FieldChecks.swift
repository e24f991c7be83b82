import HTTPTypes
import HTTPWire

/// No value traps a reader of fields, and what was read is the same when it is written again.
enum FieldChecks {
    static func run(_ input: [UInt8]) throws(Finding) {
        let value = String(decoding: input, as: UTF8.self)
        try checkNegotiation(value)
        try checkTags(value)
        try checkDates(value)
        try checkTypes(value)
        try checkWriting(value)
        try RangeChecks.run(value)
        _ = Preferences(value)["return"]
    }

    private static func checkNegotiation(_ value: String) throws(Finding) {
        let codings = AcceptEncoding(value.utf8.span)
        for coding in ContentCoding.allCases {
            try require(0...1000 ~= codings.quality(of: coding), "quality of \(coding)")
        }
        let choice = codings.choice
        let quality = codings.quality(of: choice.coding)
        try require(quality > 0 || choice.coding == .identity, "\(choice) is not acceptable")
        for other in ContentCoding.allCases {
            try require(codings.quality(of: other) <= quality, "\(other) is better")
        }
    }

    private static func checkTags(_ value: String) throws(Finding) {
        guard let tags = Self.tags(value, lenient: false) else { return }
        try require(Self.tags(value, lenient: true) == tags, "lenient: \(value)")
        let written = tags.joined(separator: ", ")
        try require(Self.tags(written, lenient: false) == tags, "written as \(written)")
    }

    /// The tags of a list as they are written; `nil` for `*`, and for what is malformed.
    private static func tags(_ value: String, lenient: Bool) -> [String]? {
        let bytes = Array(value.utf8)
        var tags: [String] = []
        let form = bytes.span.scanEntityTags(lenient: lenient) { range, isWeak in
            let text = String(decoding: bytes[range], as: UTF8.self)
            tags.append((isWeak ? "W/" : "") + "\"\(text)\"")
        }
        if case .list = form { return tags }
        return nil
    }

    private static func checkDates(_ value: String) throws(Finding) {
        guard let seconds = HTTPDate.parse(value, now: 1_700_000_000) else { return }
        let written = String(decoding: HTTPDate.format(seconds), as: UTF8.self)
        // The year 0, and a leap second at the end of 9999, cannot be written.
        guard -62_135_596_800...253_402_300_799 ~= seconds else { return }
        try require(HTTPDate.parse(written, now: 0) == seconds, "\(value) written as \(written)")
    }

    private static func checkTypes(_ value: String) throws(Finding) {
        guard let type = MediaType(value) else { return }
        var written = type.essence
        for (name, value) in type.parameters {
            let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            written += ";\(name)=\"\(escaped)\""
        }
        try require(MediaType(written) == type, "\(type) written as \(written)")
    }

    /// No value makes more lines than its own.
    private static func checkWriting(_ value: String) throws(Finding) {
        guard let name = HTTPField.Name("X") else { throw Finding("no name: X") }
        var fields = HTTPFields()
        fields.append(HTTPField(name: name, value: value))
        var output: [UInt8] = []
        let status = HTTPResponse.Status(code: 200, reasonPhrase: value)
        ResponseHeadEncoder.append(status: status, fields: fields, to: &output)
        try require(output.count { $0 == 10 } == 2, "\(output.text)")
        try require(output.count { $0 == 13 } == 2 && !output.contains(0), "\(output.text)")
    }
}
