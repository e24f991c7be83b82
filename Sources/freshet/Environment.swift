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

    /// The value of a setting, unless one was given at the prompt.
    ///
    /// - Throws: ``CommandFailure`` when the variable holds something else.
    func value<Value>(
        _ setting: Setting<Value>,
        given: Value?
    ) throws(CommandFailure) -> Value? {
        guard given == nil, let text = value(setting.name) else { return given }
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
