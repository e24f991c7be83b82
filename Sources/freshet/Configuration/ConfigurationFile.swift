/// The content of a configuration file.
struct ConfigurationFile {
    /// The file's name, for messages.
    var name = ""
    /// The settings of the file, over the defaults.
    var settings = ServeSettings()
    /// The places of the settings that the file has, by their names.
    var places: [String: ConfigurationIssue.Place] = [:]
    /// The files of the signing keys that are secrets.
    var secretFiles: [String] = []
    /// The files of fields that are sent to sources.
    var headerFiles: [String] = []
    /// Whether the file holds fields that are sent to sources, or a proxy's password.
    var hasSecrets = false
    /// The warnings of settings that do no harm but may not be intended.
    var warnings: [ConfigurationIssue] = []
}

extension ConfigurationFile {
    /// Reads a file's bytes.
    ///
    /// - Parameters:
    ///   - bytes: The file's content.
    ///   - name: The file's name, for messages.
    /// - Throws: All mistakes in the file, in the order of their places.
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
}
