import ArgumentParser
import FeedFormats
import FeedSources
import Foundation
import TerminalReader

/// `freshet discover`: finds the feeds of a site.
struct DiscoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover",
        abstract: "Find the feeds of a web page or site.",
        discussion: """
            Prints a line for each feed that can be read: its address, a tab, its format, a tab, \
            and its title. The status is 1 when there is none.
            """
    )

    @Argument(help: "The address of a page, or of a feed.")
    var url: String

    @OptionGroup var options: FetchOptions

    mutating func run() async throws {
        let client = try options.client()
        let now = Int(Date().timeIntervalSince1970)
        let addresses = DiscoverCommand.addresses(url)
        for address in addresses {
            let settings = try options.settings(address)
            let previews: [SourcePreview]
            do throws(SourceFailure) {
                previews = try await SourceDiscovery.feeds(settings, client, now: now)
            } catch {
                if case .transport = error, address != addresses.last { continue }
                throw FetchOptions.failure(address, error)
            }
            guard !previews.isEmpty else {
                throw CommandFailure.other("\(WebAddress.shown(address)): no feed was found")
            }
            for preview in previews { try StandardOutput.print(DiscoverCommand.line(preview)) }
            return
        }
    }

    /// Returns the addresses that a text may mean, the likelier one first: some sites have no TLS.
    static func addresses(_ text: String) -> [String] {
        let address = WebAddress.withWebScheme(text)
        return address.contains("://") ? [address] : ["https://\(address)", "http://\(address)"]
    }

    /// Returns the line of a feed; its title cannot end the line.
    static func line(_ preview: SourcePreview) -> String {
        let title = (preview.feed.title ?? "").split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        let parts = [preview.address, preview.feed.format.rawValue, title]
        return parts.map(ShownText.of).joined(separator: "\t")
    }
}
