import ArgumentParser
import FeedAPI

/// Refuses unknown commands, and suggests the one that may be meant.
enum MisspeltCommand {
    /// Checks the first argument; options and `help` pass.
    ///
    /// - Throws: ``CommandFailure`` if the argument is an unknown command.
    static func check(_ argument: String?) throws(CommandFailure) {
        let known = Freshet.configuration.subcommands.map { $0.configuration.commandName ?? "" }
        guard let argument, !argument.hasPrefix("-"), argument != "help",
            !known.contains(argument)
        else { return }
        let begun = known.filter { argument.count > 1 && $0.hasPrefix(argument) }
        if let meant = synonyms[argument] ?? (begun.count == 1 ? begun[0] : nil) {
            throw .usage("there is no command “\(argument)”; did you mean “\(meant)”?")
        }
        let nearest = argument.nearest(among: known, within: 2)
        let question =
            nearest.map { "; did you mean “\($0)”?" } ?? "; freshet --help lists them"
        throw .usage("there is no command “\(argument)”\(question)")
    }

    /// The commands by the names that other tools give them.
    private static let synonyms = [
        "put": "publish", "post": "publish", "push": "publish", "rm": "remove or delete",
        "run": "serve", "start": "serve", "version": "freshet --version",
    ]
}
