import FeedModel
import Foundation
import TestSupport

/// All readers say the same of a document, and what is written is read as the same value.
enum JSONChecks {
    static func run(_ input: [UInt8]) throws(Finding) {
        let text = Result { () throws(DocumentError) in try JSONText(parsing: input) }
        let value = Result { () throws(DocumentError) in try JSONValue(parsing: input, depth: 64) }
        switch (text, value) {
        case (.success(let text), .success(let value)): try check(text, value, of: input)
        case (.failure(let left), .failure(let right)):
            try require(left == right, "\(left) and \(right)")
        default: throw Finding("\(text) but \(value)")
        }
        if let item = try? FeedItem(parsing: input) {
            let again = try? FeedItem(parsing: item.json.bytes)
            try require(again == item, "another item: \(item.json.bytes.text)")
        }
        try compareWithFoundation(input, text)
    }

    private static func check(
        _ text: JSONText,
        _ value: JSONValue,
        of input: [UInt8]
    ) throws(Finding) {
        let again = try? JSONText(parsing: text.bytes)
        try require(again?.bytes == text.bytes, "read again as other bytes: \(text.bytes.text)")
        try require(again?.valueHash == text.valueHash, "another hash: \(text.bytes.text)")
        try require(JSONValue(text) == value, "another value: \(text.bytes.text)")
        let written = value.text
        try require(written == text, "not equal when written: \(written.bytes.text)")
        try require(written.valueHash == text.valueHash, "hash of \(written.bytes.text)")
        let naive = TestJSON(input)
        try require(naive != nil, "no JSON to a naive reader: \(input.text)")
        try require(naive == TestJSON(written.bytes), "not the same value: \(written.bytes.text)")
        let serialized = naive.map { Array($0.serialized.utf8) } ?? []
        try require((try? JSONText(parsing: serialized)) == text, "naively: \(serialized.text)")
    }

    /// Compares where Foundation's rules are those of RFC 8259.
    ///
    /// They are others in that it takes UTF-16, UTF-32 and a byte order mark, members that stand
    /// twice, a NUL at the end, deeper nesting, and a comma before a closing bracket; and in that
    /// it refuses numbers that a Double cannot hold.
    private static func compareWithFoundation(
        _ input: [UInt8],
        _ text: Result<JSONText, DocumentError>
    ) throws(Finding) {
        if input.prefix(4).contains(0) || input.last == 0 { return }
        if input.prefix(2).contains(where: { $0 >= 0xef }) { return }
        if case .failure(let error) = text {
            let others = [
                "twice", "the name of a member, found “}”", "a value, found “]”", "nested deeper",
            ]
            if others.contains(where: error.reason.contains) { return }
        }
        let isValid = (try? text.get()) != nil
        do {
            _ = try JSONSerialization.jsonObject(with: Data(input), options: [.fragmentsAllowed])
            try require(isValid, "JSON to Foundation: \(input.text)")
        } catch let finding as Finding {
            throw finding
        } catch {
            if "\(error)".contains("is not representable") { return }
            try require(!isValid, "no JSON to Foundation: \(input.text), \(error)")
        }
    }
}
