import ArgumentParser
import Yams

/// A row of the table of the server's settings (``all``): everything that the command line, the
/// variables, the configuration file, a reload and the documentation know of one setting.
struct ServeSetting: Sendable {
    /// The time from which a new value in the file applies.
    enum Effect {
        case atReload
        case atRestart
    }

    /// The form of a setting on the command line.
    enum Form {
        /// An option, given once.
        case option
        /// An option that can be given several times.
        case repeated
        /// A flag alone.
        case flag
        /// A flag with another for its opposite: `--demo`, `--no-demo`.
        case flagOrNot
    }

    /// The default value, as the help shows it.
    enum Default {
        /// The help shows none.
        case hidden
        /// The value that ``ServeSettings`` begins with.
        case value
        /// Words for a default that depends on the machine.
        case words(String)
    }

    /// The variable that stands for a setting.
    enum Variable {
        case none
        /// The variable of the setting's name: `FRESHET_STALE_AFTER`.
        case ownName
        /// `FRESHET_KEY`, with several keys, or `FRESHET_KEY_FILE`.
        case keys
    }

    /// The option of a setting.
    struct Usage: Sendable {
        let form: Form
        /// The explanation, without the default and the variable.
        let help: String
        let valueName: String?
        let shownDefault: Default
        let completion: CompletionKind?

        init(
            _ help: String,
            _ form: Form = .option,
            value valueName: String? = nil,
            default shownDefault: Default = .hidden,
            completion: CompletionKind? = nil
        ) {
            self.form = form
            self.help = help
            self.valueName = valueName
            self.shownDefault = shownDefault
            self.completion = completion
        }
    }

    /// The name of the option, and the path in the file: `limits.body-size`.
    let name: String
    /// The option; nil for a setting of the file alone.
    let usage: Usage?
    let variable: Variable
    /// The time from which a new value applies; `nil`: the setting is not in the file.
    let effect: Effect?
    /// The allowed values, if there are only a few words; otherwise empty.
    let words: [String]
    /// Whether a value may have a password or a key.
    let mayBeSecret: Bool

    /// The default value, as people write it; nil where there is none.
    let defaultText: String?
    /// Sets the value from the texts of the option or the variable.
    let set: @Sendable (inout ServeSettings, [String]) throws(InvalidSetting) -> Void
    /// Reads the value in the file; nil for a setting that is not in the file.
    let read: (@Sendable (inout ConfigurationReader, Node) -> Void)?
    /// Returns whether two sets of settings have an equal value.
    let isSame: @Sendable (ServeSettings, ServeSettings) -> Bool
    /// Copies the value from the second set of settings to the first.
    let copy: @Sendable (inout ServeSettings, ServeSettings) -> Void
}

extension ServeSetting {
    /// A path to a setting's value.
    typealias Path<Value> = WritableKeyPath<ServeSettings, Value> & Sendable

    /// Makes the row of a setting with one value.
    ///
    /// - Parameters:
    ///   - effect: The time from which a new value applies; `nil`: the setting is not in the file.
    ///   - variable: The variable; none where there is no option.
    ///   - usage: The option; nil for a setting of the file alone.
    init<Value: Equatable>(
        _ setting: Setting<Value>,
        at path: any Path<Value>,
        _ effect: Effect?,
        variable: Variable = .ownName,
        _ usage: Usage? = nil
    ) {
        self.init(of: setting, at: path, effect, variable, with: usage, setting.text) {
            $0[keyPath: path] = $1
        }
    }

    /// Makes the row of a setting that may have no value.
    init<Value: Equatable>(
        _ setting: Setting<Value>,
        optional path: any Path<Value?>,
        _ effect: Effect?,
        variable: Variable = .ownName,
        _ usage: Usage? = nil
    ) {
        self.init(of: setting, at: path, effect, variable, with: usage, { $0.map(setting.text) }) {
            $0[keyPath: path] = $1
        }
    }

    private init<Value, Stored: Equatable & Sendable>(
        of setting: Setting<Value>,
        at path: any Path<Stored>,
        _ effect: Effect?,
        _ variable: Variable,
        with usage: Usage?,
        _ text: (Stored) -> String?,
        store: @escaping @Sendable (inout ServeSettings, Value) -> Void
    ) {
        let name = setting.name
        let read: @Sendable (inout ConfigurationReader, Node) -> Void = { reader, node in
            guard let value = reader.value(setting, node, name) else { return }
            store(&reader.file.settings, value)
        }
        self.init(
            name: name,
            usage: usage,
            variable: usage == nil ? .none : variable,
            effect: effect,
            words: setting.words,
            mayBeSecret: setting.mayBeSecret,
            defaultText: text(ServeSettings()[keyPath: path]),
            set: { settings, texts throws(InvalidSetting) in
                for text in texts { store(&settings, try setting.value(text)) }
            },
            read: effect == nil ? nil : read,
            isSame: { $0[keyPath: path] == $1[keyPath: path] },
            copy: { $0[keyPath: path] = $1[keyPath: path] }
        )
    }

