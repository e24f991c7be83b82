public import ArgumentParser
import FeedClient
import FeedModel

/// `freshet get`: prints a feed, or its changes since a version.
struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print a feed, or what changed in it since a version."
    )

    @Argument(help: "The feed's id.", transform: FeedName.argument)
    var feed: FeedName

    @OptionGroup var options: ServiceOptions

    @Option(
        help: ArgumentHelp("Print what changed since this version.", valueName: "token"),
        transform: Token.argument
    )
    var since: Token?

    @Option(
        help: ArgumentHelp(
            "With --since: wait for so long until something has changed, at most 60.",
            valueName: "seconds"
        )
    )
    var wait: Int?

    @OptionGroup var viewOptions: ViewOptions

    @Option(help: "The protocol's own documents, or a JSON Patch (RFC 6902).")
    var format = FeedFormat.json

    @Flag(help: "Break the document into lines.")
    var pretty = false

    func validate() throws {
        if let wait {
            guard 0...60 ~= wait else {
                throw ValidationError("--wait is a number of seconds from 0 to 60.")
            }
            guard since != nil else {
                throw ValidationError(
                    "--wait waits for a change since a version: name it, --since."
                )
            }
        }
    }

    mutating func run() async throws {
        let document = try await options.asking(about: feed) {
            try await $0.get(
                feed,
                since: since,
                view: viewOptions.view,
                format: format,
                wait: wait.map { .seconds($0) }
            )
        }
        try StandardOutput.print(json: document, isPretty: pretty)
    }
}

/// The options for a part of a feed.
struct ViewOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only this section; can be repeated.", valueName: "id"))
    var section: [String] = []

    @Option(help: ArgumentHelp("Only the first items, so many.", valueName: "number"))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 0 {
            throw ValidationError("--limit is a number from 0.")
        }
    }

    /// The part; the whole feed where no option is given.
    var view: FeedView {
        let sections = section.isEmpty ? nil : Set(section.map { ExactString($0) })
        return FeedView(sections: sections, limit: limit)
    }
}

extension FeedFormat: ExpressibleByArgument {}
