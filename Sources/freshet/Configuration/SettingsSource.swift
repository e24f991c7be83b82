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
        let file = try readFile()
        let settings = try ServeSettings(options, environment, file) { folder in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
                && isFolder.boolValue
        }
        let warnings = file.warnings.map { $0.line(file: path ?? "") } + weakKeys
        return (settings, warnings + environment.warnings(knowing: Self.variables))
    }

    /// Reads the file alone.
    ///
    /// - Returns: A file that says nothing where there is none.
    func readFile() throws(CommandFailure) -> ConfigurationFile {
        guard let path else { return ConfigurationFile() }
        do throws(ConfigurationIssues) {
            return try ConfigurationFile(parsing: try contents(of: path))
        } catch {
            throw error.failure(file: path)
        }
    }

    /// What has a variable: the settings of `serve`, and what the other commands read.
    static let variables =
        ConfigurationReader.settingNames + ["config", "key", "server", "cacert"]

    private var weakKeys: [String] {
        let given = options.keys.isEmpty ? environment.keys : options.keys
        guard given.contains(where: KeyText.isWeak) else { return [] }
        return [
            "a key is so short that it may be guessed: freshet key makes one of 256 random bits"
        ]
    }

    private func contents(of path: String) throws(ConfigurationIssues) -> [UInt8] {
        do throws(FileContents.Failure) {
            let content = try FileContents.read(path, takesPipes: true)
            guard content.isEmpty, FileContents.isPipe(path) else { return content }
            // A configuration that says nothing opens all feeds.
            throw FileContents.Failure(reason: "the pipe has nothing; each can be read once only")
        } catch {
            let reason = "cannot be read: \(error.reason)"
            throw ConfigurationIssues(list: [.init(place: nil, path: "", reason: reason)])
        }
    }
}
