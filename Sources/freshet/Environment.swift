import Foundation

/// The options that come from environment variables: `FRESHET_PORT` is `--port`.
struct Environment {
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

    /// A whole number, unless one was given at the prompt.
    ///
    /// - Throws: ``CommandFailure`` when the variable holds something else.
    func number(_ option: String, given: Int?) throws(CommandFailure) -> Int? {
        guard given == nil, let text = value(option) else { return given }
        guard let number = Int(text) else {
            throw .usage("\(Environment.name(option)) is no whole number: \(text)")
        }
        return number
    }

    /// A switch, unless one was given: 1, true, yes or on; 0, false, no or off.
    ///
    /// - Throws: ``CommandFailure`` when the variable holds something else.
    func flag(_ option: String, given: Bool?) throws(CommandFailure) -> Bool? {
        guard given == nil, let text = value(option) else { return given }
        switch text.lowercased() {
        case "1", "true", "yes", "on": return true
        case "0", "false", "no", "off": return false
        default: throw .usage("\(Environment.name(option)) is neither true nor false: \(text)")
        }
    }

    private static func name(_ option: String) -> String {
        "FRESHET_" + option.uppercased().replacing("-", with: "_")
    }
}
