import ArgumentParser

/// An unknown command, perhaps a misspelt one.
enum MisspeltCommand {
    /// Throws where the first argument is no command.
    static func check(_ argument: String?) throws(CommandFailure) {
        let known = Freshet.configuration.subcommands.map { $0.configuration.commandName ?? "" }
        guard let argument, !argument.hasPrefix("-"), argument != "help",
            !known.contains(argument)
        else { return }
        let begun = known.filter { argument.count > 1 && $0.hasPrefix(argument) }
        if let meant = synonyms[argument] ?? (begun.count == 1 ? begun[0] : nil) {
            throw .usage("there is no command “\(argument)”; did you mean “\(meant)”?")
        }
        let nearest = known.min { distance($0, argument) < distance($1, argument) } ?? ""
        let isNear = distance(nearest, argument) <= 2
        let question = isNear ? "; did you mean “\(nearest)”?" : "; freshet --help lists them"
        throw .usage("there is no command “\(argument)”\(question)")
    }

    /// The commands, by the names that other tools have for them.
    private static let synonyms = [
        "put": "publish", "post": "publish", "push": "publish", "rm": "remove or delete",
        "run": "serve", "start": "serve", "version": "freshet --version",
    ]

    /// Returns how many letters must be put in, left out or changed to make one word of the other
    /// (Wagner and Fischer, "The String-to-String Correction Problem", 1974).
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (i, letter) in left.enumerated() {
            var last = row[0]
            row[0] = i + 1
            for j in right.indices {
                let cost = min(row[j] + 1, row[j + 1] + 1, last + (letter == right[j] ? 0 : 1))
                last = row[j + 1]
                row[j + 1] = cost
            }
        }
        return row[right.count]
    }
}
