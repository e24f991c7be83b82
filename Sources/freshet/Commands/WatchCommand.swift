import ArgumentParser
import FeedClient
import FeedModel
import Foundation
import TerminalReader

/// `freshet watch`: follows feeds, and prints what changes.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Read feeds on the whole screen, or print what changes as it comes.",
        discussion: """
            On a terminal, feeds fill the screen and change as they do at the server. Enter opens \
            a row's item to read, beside the rows where the window has 110 columns or more; ? \
            shows the keys. The place, and what was read, are kept for the next start. With \
            --lines, and where the output is no terminal, what changes is printed until SIGTERM or \
            SIGINT.

            A line with the time tells of each change, and one each of the first items in it: + \
            for one that came, - for one that went, > for one that moved, ~ for one that is \
            different. With --json, each line is a document as the server sends it: snapshot, \
            changes or missing.

            When the server cannot be reached it is tried again, after up to a minute, and what \
            changed meanwhile is printed then.
            """
    )

    @Argument(help: "The feeds' ids.", transform: FeedName.argument)
    var feeds: [FeedName]

    @OptionGroup var options: ServiceOptions

    @OptionGroup var viewOptions: ViewOptions

    @Flag(help: "Print each change as one line of JSON, for scripts.")
    var json = false

    @Flag(help: "Print lines on a terminal, too.")
    var lines = false

    /// The most feeds that one stream can have.
    private static let feedLimit = 100

    func validate() throws {
        guard feeds.count <= WatchCommand.feedLimit else {
            throw ValidationError("At most \(WatchCommand.feedLimit) feeds can be watched.")
        }
        guard Set(feeds).count == feeds.count else {
            throw ValidationError("Each feed can be named once.")
        }
    }

    mutating func run() async throws {
        if !json, !lines, TerminalReader.isPossible {
            return try await read(viewOptions.view)
        }
        try await options.asking { service in
            let watching = Watching(feeds, of: service, view: viewOptions.view, isJSON: json)
            try await WatchCommand.untilStopped {
                try await watching.run { line in
                    try StandardOutput.write(line + [UInt8(ascii: "\n")])
                } trouble: {
                    StandardError.report($0)
                }
            }
        }
    }

    /// Runs `body` until it ends, or SIGTERM, SIGINT or another of the signals cancels it.
    private static func untilStopped(
        and others: [CInt] = [],
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let (result, wasStopped) = try await StopSignals.cancel(at: others, body)
        if !wasStopped { try result.get() }
    }

    /// Returns the path of the file with the reading positions of the full-screen reader.
    ///
    /// An empty or relative path in a variable is ignored (XDG Base Directory Specification).
    static func places(_ variables: [String: String]) -> URL {
        let named = variables["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = FileManager.default.homeDirectoryForCurrentUser
        let state =
            named.map { URL(fileURLWithPath: $0) } ?? home.appendingPathComponent(".local/state")
        return state.appendingPathComponent("freshet/places.json")
    }

    /// Shows the feeds on the whole screen.
    private func read(_ view: FeedView) async throws {
        try await options.asking { service in
            let variables = ProcessInfo.processInfo.environment
            let reader = await TerminalReader(
                feeds.map { Feed($0, of: service, view: view, showsChanges: true) },
                of: service,
                isColored: variables["NO_COLOR"]?.isEmpty ?? true,
                places: WatchCommand.places(variables)
            )
            // The reader's place is also saved when the window is closed (SIGHUP).
            do {
                try await WatchCommand.untilStopped(and: [SIGHUP]) { try await reader.run() }
            } catch let error as TerminalError {
                let reason =
                    switch error {
                    case .isInBackground:
                        "a job in the background cannot have it; bring it to the foreground"
                    case .isMissing: "it cannot be used"
                    }
                throw CommandFailure.other("the terminal: \(reason), or use --lines")
            }
        }
    }
}