    /// Makes the row of a setting with a list of values, which an option names one by one.
    ///
    /// - Parameters:
    ///   - setting: The name, and how one of the values is written.
    ///   - effect: The time from which a new list applies; `nil`: the setting is not in the file.
    init<Value: Equatable>(
        each setting: Setting<Value>,
        _ path: any Path<[Value]>,
        _ effect: Effect?,
        variable: Variable = .none,
        _ usage: Usage,
        read: (@Sendable (inout ConfigurationReader, Node) -> Void)? = nil
    ) {
        self.init(
            name: setting.name,
            usage: usage,
            variable: variable,
            effect: effect,
            words: setting.words,
            mayBeSecret: setting.mayBeSecret,
            defaultText: nil,
            set: { settings, texts throws(InvalidSetting) in
                var values: [Value] = []
                for text in texts { values.append(try setting.value(text)) }
                settings[keyPath: path] = values
            },
            read: read,
            isSame: { $0[keyPath: path] == $1[keyPath: path] },
            copy: { $0[keyPath: path] = $1[keyPath: path] }
        )
    }

    /// Makes the row of a setting of the file alone that is more than one value; its name is its
    /// path in the file.
    init<Value: Equatable & Sendable>(
        file name: String,
        _ path: any Path<Value>,
        _ effect: Effect,
        read: @escaping @Sendable (inout ConfigurationReader, Node) -> Void
    ) {
        self.init(
            name: name,
            usage: nil,
            variable: .none,
            effect: effect,
            words: [],
            mayBeSecret: false,
            defaultText: nil,
            set: { _, _ throws(InvalidSetting) in },
            read: read,
            isSame: { $0[keyPath: path] == $1[keyPath: path] },
            copy: { $0[keyPath: path] = $1[keyPath: path] }
        )
    }
}

extension ServeSetting {
    /// The mapping of the file that the setting is in, such as `limits`; nil at the top.
    var group: String? {
        let parts = name.split(separator: ".")
        return parts.count > 1 ? String(parts[0]) : nil
    }

    /// The name of the setting within its mapping: `body-size`.
    var ownName: String { String(name.split(separator: ".").last ?? "") }

    /// The explanation of the option with its default and its variable.
    var help: String {
        guard let usage else { return "" }
        var remarks: [String] = []
        switch usage.shownDefault {
        case .hidden: break
        case .value: remarks.append("default: \(defaultText ?? "none")")
        case .words(let words): remarks.append("default: \(words)")
        }
        if case .ownName = variable { remarks.append(Environment.name(name)) }
        let remark = remarks.isEmpty ? "" : " (\(remarks.joined(separator: "; ")))"
        return usage.help + remark + "."
    }

    /// Returns the texts of the variable and its name; nil where it is unset or empty.
    func texts(in environment: Environment) throws(CommandFailure) -> (name: String, [String])? {
        switch variable {
        case .none: return nil
        case .ownName:
            return environment.value(name).map { (Environment.name(name), [$0]) }
        case .keys:
            let keys = try environment.keys()
            let source = environment.value(name) == nil ? "key-file" : name
            return keys.isEmpty ? nil : (Environment.name(source), keys)
        }
    }

    /// Returns the function that checks the argument of an option of another command; the option
    /// stands for the setting with this name.
    static func argument(_ name: String) -> @Sendable (String) throws -> String {
        { text in try all.first { $0.name == name }?.argument(text) ?? text }
    }

    /// Returns the function that checks an option's argument when the command line is read.
    ///
    /// An argument that may be a secret is checked later: ArgumentParser repeats a wrong argument
    /// in its message.
    var argument: @Sendable (String) throws -> String {
        { text in
            guard !mayBeSecret else { return text }
            var settings = ServeSettings()
            do throws(InvalidSetting) {
                try set(&settings, [text])
                return text
            } catch {
                throw ValidationError("--\(name) \(error.reason)")
            }
        }
    }
}
