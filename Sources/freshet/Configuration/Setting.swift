import ArgumentParser

/// Something that can be set by an option, a variable and the configuration file, by one name and
/// in one way of writing: `--port 80`, `FRESHET_PORT=80`, `port: 80`.
struct Setting<Value: Sendable>: Sendable {
    /// As it is written after `--` and in the file.
    let name: String
    private let read: @Sendable (String) throws(InvalidSetting) -> Value

    /// - Parameters:
    ///   - name: As it is written after `--`.
    ///   - read: Makes the value of a text, or says what is wrong with it.
    init(
        _ name: String,
        read: @escaping @Sendable (String) throws(InvalidSetting) -> Value
    ) {
        self.name = name
        self.read = read
    }

    /// - Parameters:
    ///   - name: As it is written after `--`.
    ///   - form: The form of its values, for messages: "a whole number from 0 to 65535".
    ///   - mayBeSecret: Whether a password or a key may be in it, so that no message repeats it.
    ///   - read: Makes the value of a text; nil when it is of another form.
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

    /// The value that `text` stands for.
    func value(_ text: String) throws(InvalidSetting) -> Value {
        try read(text)
    }

    /// Reads an option's argument.
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

/// Why a text is not the value of a setting.
struct InvalidSetting: Error, Equatable {
    let reason: String
}
