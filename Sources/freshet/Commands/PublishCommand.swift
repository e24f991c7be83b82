import ArgumentParser
import FeedClient
import FeedModel

/// `freshet publish`: puts a document and says what changed.
struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publish a document as a feed, and say what changed."
    )

    @Argument(help: "The feed's id.", transform: FeedName.argument)
    var feed: FeedName

    @Argument(help: "The document; - is standard input.")
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

    mutating func run() async throws {
        let service = try options.service(Environment())
        let document = try InputFile(path: file).read()
        let answer = try await service.publish(
            document,
            to: feed,
            options: PublishOptions(ifMatch: ifMatch, isDryRun: dryRun)
        )
        print(PublishFormatter(answer))
    }
}
