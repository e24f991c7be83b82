import ArgumentParser
import FeedClient
import Foundation
import TerminalReader

/// `freshet list`: lists the feeds of a server.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the feeds that can be read: id, version, items, last change, title."
    )

    @OptionGroup var options: ServiceOptions

    @Option(help: "Only feeds whose ids begin so.")
    var prefix: String?

    @Flag(help: "Print each feed as one line of JSON.")
    var json = false

    mutating func run() async throws {
        let feeds = try await options.asking { try await $0.feeds(prefix: prefix) }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            for feed in feeds {
                try StandardOutput.print(json: try encoder.encode(feed))
            }
            return
        }
        let width = feeds.map(\.id.count).max() ?? 0
        for feed in feeds {
            let name = feed.id.padding(toLength: width, withPad: " ", startingAt: 0)
            let title = feed.title.map { "  \($0)" } ?? ""
            let items = feed.count.counted("item")
            let line = "\(name)  \(feed.token)  \(items)  \(feed.changed)\(title)"
            try StandardOutput.print(ShownText.of(line))
        }
    }
}
