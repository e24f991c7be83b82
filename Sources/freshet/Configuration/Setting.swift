import FeedAPI
import FeedModel

/// The name of a setting, and the form in which its value is written everywhere: `--port 80`,
/// `FRESHET_PORT=80`, `port: 80`.
struct Setting<Value: Sendable>: Sendable {
    /// The name, as it is written after `--` and in the file.
    let name: String
    /// The form of the values, for messages; `nil`: each refusal has a reason of its own.
    let form: String?
    /// The allowed values, if there are only a few words; otherwise empty.
    let words: [String]
    /// Whether a value may have a password or a key, so that no message repeats it.
    let mayBeSecret: Bool
    private let read: @Sendable (String) throws(InvalidSetting) -> Value
    /// Returns the text of a value, as people write it.
    let text: @Sendable (Value) -> String

    /// Makes a setting whose function gives the reason for each refusal.
    ///
    /// - Parameters:
    ///   - name: The name, as it is written after `--`.
    ///   - mayBeSecret: Whether a value may have a password or a key; `read` repeats none then.
    init(
        _ name: String,
        mayBeSecret: Bool = false,
        read: @escaping @Sendable (String) throws(InvalidSetting) -> Value
    ) {
        self.name = name
        self.mayBeSecret = mayBeSecret
        (form, words) = (nil, [])
        text = { "\($0)" }
        self.read = read
    }

    /// Makes a setting with one message for all refusals: the form that a value must have.
    ///
    /// - Parameters:
    ///   - name: The name, as it is written after `--`.
    ///   - form: The form of the values, for messages: "a whole number from 0 to 65535".
    ///   - words: The allowed values, if there are only a few words; otherwise empty.
    ///   - mayBeSecret: Whether a value may have a password or a key, so that no message repeats
    ///     it.
    ///   - read: Returns the value of a text; nil when the text is of another form.
    init(
        _ name: String,
        _ form: String,
        words: [String] = [],
        mayBeSecret: Bool = false,
        text: @escaping @Sendable (Value) -> String = { "\($0)" },
        read: @escaping @Sendable (String) -> Value?
    ) {
        self.name = name
        self.form = form
        self.words = words
        self.text = text
        self.mayBeSecret = mayBeSecret
        self.read = { text throws(InvalidSetting) in
            if let value = read(text) { return value }
            let what = mayBeSecret ? "" : ", not \"\(text)\""
            throw InvalidSetting(reason: "must be \(form)\(what)")
        }
    }

    /// Returns the value that `text` stands for.
    func value(_ text: String) throws(InvalidSetting) -> Value {
        guard !text.isEmpty else { throw InvalidSetting(reason: "has no value") }
        return try read(text)
    }
}

/// The reason why a text is not the value of a setting.
struct InvalidSetting: Error, Equatable {
    let reason: String
}

/// Makes settings of each kind of value.
extension Setting {
    /// Returns a setting whose value is any text but the empty one.
    static func text(_ name: String) -> Setting<String> {
        Setting<String>(name, "a text") { $0 }
    }

    /// Returns a setting whose value is a text that no message repeats.
    static func secret(_ name: String) -> Setting<String> {
        Setting<String>(name, "a text", mayBeSecret: true) { $0 }
    }

    /// Returns a setting whose value is a whole number within bounds.
    static func number(_ name: String, _ range: ClosedRange<Int>) -> Setting<Int> {
        let form = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return Setting<Int>(name, form) {
            Int(digits: $0.utf8).flatMap { range.contains($0) ? $0 : nil }
        }
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
        return Setting<Int>(name, form, text: ByteCountText.text) { text in
            ByteCountText.value(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Returns a setting whose value is a time with its unit: `10s`.
    static func duration(_ name: String, _ range: ClosedRange<Duration>) -> Setting<Duration> {
        let (least, most) = (DurationText.text(range.lowerBound), range.upperBound)
        let form = "a time such as 10s, from \(least) to \(DurationText.text(most))"
        return Setting<Duration>(name, form, text: DurationText.text) { text in
            DurationText.value(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Returns a setting whose value is one of a few words.
    static func word<Word: RawRepresentable & CaseIterable & Sendable>(
        _ name: String,
        _ words: Word.Type
    ) -> Setting<Word> where Word.RawValue == String {
        let list = words.allCases.map(\.rawValue).joined(separator: ", ")
        let all = words.allCases.map(\.rawValue)
        return Setting<Word>(name, "one of \(list)", words: all, text: { $0.rawValue }) {
            Word(rawValue: $0)
        }
    }

    /// Returns a setting whose value is the number of requests that one client may send in a time:
    /// `600/1m`.
    static func rate(_ name: String) -> Setting<RateLimit> {
        let form = "a number of requests and a time from 1s to 24h, such as 600/1m"
        return Setting<RateLimit>(name, form) { text in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let quota = Int(digits: parts[0].utf8),
                let window = DurationText.value(String(parts[1]))
            else { return nil }
            return RateLimit(quota: quota, window: window)
        }
    }
}
