import ArgumentParser
import FeedDiff
import FeedFormats
import FeedModel
import FeedSources
import Foundation
import HTTPClient
import Platform
import TerminalReader

/// `freshet fetch`: shows the feed that would be made of a source.
struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch a source once, and print the feed that would be made of it.",
        discussion: """
            What is odd about the document is said on standard error. The status is 1 when there \
            is no feed. With --config and --feed, the source of a feed is fetched as the server \
            would, with all that the file says of it.
            """
    )

    @Argument(help: "The source's address, or a file.", completion: .file())
    var source: String?

    @Option(
        help: ArgumentHelp("Fetch the source that this file names for --feed.", valueName: "file"),
        completion: .file()
    )
    var config: String?

    @Option(help: ArgumentHelp("The feed whose source is fetched.", valueName: "name"))
    var feed: String?

    @OptionGroup var options: FetchOptions

    @Flag(help: "Break the document into lines.")
    var pretty = false

    mutating func run() async throws {
        let settings = try settings()
        let now = Int(Date().timeIntervalSince1970)
        let preview: SourcePreview
        do throws(SourceFailure) {
            preview = try await SourcePreview.fetch(
                settings,
                try options.client(),
                now: now
            )
        } catch {
            throw FetchOptions.failure(settings.location.shown, error)
        }
        for line in [FetchCommand.summary(preview)] + preview.feed.notes {
            StandardError.report(ShownText.of(line))
        }
        let document = DocumentEncoder(feed: settings.feed).document(FeedView()(preview.snapshot))
        try StandardOutput.print(json: document, isPretty: pretty)
    }

    private func settings() throws -> SourceSettings {
        switch (source, config, feed) {
        case (let source?, nil, nil): return try options.settings(source)
        case (nil, let config?, let feed?):
            var settings = try FetchCommand.settings(of: feed, in: config)
            try options.apply(to: &settings)
            return settings
        default:
            throw CommandFailure.usage("either a source, or --config FILE and --feed NAME")
        }
    }

    /// Returns the settings of the source that a configuration names for a feed.
    static func settings(of feed: String, in path: String) throws -> SourceSettings {
        let content = Array(try InputFile(path: path).read())
        let file = try ConfigurationFile.needed(content, name: path)
        let sources = file.settings.contents.sources
        guard let settings = sources.first(where: { $0.feed.rawValue == feed }) else {
            throw CommandFailure.usage("\(path): no feed \(ShownText.of(feed)) has a source")
        }
        return settings
    }

    static func summary(_ preview: SourcePreview) -> String {
        let title = preview.feed.title.map { " “\($0)”" } ?? ""
        let format =
            preview.feed.nativeDocument == nil
            ? preview.feed.format.rawValue : "a document as PUT takes it"
        return "\(format)\(title), " + preview.snapshot.count.counted("item")
    }
}

/// The options of commands that fetch.
struct FetchOptions: ParsableArguments {
    @Flag(help: "Fetch from this machine and private networks, too.")
    var allowPrivate = false

    @Option(
        help: ArgumentHelp(
            "Trust the certificates in this file instead of the system's.",
            valueName: "file"
        ),
        completion: .file()
    )
    var cacert: String?

    func settings(_ source: String) throws -> SourceSettings {
        guard let feed = FeedName("fetched") else { throw CommandFailure.usage("no name") }
        let location: SourceSettings.Location =
            WebAddress.isWeb(source) ? .web(source) : .file(source)
        if case .file = location, source.contains("://") {
            throw CommandFailure.usage("only http, https and files can be fetched")
        }
        var settings = SourceSettings(feed: feed, location: location)
        try apply(to: &settings)
        return settings
    }

    /// Sets what the options allow beyond the settings of a source.
    func apply(to settings: inout SourceSettings) throws(CommandFailure) {
        if allowPrivate { settings.allowsPrivate = true }
        guard let cacert else { return }
        try TrustOptions.checkAuthorities(cacert)
        settings.authorities = cacert
    }

    /// Returns the failure of a fetch that brought no feed.
    static func failure(_ address: String, _ error: SourceFailure) -> CommandFailure {
        let source = ShownText.of(WebAddress.shown(address))
        if case .transport(.refusedAddress) = error {
            return .other("\(source): \(error); --allow-private allows it")
        }
        return .other("\(source): \(ShownText.of("\(error)"))")
    }

    func client() throws(SourceFailure) -> HTTPClient {
        var settings = HTTPClient.Settings()
        settings.userAgent = "freshet/\(Freshet.version) (feed server)"
        let isAllowed = allowPrivate
        settings.allows = { _, address in isAllowed || address.isPublic }
        do throws(HTTPClientError) {
            return try HTTPClient(settings)
        } catch {
            throw .transport(error)
        }
    }
}
