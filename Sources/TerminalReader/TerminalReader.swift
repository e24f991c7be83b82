import CLinux
import Dispatch
public import FeedClient
import FeedModel
import FeedUI
public import Foundation

/// The reason why the terminal's screen cannot be used.
public enum TerminalError: Error {
    /// Standard input or output is not a terminal.
    case isMissing
    /// The terminal belongs to another job of the shell.
    case isInBackground
}

/// Shows feeds on the full screen of a terminal, with live updates.
@MainActor
public final class TerminalReader {
    private enum Event: Sendable {
        case input([UInt8])
        case tick
        /// The terminal's window may have changed its size.
        case resized
        /// The process was stopped (Ctrl-Z), and continues.
        case continued
        case updated(Int, TableUpdate)
        case state(Int, FeedUpdate)
        case refreshed(String)
        case said(String)
        /// The last frame was written.
        case written
        case failed(any Error)
    }

    private let service: FeedService
    private let reader: Reader
    private var terminal = Frame.Abilities()
    /// The file with the scroll positions of earlier runs; `nil`: none are stored.
    private let places: URL?
    /// The frame on the screen; `nil`: the content of the screen is unknown.
    private var shown: Frame?
    /// The queue that writes frames, since a terminal may block the writer for any time.
    private let writing = DispatchQueue(label: "freshet.terminal.frames")
    private var isWriting = false
    private var failure: (any Error)?
    private var keys = KeyParser()
    private let start = ContinuousClock.now
    /// The first item in sight of each feed, by index, as last reported to the feed.
    private var readerPosition: [Int: String?] = [:]
    /// The timer for changes that come without input; `nil` before the start.
    private var timer: (any DispatchSourceTimer)?
    private let queue = DispatchQueue(label: "freshet.terminal")
    /// The time at which the timer fires; `nil`: it is not scheduled.
    private var nextTick: Duration?

