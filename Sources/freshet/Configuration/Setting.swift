import ArgumentParser

/// A setting of an option, a variable and the configuration file, with one name and one way of
/// writing its value: `--port 80`, `FRESHET_PORT=80`, `port: 80`.
struct Setting<Value: Sendable>: Sendable {
    /// The name, as it is written after `--` and in the file.
    let name: String
    private let read: @Sendable (String) throws(InvalidSetting) -> Value

    /// - Parameters:
    ///   - name: The name, as it is written after `--`.
    ///   - read: Returns the value of a text, or throws the reason why it has none.
    init(
        _ name: String,
        read: @escaping @Sendable (String) throws(InvalidSetting) -> Value
    ) {
        self.name = name
        self.read = read
    }

    /// - Parameters:
    ///   - name: The name, as it is written after `--`.
    ///   - form: The form of the values, for messages: "a whole number from 0 to 65535".
    ///   - mayBeSecret: Whether a value may have a password or a key, so that no message repeats
    ///     it.
    ///   - read: Returns the value of a text; nil when the text is of another form.
    init(
        _ name: String,
        _ form: String,
        mayBeSecret: Bool = false,
        read: @escaping @Sendable (String) -> Value?
    ) {
        self.init(name) { text throws(InvalidSetting) in
            if let value = read(text) { return value }
            let what = mayBeSecret ? "" : ", not \"\(text)\""
            throw InvalidSetting(reason: "must be \(form)\(what)")
        }
    }

    /// Returns the value that `text` stands for.
    func value(_ text: String) throws(InvalidSetting) -> Value {
        try read(text)
    }

    /// The function that reads an option's argument.
    var argument: @Sendable (String) throws -> Value {
        { text in
            do throws(InvalidSetting) {
                return try value(text)
            } catch {
                throw ValidationError("--\(name) \(error.reason)")
            }
        }
    }
}

/// The reason why a text is not the value of a setting.
struct InvalidSetting: Error, Equatable {
    let reason: String
}
