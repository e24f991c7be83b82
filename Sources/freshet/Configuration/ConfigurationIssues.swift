/// What is wrong in a configuration file.
struct ConfigurationIssues: Error, Equatable {
    let list: [ConfigurationIssue]

    /// The failure of a command that needed the file.
    func failure(file: String) -> CommandFailure {
        .usage(list.map { $0.line(file: file) }.joined(separator: "\n"))
    }
}