    /// Whether standard input and output are a terminal that can show a full screen.
    public nonisolated static var isPossible: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
            && ProcessInfo.processInfo.environment["TERM"].map { $0 != "dumb" } ?? false
    }

    /// Makes a reader; ``run()`` shows it.
    ///
    /// - Parameters:
    ///   - feeds: The feeds to show, all of one view.
    ///   - service: The service of the feeds.
    ///   - isColored: Whether changes are colored.
    ///   - places: The file for the scroll positions between runs; `nil`: none are stored.
    public init(_ feeds: [Feed], of service: FeedService, isColored: Bool, places: URL?) {
        self.service = service
        terminal.isColored = isColored
        // The Linux console prints sequences that it does not know.
        terminal.hasLinks = ProcessInfo.processInfo.environment["TERM"] != "linux"
        self.places = places
        let known: Places = TerminalReader.read(places)
        let readItems: ReadItems = TerminalReader.read(places.map { TerminalReader.readItems($0) })
        let server = service.baseURL.absoluteString
        reader = Reader(
            feeds.map { feed in
                let name = feed.name.rawValue
                let shown = ReaderFeed(feed, read: readItems[server]?[name] ?? [])
                shown.place = known[server]?[name]
                return shown
            }
        )
    }

    /// Shows the feeds until the user quits or the task is cancelled.
    ///
    /// - Throws: ``TerminalError`` when the terminal cannot be used; ``FeedServiceError`` when the
    ///   feeds cannot be followed, such as with a refused key.
    public func run() async throws {
        let descriptor = freshet_takeTerminal()
        if descriptor == FRESHET_IN_BACKGROUND { throw TerminalError.isInBackground }
        guard descriptor >= 0 else { throw TerminalError.isMissing }
        defer {
            endWriting()
            freshet_giveTerminalBack()
        }
        let (events, sink) = AsyncStream.makeStream(of: Event.self)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        self.timer = timer
        let sources = TerminalReader.listen(to: descriptor, timer, on: queue, sink)
        defer { for source in sources { source.cancel() } }
        let tasks = follow(sink)
        defer {
            for task in tasks { task.cancel() }
            write()
        }
        resize()
        draw(sink)
        for await event in events {
            if case .continued = event {
                guard await takeTerminalAgain() else { continue }
            }
            guard !Task.isCancelled, take(event, sink) else { break }
            // The feed gets the position before the frame is drawn, so that it counts later changes
            // from there.
            if let place = newPosition() { await place.feed.readerIs(at: place.id) }
            draw(sink)
        }
        if let failure { throw failure }
    }

    /// Follows the feeds, and turns their updates into events, by tasks that end when they are
    /// cancelled.
    private func follow(_ sink: AsyncStream<Event>.Continuation) -> [Task<Void, Never>] {
        let feeds = reader.feeds.map(\.feed)
        var tasks: [Task<Void, Never>] = []
        for (index, feed) in feeds.enumerated() {
            tasks.append(
                Task {
                    // The limit is high, since a reload would lose the colors of changes.
                    for await update in feed.tableUpdates(operationLimit: 100_000) {
                        sink.yield(.updated(index, update))
                    }
                }
            )
            tasks.append(
                Task { for await update in feed.updates() { sink.yield(.state(index, update)) } }
            )
        }
        tasks.append(
            Task { [service] in
                do {
                    for try await _ in service.follow(feeds) {}
                } catch {
                    sink.yield(.failed(error))
                }
            }
        )
        return tasks
    }

    /// Makes the sources of events: standard input, the terminal's signals and the timer.
    ///
    /// The handlers run on a queue. The function is `nonisolated` so that they belong to no actor.
    private nonisolated static func listen(
        to descriptor: CInt,
        _ timer: any DispatchSourceTimer,
        on queue: DispatchQueue,
        _ sink: AsyncStream<Event>.Continuation
    ) -> [any DispatchSourceProtocol] {
        let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
        input.setEventHandler {
            // In the background, keys belong to the shell, and reading would stop this process.
            guard freshet_isInForeground() != 0 else { return Thread.sleep(forTimeInterval: 0.01) }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
            if count > 0 {
                sink.yield(.input(Array(bytes[..<count])))
            } else if count == 0 || errno != EINTR && errno != EAGAIN {
                sink.finish()
            }
        }
        let terminal = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        terminal.setEventHandler {
            let isContinued = freshet_terminalEvents() >= UInt64(FRESHET_TERMINAL_CONTINUED)
            sink.yield(isContinued ? .continued : .resized)
        }
        timer.setEventHandler { sink.yield(.tick) }
        let sources: [any DispatchSourceProtocol] = [input, terminal, timer]
        for source in sources { source.activate() }
        return sources
    }

    /// Schedules the timer for the next change that comes without input.
    private func waitForNextChange() {
        let now = ContinuousClock.now - start
        let changes = [
            reader.nextChange, keys.isWaiting ? now + .milliseconds(50) : nil,
            shown?.secondsLeft.map { now + .seconds($0) },
        ]
        guard let next = changes.compactMap(\.self).min() else { return }
        // An earlier tick schedules the timer again.
        if let nextTick, nextTick <= next { return }
        nextTick = next
        timer?.schedule(deadline: .now() + max(0.001, (next - now) / .seconds(1)))
    }

    /// Sets the terminal up again after the process was stopped; returns whether that succeeded.
    private func takeTerminalAgain() async -> Bool {
        // In the background, taking the terminal stops the process again. The pause lets a signal
        // that ends the process come first.
        if freshet_isInForeground() == 0 { try? await Task.sleep(for: .milliseconds(200)) }
        return !Task.isCancelled && freshet_takeTerminalAgain() != 0
    }

    /// Handles an event, and returns whether to go on.
    private func take(_ event: Event, _ sink: AsyncStream<Event>.Continuation) -> Bool {
        _ = reader.advance(to: ContinuousClock.now - start)
        switch event {
        case .tick:
            nextTick = nil
            for input in keys.flush() { if !take(input, sink) { return false } }
        case .resized, .continued:
            shown = nil
            resize()
        case .input(let bytes):
            for input in keys.parse(bytes) { if !take(input, sink) { return false } }
        case .updated(let index, let update): reader.take(update, of: index)
        case .state(let index, let update): reader.take(update, of: index)
        case .refreshed(let text): reader.refreshed(text)
        case .said(let text): reader.say(text)
        case .written: isWriting = false
        case .failed(let error):
            failure = error
            return false
        }
        return true
    }

    private func take(_ input: TerminalInput, _ sink: AsyncStream<Event>.Continuation) -> Bool {
        for command in reader.take(input) {
            switch command {
            case .quit: return false
            case .refresh: refresh(sink)
            case .redraw: shown = nil
            case .open(let link):
                TerminalReader.open(link) { sink.yield(.said("\(link) cannot be opened: \($0)")) }
            }
        }
        return true
    }

    private func refresh(_ sink: AsyncStream<Event>.Continuation) {
        let feed = reader.feed.feed
        Task {
            let text: String
            do {
                let event = try await feed.refreshEvent()
                // The event says only once that the feed is missing, so the copy is asked.
                let isMissing = await feed.copy.isMissing
                text = isMissing ? "there is no such feed" : TerminalReader.words(event)
            } catch {
                text = "\(error)"
            }
            sink.yield(.refreshed(text))
        }
    }

    private static func words(_ event: FeedEvent) -> String {
        let counts = event.counts
        if counts.isReplaced { return "all was taken anew" }
        let parts = [
            (counts.inserted, "new"), (counts.updated, "changed"), (counts.moved, "moved"),
            (counts.removed, "removed"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        guard parts.isEmpty else { return parts.joined(separator: ", ") }
        if case .unchanged = event.change { return "nothing new" }
        return "no row is new or changed"
    }

    /// Returns the first item in sight if it has changed; `nil`: it has not.
    ///
    /// The feed counts the new items above it.
    private func newPosition() -> (feed: Feed, id: ExactString?)? {
        let (index, id) = (reader.current, reader.firstVisible)
        guard readerPosition[index] != .some(id?.string) else { return nil }
        readerPosition[index] = .some(id?.string)
        return (reader.feed.feed, id)
    }

    /// Reads the terminal's size; after a change, the whole screen is drawn again.
    private func resize() {
        var columns: CInt = 0
        var rows: CInt = 0
        freshet_terminalSize(&columns, &rows)
        let size = (columns: max(1, Int(columns)), rows: max(1, Int(rows)))
        guard size != (reader.columns, reader.rows) else { return }
        shown = nil
        reader.resize(columns: size.columns, rows: size.rows)
    }

    /// Draws the current frame, unless an earlier one is still being written.
    private func draw(_ sink: AsyncStream<Event>.Continuation) {
        defer { waitForNextChange() }
        guard !isWriting else { return }
        let frame = reader.frame()
        let bytes = frame.bytes(from: shown, for: terminal)
        shown = frame
        guard !bytes.isEmpty else { return }
        isWriting = true
        writing.async {
            // After a stop the screen belongs to the shell, until the reader continues.
            if freshet_canDraw() != 0 {
                try? FileHandle.standardOutput.write(contentsOf: Data(bytes))
            }
            sink.yield(.written)
        }
    }

    /// Waits until the last frame is written, for at most one second.
    private func endWriting() {
        let end = DispatchSemaphore(value: 0)
        writing.async { end.signal() }
        _ = end.wait(timeout: .now() + .seconds(1))
    }

    /// Opens an address in the user's browser by `xdg-open`; `failed` gets the reason when that
    /// fails.
    private static func open(_ link: String, failed: @escaping @Sendable (String) -> Void) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdg-open", link]
        // The browser must not read the reader's keys or write to its screen.
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.terminationHandler = { process in
            switch process.terminationStatus {
            case 0: break
            case 127: failed("there is no xdg-open")
            case let status: failed("xdg-open ended with status \(status)")
            }
        }
        do { try process.run() } catch { failed("\(error.localizedDescription)") }
    }
}

