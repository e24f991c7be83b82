import Logging

/// The kinds of settings by their values.
extension Setting {
    /// Returns a setting whose value is any text but the empty one.
    static func text(_ name: String) -> Setting<String> {
        Setting<String>(name, "a text") { $0.isEmpty ? nil : $0 }
    }

    /// Returns a setting whose value is a whole number within bounds.
    static func number(_ name: String, _ range: ClosedRange<Int>) -> Setting<Int> {
        let form = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return Setting<Int>(name, form) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
    }

    /// Returns a setting whose value is yes or no, in the usual words.
    static func flag(_ name: String) -> Setting<Bool> {
        Setting<Bool>(name, "true or false") { text in
            switch text.lowercased() {
            case "1", "true", "yes", "on": true
            case "0", "false", "no", "off": false
            default: nil
            }
        }
    }

    /// Returns a setting whose value is a number of bytes, perhaps with a unit: `32MiB`.
    static func byteCount(_ name: String, _ range: ClosedRange<Int>) -> Setting<Int> {
        let (least, most) = (ByteCountText.text(range.lowerBound), range.upperBound)
        let form = "a size such as 32MiB, from \(least) to \(ByteCountText.text(most))"
        return Setting<Int>(name, form) { text in
            ByteCountText.value(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Returns a setting whose value is a time with its unit: `10s`.
    static func duration(_ name: String, _ range: ClosedRange<Duration>) -> Setting<Duration> {
        let (least, most) = (DurationText.text(range.lowerBound), range.upperBound)
        let form = "a time such as 10s, from \(least) to \(DurationText.text(most))"
        return Setting<Duration>(name, form) { text in
            DurationText.value(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Returns a setting whose value is one of a few words.
    static func word<Word: RawRepresentable & CaseIterable & Sendable>(
        _ name: String,
        _ words: Word.Type
    ) -> Setting<Word> where Word.RawValue == String {
        let list = words.allCases.map(\.rawValue).joined(separator: ", ")
        return Setting<Word>(name, "one of \(list)") { Word(rawValue: $0) }
    }
}
