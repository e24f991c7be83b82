import FeedClient
import FeedModel
import Foundation
import Synchronization
import TerminalReader

/// Feeds that are followed, and the lines about their changes.
struct Watching {
    private let feeds: [Feed]
    private let service: FeedService
    private let isJSON: Bool

    init(_ names: [FeedName], of service: FeedService, view: FeedView, isJSON: Bool) {
        feeds = names.map { Feed($0, of: service, view: view, showsChanges: true) }
        self.service = service
        self.isJSON = isJSON
    }

    /// Follows the feeds until the task is cancelled.
    ///
    /// - Parameters:
    ///   - clock: Returns the time for the lines that tell of changes.
    ///   - print: Receives each line, in UTF-8.
    ///   - trouble: Receives, in words, the reason why the server is tried again; once until the
    ///     server answers.
    /// - Throws: The error of `print`, and ``FeedServiceError`` where another try would be of no
    ///   use.
    func run(
        clock: () -> Date = { Date() },
        print: (Data) throws -> Void,
        trouble: @escaping @Sendable (String) -> Void
    ) async throws {
        let last = Mutex("")
        let place = service.baseURL.shown
        let events = service.follow(feeds) { error in
            let isNew = last.withLock { last in
                defer { last = error.debugDescription }
                return last != error.debugDescription
            }
            if isNew { trouble("\(place): \(error.debugDescription); trying again") }
        }
        var before: [FeedName: Snapshot] = [:]
        for try await event in events {
            last.withLock { $0 = "" }
            if isJSON {
                try print(Data(ShownJSON.bytes(Array(event.document.json))))
                continue
            }
            let name = event.copy.feed
            let formatter = WatchFormatter(
                event.change,
                event.copy,
                since: before[name],
                at: clock()
            )
            for line in formatter.lines { try print(Data(ShownText.of(line).utf8)) }
            before[name] = event.copy.token == nil ? nil : event.copy.snapshot
        }
    }
}