/// Scroll positions and items that were read, stored between runs.
extension TerminalReader {
    /// The scroll positions, by server and feed.
    private typealias Places = [String: [String: RestorableState]]
    /// The ids of items that were read, by server and feed.
    private typealias ReadItems = [String: [String: [String]]]

    /// The most ids that are stored for each feed.
    private static let readLimit = 10_000

    /// Returns the file for the items that were read, in the folder of the file `places`.
    private static func readItems(_ places: URL) -> URL {
        places.deletingLastPathComponent().appendingPathComponent("read.json")
    }

    private static func read<Value: Decodable>(_ url: URL?) -> [String: Value] {
        guard let url, let data = try? Data(contentsOf: url) else { return [:] }
        return (try? JSONDecoder().decode([String: Value].self, from: data)) ?? [:]
    }

    private func write() {
        guard let places else { return }
        let folder = places.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let server = service.baseURL.absoluteString
        var known: Places = TerminalReader.read(places)
        known[server, default: [:]].merge(reader.places) { $1 }
        try? JSONEncoder().encode(known).write(to: places, options: .atomic)
        let file = TerminalReader.readItems(places)
        var items: ReadItems = TerminalReader.read(file)
        for feed in reader.feeds {
            let ids = feed.readIDs.prefix(TerminalReader.readLimit)
            items[server, default: [:]][feed.feed.name.rawValue] = ids.isEmpty ? nil : Array(ids)
        }
        try? JSONEncoder().encode(items).write(to: file, options: .atomic)
    }
}
