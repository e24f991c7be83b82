import Foundation

/// Where settings come from; asked at the start, and again when the server is told to.
struct SettingsSource: Sendable {
    let options: ServeSettings.Options
    let environment: Environment
    /// The configuration file's path; nil: there is none.
    let path: String?

    init(_ options: ServeSettings.Options, _ environment: Environment, path: String?) {
        self.options = options
        self.environment = environment
        self.path = path ?? environment.value("config")
    }

    /// Reads the file, if there is one, and puts everything together.
    ///
    /// - Returns: The settings, and what should be said about them, a line each.
    /// - Throws: ``CommandFailure`` with everything that is wrong in the file, a line each.
    func read() throws(CommandFailure) -> (settings: ServeSettings, warnings: [String]) {
        var file = ConfigurationFile()
        if let path {
            do throws(ConfigurationIssues) {
                file = try ConfigurationFile(parsing: Array(try contents(of: path)))
            } catch {
                throw error.failure(file: path)
            }
        }
        let settings = try ServeSettings(options, environment, file) { folder in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
                && isFolder.boolValue
        }
        let warnings = file.warnings.map { $0.line(file: path ?? "") } + weakKeys
        return (settings, warnings + environment.warnings(knowing: Self.variables))
    }

    /// What has a variable: the settings of `serve`, and what the other commands read.
    private static let variables =
        ConfigurationReader.settingNames + ["config", "key", "server", "cacert"]

    private var weakKeys: [String] {
        let given =
            options.keys + environment.keys
        guard given.contains(where: KeyText.isWeak) else { return [] }
        return [
            "a key is so short that it may be guessed: freshet key makes one of 256 random bits"
        ]
    }

    private func contents(of path: String) throws(ConfigurationIssues) -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            let reason = "cannot be read: \(error.localizedDescription)"
            throw ConfigurationIssues(list: [.init(place: nil, path: "", reason: reason)])
        }
    }
}
