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
        var address = ImportCommand.address(url) ?? url
        let hasScheme = url.contains("://") || address != url
        if !hasScheme { address = "https://\(url)" }
        var settings = try options.settings(address)
        guard case .web = settings.location else {
            throw CommandFailure.usage("\(WebAddress.shown(url)) is no address of http or https")
        }
        let client = try options.client()
        let now = Int(Date().timeIntervalSince1970)
        let previews: [SourcePreview]
        do throws(SourceFailure) {
            previews = try await SourceDiscovery.feeds(settings, client, now: now)
        } catch {
            // Some sites have no TLS at all.
            guard !hasScheme, case .transport = error else {
                throw FetchOptions.failure(address, error)
            }
            address = "http://\(url)"
            settings = try options.settings(address)
            do throws(SourceFailure) {
                previews = try await SourceDiscovery.feeds(settings, client, now: now)
            } catch {
                throw FetchOptions.failure(address, error)
            }
        }
        for preview in previews { try StandardOutput.print(DiscoverCommand.line(preview)) }
        if previews.isEmpty {
            throw CommandFailure.other("\(WebAddress.shown(address)): no feed was found")
        }
    }

    /// Returns the line of a feed; its title cannot end the line.
    static func line(_ preview: SourcePreview) -> String {
        let title = (preview.feed.title ?? "").split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        let parts = [preview.address, preview.feed.format.rawValue, title]
        return parts.map(ShownText.of).joined(separator: "\t")
    }
}
