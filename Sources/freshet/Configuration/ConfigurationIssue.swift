/// Something wrong in a configuration file.
struct ConfigurationIssue: Equatable {
    /// A line and a column, from 1; in characters.
    struct Place: Equatable {
        let line: Int
        let column: Int
    }

    /// Nil for what is about the file as a whole.
    let place: Place?
    /// Where in the document: `keys[2].digest`; empty for all of it.
    let path: String
    let reason: String
    /// Whether a server serves all the same.
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

    /// The failure of a command that needed the file.
    func failure(file: String) -> CommandFailure {
        .usage(list.map { $0.line(file: file) }.joined(separator: "\n"))
    }
}
