import ArgumentParser
import FeedClient
import FeedModel
import TerminalReader

/// `freshet versions`: lists the versions of a feed that the server remembers.
struct VersionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions",
        abstract: "List the versions that a feed can be taken back to: time, items, who, changes."
    )

    @Argument(help: "The feed's id.", transform: FeedName.argument)
    var feed: FeedName

    @OptionGroup var options: ServiceOptions

    @Option(help: "The most versions, from 1 to 1000.")
    var limit = 20

    @Option(
        help: ArgumentHelp("Only versions before this one.", valueName: "token"),
        transform: Token.argument
    )
    var before: Token?

    func validate() throws {
        guard 1...1000 ~= limit else { throw ValidationError("--limit is from 1 to 1000.") }
    }

    mutating func run() async throws {
        let versions = try await options.asking(about: feed) {
            try await $0.versions(of: feed, limit: limit, before: before)
        }
        for version in versions {
            try StandardOutput.print(VersionsCommand.line(version))
        }
    }

    private static func line(_ version: FeedVersion) -> String {
        let author = version.author ?? "unknown"
        let words = version.items.map { PublishFormatter.words($0) } ?? []
        let changes = words.isEmpty ? "" : ": " + words.joined(separator: ", ")
        let items = version.count.counted("item")
        let line = "\(version.token)  \(version.published)  \(items)  \(author)"
        return ShownText.of(line + changes)
    }
}

/// `freshet restore-version`: makes the content of an older version current again.
struct RestoreVersionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore-version",
        abstract: "Take a feed back to a version that freshet versions lists.",
        discussion: """
            The content becomes a new version, and readers get the fewest changes. Without \
            --if-match it is only done if nobody publishes meanwhile.
            """
    )

    @Argument(help: "The feed's id.", transform: FeedName.argument)
    var feed: FeedName

    @Argument(help: "The version to go back to.", transform: Token.argument)
    var version: Token

    @OptionGroup var options: ChangeOptions

    mutating func run() async throws {
        let result = try await options.service.asking(about: feed) { service in
            var publishing = PublishOptions(ifMatch: options.ifMatch, isDryRun: options.dryRun)
            if publishing.ifMatch == nil {
                publishing.ifMatch = try await service.versions(of: feed, limit: 1).first?.token
            }
            return try await service.restore(feed, to: version, options: publishing)
        }
        try StandardOutput.print(PublishFormatter(result))
    }
}
