import FeedAPI
import Foundation

/// The settings that come from environment variables: `FRESHET_PORT` is `--port`.
struct Environment: Sendable {
    private let variables: [String: String]

    /// Takes the environment of this process, or one for a test.
    init(_ variables: [String: String] = ProcessInfo.processInfo.environment) {
        self.variables = variables
    }

    /// Returns the value of the variable for `option` (`if-match`, say); nil when it is unset or
    /// empty.
    func value(_ option: String) -> String? {
        guard let value = variables[Environment.name(option)] else { return nil }
        return value.isEmpty || Environment.isServiceLink(value) ? nil : value
    }

    /// Returns whether a value is the one that Kubernetes gives every container for a Service's
    /// address: a Service named "freshet" sets `FRESHET_PORT=tcp://10.43.0.1:8080`.
    private static func isServiceLink(_ value: String) -> Bool {
        ["tcp://", "udp://", "sctp://"].contains(where: value.hasPrefix)
    }

    /// Returns the keys of `FRESHET_KEY`, which are separated by commas, or else those in the file
    /// that `FRESHET_KEY_FILE` names, one on each line.
    ///
    /// A server accepts all of them; other commands send the first one.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be read, or has no key.
    func keys() throws(CommandFailure) -> [String] {
        if let text = value("key") { return Environment.keys(in: text) }
        guard let path = value("key-file") else { return [] }
        do throws(FileContents.Failure) {
            let bytes = try FileContents.read(path, byteLimit: 1 << 20)
            let text = String(decoding: bytes, as: UTF8.self)
            let keys = Environment.keys(in: text)
            guard !keys.isEmpty else { throw FileContents.Failure(reason: "it has no key") }
            return keys
        } catch {
            throw .usage("FRESHET_KEY_FILE: \(path) cannot be read: \(error.reason)")
        }
    }

    /// Returns the key of a command that sends one: the given one, or else the first of the
    /// environment.
    ///
    /// - Throws: ``CommandFailure`` if the key cannot be read or sent.
    func key(_ given: String?) throws(CommandFailure) -> String? {
        let key = given == nil ? try keys().first : given
        guard key.map(KeyText.canBeSent) ?? true else {
            throw .usage("the key has characters that no key has")
        }
        return key
    }

    /// Returns the keys between commas and line ends.
    ///
    /// White space around a key does not count, since files and `$(cat …)` with quotes end with a
    /// line end.
    private static func keys(in text: String) -> [String] {
        text.split { $0 == "," || $0.isNewline }
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }

    /// Returns warnings about variables whose names begin like the server's, but that no command
    /// reads, in the order of their names; `options` are those that have a variable.
    func warnings(knowing options: [String]) -> [String] {
        let known = options.map(Environment.name)
        let own = variables.keys.filter { $0.hasPrefix("FRESHET_") }.sorted()
        let links = own.filter { Environment.isServiceLink(variables[$0] ?? "") }
        // A Service's link comes with variables for its parts, such as FRESHET_PORT_8080_TCP_ADDR.
        let unknown = own.filter { name in
            !known.contains(name) && !links.contains(name)
                && (links.isEmpty
                    || !["FRESHET_SERVICE_", "FRESHET_PORT_"].contains(where: name.hasPrefix))
        }
        let ignored = links.first.map { name in
            "\(name) is a Service's address and ignored; Kubernetes leaves it out with "
                + "enableServiceLinks: false"
        }
        return (ignored.map { [$0] } ?? [])
            + unknown.map { name in
                let meant = name.nearest(among: known).map { "; \($0) is meant?" } ?? ""
                return "the variable \(name) is not known" + meant
            }
    }

    /// Returns the name of the variable for an option.
    static func name(_ option: String) -> String {
        "FRESHET_" + option.uppercased().replacing("-", with: "_")
    }
}
