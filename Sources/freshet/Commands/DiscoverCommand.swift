import ArgumentParser
import FeedFormats
import FeedSources
import Foundation
import HTTPClient

/// `freshet discover`: finds the feeds of a site.
struct DiscoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover",
        abstract: "Find the feeds of a web page or site.",
        discussion: """
            Prints a line for each feed that can be read: its address, a tab, its format, a tab, and \
            its title. The status is 1 when there is none.
            """
    )

    @Argument(help: "The address of a page, or of a feed.")
    var url: String

    @OptionGroup var options: FetchOptions

    /// Where sites have feeds that their pages do not name.
    private static let usualPaths = [
        "/feed", "/feed.xml", "/rss", "/rss.xml", "/atom.xml", "/index.xml", "/feed.json",
    ]

    mutating func run() async throws {
        let address = url.contains("://") ? url : "https://\(url)"
        let settings = try options.settings(address)
        guard case .web = settings.location else {
            throw CommandFailure.usage("\(url) is no address of http or https")
        }
        let client = try options.client(settings)
        let now = Int(Date().timeIntervalSince1970)
        let page: (bytes: [UInt8], address: String, charset: String?)
        do throws(SourceFailure) {
            page = try await SourcePreview.document(settings, client, now: now)
        } catch {
            throw CommandFailure.other("\(address): \(error)")
        }
        if let preview = try? SourcePreview.read(
            page.bytes,
            settings,
            address: page.address,
            charset: page.charset,
            now: now
        ) {
            return DiscoverCommand.print(preview)
        }
        let named = PageLinks.feeds(page.bytes, address: page.address)
        let candidates =
            named.isEmpty
            ? DiscoverCommand.usualPaths.map { WebAddress.resolve($0, base: page.address) } : named
        var count = 0
        for candidate in candidates {
            var settings = settings
            settings.location = .web(candidate)
            guard let preview = try? await SourcePreview.fetch(settings, client, now: now) else {
                continue
            }
            DiscoverCommand.print(preview)
            count += 1
        }
        if count == 0 { throw CommandFailure.other("\(address): no feed was found") }
    }

    private static func print(_ preview: SourcePreview) {
        let title = preview.feed.title ?? ""
        Swift.print("\(preview.address)\t\(preview.feed.format.rawValue)\t\(title)")
    }
}
