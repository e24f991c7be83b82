/// The sources of a server's settings, which are read at the start and again at a reload.
struct SettingsSource: Sendable {
    let options: ServeSettings.Options
    let environment: Environment
    /// The configuration file's path; nil where there is none.
    let path: String?

    init(_ options: ServeSettings.Options, _ environment: Environment, path: String?) {
        self.options = options
        self.environment = environment
        self.path = path ?? environment.value("config")
    }

    /// The settings that were read.
    struct Reading {
        let settings: ServeSettings
        let file: ConfigurationFile
        /// The warnings about the settings, a line each.
        let warnings: [String]
    }

    /// Reads the file, if there is one, and puts the settings together.
    ///
    /// - Parameter isRunning: Whether a server runs by earlier settings of the file. An empty file
    ///   then counts as one that is just being written.
    /// - Throws: ``CommandFailure`` with all mistakes in the file, a line each.
    func read(isRunning: Bool = false) throws(CommandFailure) -> Reading {
        let file = try readFile(mayBeEmpty: !isRunning)
        let settings = try ServeSettings(options, environment, file)
        let warnings = file.warnings.map { $0.line(file: path ?? "") } + weakKeys
        return Reading(
            settings: settings,
            file: file,
            warnings: warnings + environment.warnings(knowing: Self.variables)
        )
    }

    /// Reads the file alone; without one, the configuration is empty.
    private func readFile(mayBeEmpty: Bool) throws(CommandFailure) -> ConfigurationFile {
        guard let path else { return ConfigurationFile() }
        return try .needed(try contents(of: path, mayBeEmpty: mayBeEmpty), name: path)
    }

    /// The names of the variables: for the settings of `serve`, and for the other commands.
    static let variables =
        ServeSetting.all.filter { $0.variable == .ownName }.map(\.name)
        + ["config", "key", "key-file", "server", "cacert"]

    private var weakKeys: [String] {
        let given = options["key"] ?? (try? environment.keys()) ?? []
        guard given.contains(where: KeyText.isWeak) else { return [] }
        return [
            "a key is so short that it may be guessed: freshet key makes one of 256 random bits"
        ]
    }

    private func contents(
        of path: String,
        mayBeEmpty: Bool
    ) throws(CommandFailure) -> [UInt8] {
        do throws(FileContents.Failure) {
            let content = try FileContents.read(path, takesPipes: true)
            guard content.isEmpty else { return content }
            // An empty configuration opens all feeds.
            if FileContents.isPipe(path) {
                throw FileContents.Failure(
                    reason: "the pipe has nothing; each can be read once only"
                )
            }
            if !mayBeEmpty {
                throw FileContents.Failure(reason: "the file is empty, as while it is written")
            }
            return content
        } catch {
            throw .usage("\(path): cannot be read: \(error.reason)")
        }
    }
}
