import Foundation

/// The settings that come from environment variables: `FRESHET_PORT` is `--port`.
struct Environment: Sendable {
    private let variables: [String: String]

    /// The environment of this process, or one for a test.
    init(_ variables: [String: String] = ProcessInfo.processInfo.environment) {
        self.variables = variables
    }

    /// The value of the variable for `option` (`if-match`, say); nil when it is unset or empty.
    func value(_ option: String) -> String? {
        let value = variables[Environment.name(option)]
        return value?.isEmpty == false ? value : nil
    }

    /// The value of a setting: that of the prompt before the variable's before the file's.
    ///
    /// - Parameters:
    ///   - setting: Which one.
    ///   - given: What was said at the prompt.
    ///   - written: What the configuration file says.
    /// - Returns: `nil` where nothing is said of it.
    /// - Throws: ``CommandFailure`` when the variable holds something else.
    func value<Value>(
        _ setting: Setting<Value>,
        _ given: Value?,
        _ written: Value?
    ) throws(CommandFailure) -> Value? {
        if let given { return given }
        guard let text = value(setting.name) else { return written }
        do {
            return try setting.value(text)
        } catch {
            throw .usage("\(Environment.name(setting.name)) \(error.reason)")
        }
    }

    private static func name(_ option: String) -> String {
        "FRESHET_" + option.uppercased().replacing("-", with: "_")
    }
}
