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

    @OptionGroup var options: EditOptions

    mutating func run() async throws {
        let document = try InputFile(path: file).read()
        let result = try await options.service.asking(about: feed) {
            try await $0.publish(document, to: feed, options: options.publishing)
        }
        try StandardOutput.print(PublishFormatter(result))
    }
}
