/// The name of a setting, and the form in which its value is written everywhere: `--port 80`,
/// `FRESHET_PORT=80`, `port: 80`.
struct Setting<Value: Sendable>: Sendable {
    /// The name, as it is written after `--` and in the file.
    let name: String
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
    ///   - read: Returns the value of a text, or throws the reason why it has none.
    init(
        _ name: String,
        mayBeSecret: Bool = false,
        read: @escaping @Sendable (String) throws(InvalidSetting) -> Value
    ) {
        self.name = name
        self.mayBeSecret = mayBeSecret
        words = []
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
    ///   - text: Returns the text of a value, as people write it.
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
