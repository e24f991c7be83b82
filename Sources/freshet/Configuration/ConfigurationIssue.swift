/// A mistake in a configuration file.
struct ConfigurationIssue: Equatable {
    /// A line and a column, counted from 1; the column in code points, as YAML's parser counts.
    struct Place: Equatable {
        let line: Int
        let column: Int
    }

    /// The position of the mistake; `nil`: it concerns the file as a whole.
    let place: Place?
    /// The path of the setting in the document, such as `keys[2].digest`; empty for the whole
    /// document.
    let path: String
    let reason: String
    /// Whether the mistake is only reported, and the server starts all the same.
    var isWarning = false

    /// Returns the issue in a line for people: `freshet.yaml:12:5: keys[2].digest: must be …`.
    func line(file: String) -> String {
        var line = file + ":"
        if let place { line += "\(place.line):\(place.column):" }
        if isWarning { line += " warning:" }
        if !path.isEmpty { line += " \(path):" }
        return line + " " + reason
    }
}

/// The issues in a configuration file.
struct ConfigurationIssues: Error, Equatable {
    let list: [ConfigurationIssue]
}
