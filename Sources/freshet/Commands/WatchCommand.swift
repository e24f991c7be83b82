import ArgumentParser
import FeedClient
import FeedModel
import Foundation

/// `freshet watch`: follows feeds, and prints what changes.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Follow feeds, and print what changes as it comes, until SIGTERM or SIGINT.",
        discussion: """
            A line tells of each change, and one each of the first items in it: + for one that \
            came, - for one that went, > for one that moved, ~ for one that is different. With \
            --json, each line is a document as the server sends it: snapshot, changes or missing.

            When the server cannot be reached it is tried again, after up to a minute, and what \
            changed meanwhile is printed then.
            """
    )

    @Argument(help: "The feeds' ids.", transform: FeedName.argument)
    var feeds: [FeedName]

    @OptionGroup var options: ServiceOptions

    @Option(help: ArgumentHelp("Only this section; can be repeated.", valueName: "id"))
    var section: [String] = []

    @Option(help: ArgumentHelp("Only the first items, so many.", valueName: "number"))
    var limit: Int?

    @Flag(help: "Print each change as one line of JSON, for scripts.")
    var json = false

    /// How many feeds one stream can have.
    private static let feedLimit = 100

    func validate() throws {
        if let limit, limit < 0 {
            throw ValidationError("--limit is a number from 0.")
        }
        guard feeds.count <= WatchCommand.feedLimit else {
            throw ValidationError("At most \(WatchCommand.feedLimit) feeds can be watched.")
        }
        guard Set(feeds).count == feeds.count else {
            throw ValidationError("Each feed can be named once.")
        }
    }

    mutating func run() async throws {
        let sections = section.isEmpty ? nil : Set(section.map { ExactString($0) })
        let watching = Watching(
            feeds,
            of: try options.service(Environment()),
            view: FeedView(sections: sections, limit: limit),
            isJSON: json
        )
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await watching.run { line in
                    try FileHandle.standardOutput.write(contentsOf: line + [UInt8(ascii: "\n")])
                } trouble: {
                    StandardError.print("freshet: \($0)")
                }
            }
            group.addTask { await StopSignals.first() }
            try await group.next()
            group.cancelAll()
        }
    }
}
