/// The content of a configuration file.
struct ConfigurationFile {
    /// The file's name, for messages.
    var name = ""
    /// The settings in the file; the others have their defaults.
    var settings = ServeSettings()
    /// The position in the file of each setting that the file has, by the setting's name.
    var places: [String: ConfigurationIssue.Place] = [:]
    /// The paths of files with secret signing keys.
    var secretFiles: [String] = []
    /// The paths of files with header fields for requests to sources.
    var headerFiles: [String] = []
    /// Whether the file itself has header fields for sources, or an address with a password.
    var hasSecrets = false
    /// Warnings about settings that are valid but may not be intended.
    var warnings: [ConfigurationIssue] = []
}

extension ConfigurationFile {
    /// Reads the bytes of a file, whose name is for messages.
    ///
    /// - Throws: All mistakes and warnings, in the order of their positions, if there is a mistake.
    init(parsing bytes: [UInt8], name: String = "") throws(ConfigurationIssues) {
        var reader = ConfigurationReader()
        reader.read(bytes)
        let issues = reader.issues.sorted { left, right in
            let (left, right) = (left.place, right.place)
            return (left?.line ?? 0, left?.column ?? 0) < (right?.line ?? 0, right?.column ?? 0)
        }
        guard issues.allSatisfy(\.isWarning) else { throw ConfigurationIssues(list: issues) }
        self = reader.file
        self.name = name
        warnings = issues
    }

    /// Reads a file that a command needs.
    ///
    /// - Throws: ``CommandFailure`` with all mistakes and warnings, a line each, if there is a
    ///   mistake.
    static func needed(_ bytes: [UInt8], name: String) throws(CommandFailure) -> ConfigurationFile {
        do throws(ConfigurationIssues) {
            return try ConfigurationFile(parsing: bytes, name: name)
        } catch {
            throw .usage(error.list.map { $0.line(file: name) }.joined(separator: "\n"))
        }
    }
}
