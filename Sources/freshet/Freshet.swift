import ArgumentParser
import Foundation

/// The command `freshet`: a feed server, and the tools of its publishers and readers at a prompt.
@main
struct Freshet: AsyncParsableCommand {
    /// The version of the package; scripts/test-docs checks that all of its parts have the same.
    static let version = "1.0.0"

    static let configuration = CommandConfiguration(
        commandName: "freshet",
        abstract: "A feed server that tells its readers what changed.",
        discussion: """
            The options of serve, and --server and --key, can also be given as environment \
            variables: --port is FRESHET_PORT. An option wins over its variable, and both over \
            the file that serve --config names. The status is 0 for success, 2 for wrong usage \
            or a document that is wrong, 1 for anything else.
            """,
        version: "freshet \(version)",
        subcommands: [
            ServeCommand.self, PublishCommand.self, GetCommand.self, WatchCommand.self,
            ListCommand.self, InsertCommand.self, MoveCommand.self, RemoveCommand.self,
            EditCommand.self, DeleteCommand.self,
            VersionsCommand.self, RestoreVersionCommand.self,
            KeyCommand.self, TokenCommand.self, CheckCommand.self, HealthCommand.self,
            DoctorCommand.self, BackupCommand.self, RestoreCommand.self, FetchCommand.self,
            DiscoverCommand.self, ImportCommand.self, ConformanceCommand.self,
        ]
    )

    /// Returns the location of a folder or file that is installed beside the command, in
    /// share/freshet; it need not exist.
    static func installedFile(
        _ name: String,
        _ executable: URL? = Bundle.main.executableURL
    ) -> URL? {
        executable?.resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("share/freshet/\(name)")
    }

    /// Returns warnings about variables that no command reads, unless the command itself gives
    /// them.
    static func warnings(
        before command: any ParsableCommand,
        _ environment: Environment
    ) -> [String] {
        if command is ServeCommand || command is DoctorCommand { return [] }
        return environment.warnings(knowing: SettingsSource.variables)
    }

    /// Refuses arguments in other encodings than UTF-8: Swift would turn names of files into
    /// others.
    private static func checkArguments() throws(CommandFailure) {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = unsafe CommandLine.unsafeArgv[index],
                unsafe String(validatingCString: argument) == nil
            else { continue }
            throw .usage("not UTF-8: \(unsafe String(cString: argument))")
        }
        if let option = optionBeforeNothing(Array(CommandLine.arguments.dropFirst())) {
            throw .usage("\(option) is followed by an empty text: give it a value, or leave it out")
        }
    }

    /// Returns the option that an empty argument follows, as it does where a shell's variable is
    /// not set; nil for none.
    static func optionBeforeNothing(_ arguments: [String]) -> String? {
        let options = arguments.prefix { $0 != "--" }
        return zip(options, options.dropFirst()).first { option, next in
            next.isEmpty && option.hasPrefix("--") && !option.contains("=")
        }?.0
    }

    /// Prints the message of an error, or the text that `--help` or `--version` asks for, and
    /// exits.
    ///
    /// ArgumentParser itself would exit with 0 even where nothing can be written.
    private static func end(with error: any Error) -> Never {
        guard exitCode(for: error) == .success else {
            let message = fullMessage(for: error)
            if !message.isEmpty { StandardError.print(message) }
            Foundation.exit(exitCode(for: error).rawValue)
        }
        do {
            let message = fullMessage(for: error)
            if !message.isEmpty { try StandardOutput.print(message) }
        } catch {
            StandardError.report((error as? CommandFailure)?.message ?? "\(error)")
            Foundation.exit(CommandFailure.otherStatus)
        }
        Foundation.exit(0)
    }

    /// Runs the command that the arguments name, and exits with the status that the help promises.
    static func main() async {
        StandardOutput.reserveDescriptors()
        do {
            try checkArguments()
            let arguments = CommandLine.arguments.dropFirst()
            // There is no help about an unknown command.
            let isHelp = arguments.first == "help"
            try MisspeltCommand.check(isHelp ? arguments.dropFirst().first : arguments.first)
            var command = try parseAsRoot()
            for warning in warnings(before: command, Environment()) {
                StandardError.report(warning)
            }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            for line in failure.message.split(separator: "\n") {
                StandardError.report(line)
            }
            Foundation.exit(failure.status)
        } catch  where exitCode(for: error) == .validationFailure {
            StandardError.print(fullMessage(for: error))
            Foundation.exit(CommandFailure.usageStatus)
        } catch {
            end(with: error)
        }
    }
}
