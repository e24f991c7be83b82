import ArgumentParser
import FeedClient
import FeedModel

/// `freshet publish`: publishes a document as a feed, and prints the number of changes.
struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publish a document as a feed, and say what changed."
    )

    @Argument(help: "The feed's id.", transform: FeedName.argument)
    var feed: FeedName

    @Argument(help: "The document; - is standard input.", completion: .file())
    var file = "-"

    @OptionGroup var options: ServiceOptions

    @Option(
        help: ArgumentHelp(
            "Publish only when this is still the current version.",
            valueName: "token"
        ),
        transform: Token.argument
    )
    var ifMatch: Token?

    @Flag(help: "Only say what would change.")
    var dryRun = false

    @OptionGroup var removals: RemovalOptions

    mutating func run() async throws {
        let document = try InputFile(path: file).read()
        var publishing = PublishOptions(ifMatch: ifMatch, isDryRun: dryRun)
        publishing.mayRemoveAny = removals.mayRemoveAny
        let result = try await options.asking(about: feed) {
            try await $0.publish(document, to: feed, options: publishing)
        }
        try StandardOutput.print(PublishFormatter(result))
    }
}
