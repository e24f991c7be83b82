import CLinux
import Dispatch
public import FeedClient
import FeedModel
import FeedUI
public import Foundation

/// Feeds on the whole screen of a terminal.
@MainActor
public final class TerminalReader {
    private enum Event: Sendable {
        case input([UInt8])
        case tick
        case resized
        case updated(Int, TableUpdate)
        case stands(Int, FeedUpdate)
        case refreshed(Int, String)
        case said(String)
        /// A frame is on the screen.
        case written
        case failed(any Error)
    }

    private let service: FeedService
    private let reader: Reader
    private var terminal = Frame.Abilities()
    private let places: URL?
    private var shown: Frame?
    /// Frames are written there: a terminal may take nothing for as long as it likes.
    private let writing = DispatchQueue(label: "freshet.terminal.frames")
    private var isWriting = false
    /// Why following ended.
    private var failure: (any Error)?
    private var keys = KeyParser()
    private let start = ContinuousClock.now
    private var readerPlace: [Int: String?] = [:]

    /// Whether standard input and output are a terminal that can show a full screen.
    public nonisolated static var isPossible: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
            && ProcessInfo.processInfo.environment["TERM"].map { $0 != "dumb" } ?? false
    }

    /// Makes a reader; takes the terminal with ``run()``.
    ///
    /// - Parameters:
    ///   - feeds: Feeds of the service, of one view.
    ///   - service: Where they are.
    ///   - isColored: Whether changes have colors.
    ///   - places: The file that keeps where the reader was; `nil`: nowhere.
    public init(_ feeds: [Feed], of service: FeedService, isColored: Bool, places: URL?) {
        self.service = service
        terminal.isColored = isColored
        // The system's console shows what it does not know.
        terminal.hasLinks = ProcessInfo.processInfo.environment["TERM"] != "linux"
        self.places = places
        let known = TerminalReader.read(places)
        reader = Reader(
            feeds.map { feed in
                let shown = ReaderFeed(feed)
                shown.place = known[service.baseURL.absoluteString]?[feed.name.rawValue]
                return shown
            }
        )
    }

    /// Shows the feeds until the person leaves, or the task is cancelled.
    ///
    /// - Throws: ``FeedServiceError`` where following is no use, such as with a key that is
    ///   refused.
    public func run() async throws {
        guard freshet_takeTerminal() == 0 else { return }
        defer {
            endWriting()
            freshet_giveTerminalBack()
        }
        let (events, sink) = AsyncStream.makeStream(of: Event.self)
        let sources = TerminalReader.listen(sink)
        defer { for source in sources { source.cancel() } }
        let feeds = reader.feeds.map(\.feed)
        var tasks: [Task<Void, Never>] = []
        for (index, feed) in feeds.enumerated() {
            tasks.append(
                Task {
                    // Rows cost little here, and a reload would lose their colors.
                    for await update in feed.tableUpdates(operationLimit: 100_000) {
                        sink.yield(.updated(index, update))
                    }
                }
            )
            tasks.append(
                Task { for await update in feed.updates() { sink.yield(.stands(index, update)) } }
            )
        }
        let following = Task { [service] in
            do {
                for try await _ in service.follow(feeds) {}
            } catch {
                sink.yield(.failed(error))
            }
        }
        defer {
            for task in tasks { task.cancel() }
            following.cancel()
            write()
        }
        resize()
        draw(sink)
        for await event in events {
            guard take(event, sink) else { break }
            if let place = newPlace() { placeSink.yield(place) }
            draw(sink)
        }
        let (readPlaces, placeSink) = AsyncStream.makeStream(of: (feed: Feed, id: ExactString?).self)
        tasks.append(Task { for await place in readPlaces { await place.feed.readerIs(at: place.id) } })
        if let failure { throw failure }
    }

    /// Standard input, the terminal's size and the time.
    ///
    /// Handlers run on a queue: made here, they belong to no actor.
    private nonisolated static func listen(
        _ sink: AsyncStream<Event>.Continuation
    ) -> [any DispatchSourceProtocol] {
        let queue = DispatchQueue(label: "freshet.terminal")
        let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
        input.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
            if count > 0 { sink.yield(.input(Array(bytes[..<count]))) } else { sink.finish() }
        }
        signal(SIGWINCH, SIG_IGN)
        let size = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: queue)
        size.setEventHandler { sink.yield(.resized) }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: .milliseconds(50))
        timer.setEventHandler { sink.yield(.tick) }
        let sources: [any DispatchSourceProtocol] = [input, size, timer]
        for source in sources { source.resume() }
        return sources
    }

    /// - Returns: Whether to go on.
    private func take(_ event: Event, _ sink: AsyncStream<Event>.Continuation) -> Bool {
        _ = reader.advance(to: ContinuousClock.now - start)
        switch event {
        case .tick:
            for input in keys.flush() { if !take(input, sink) { return false } }
            // A signal that comes while it is taken over is lost.
            resize()
        case .resized:
            shown = nil
            resize()
        case .input(let bytes):
            for input in keys.parse(bytes) { if !take(input, sink) { return false } }
        case .updated(let index, let update): reader.take(update, of: index)
        case .stands(let index, let update): reader.take(update, of: index)
        case .refreshed(_, let text): reader.refreshed(text)
        case .said(let text): reader.say(text)
        case .written: isWriting = false
        case .failed(let error):
            failure = error
            return false
        }
        return true
    }

    private func take(_ input: TerminalInput, _ sink: AsyncStream<Event>.Continuation) -> Bool {
        if case .clusters(let areSet) = input {
            if !areSet { writing.async { freshet_setGraphemeClusters() } }
            reader.cells.joinsClusters = true
            shown = nil
            return true
        }
        for command in reader.take(input) {
            switch command {
            case .quit: return false
            case .refresh: refresh(sink)
            case .open(let link):
                TerminalReader.open(link) { sink.yield(.said("\(link) cannot be opened: \($0)")) }
            }
        }
        return true
    }

    private func refresh(_ sink: AsyncStream<Event>.Continuation) {
        let (index, feed) = (reader.current, reader.feed.feed)
        Task {
            let text: String
            do {
                let event = try await feed.refreshEvent()
                // That it is not there is no news the second time.
                let isMissing = await feed.copy.isMissing
                text = isMissing ? "there is no such feed" : TerminalReader.words(event)
            } catch {
                text = "\(error)"
            }
            sink.yield(.refreshed(index, text))
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
        if case .nothing = event.news { return "nothing new" }
        return "no row is new or changed"
    }

    /// Returns where the person reads, if that is another row than before: the feed counts what
    /// comes above it.
    private func newPlace() -> (feed: Feed, id: ExactString?)? {
        let (index, id) = (reader.current, reader.firstVisible)
        guard readerPlace[index] != .some(id?.string) else { return nil }
        readerPlace[index] = .some(id?.string)
        return (reader.feed.feed, id)
    }

    /// Takes the terminal's size, and draws all anew if it is another one.
    private func resize() {
        var columns: CInt = 0
        var rows: CInt = 0
        freshet_terminalSize(&columns, &rows)
        let size = (columns: max(1, Int(columns)), rows: max(1, Int(rows)))
        guard size != (reader.columns, reader.rows) else { return }
        shown = nil
        reader.resize(columns: size.columns, rows: size.rows)
    }

    /// Shows what is to be seen now, unless an earlier frame is still being written.
    private func draw(_ sink: AsyncStream<Event>.Continuation) {
        guard !isWriting else { return }
        let frame = reader.frame()
        let bytes = frame.bytes(from: shown, for: terminal)
        shown = frame
        guard !bytes.isEmpty else { return }
        isWriting = true
        writing.async {
            try? FileHandle.standardOutput.write(contentsOf: Data(bytes))
            sink.yield(.written)
        }
    }

    /// Waits for the last frame, unless the terminal takes nothing.
    private func endWriting() {
        let end = DispatchSemaphore(value: 0)
        writing.async { end.signal() }
        _ = end.wait(timeout: .now() + .seconds(1))
    }

    /// Has the system open an address, of the kinds that ``ShownText`` allows.
    ///
    /// - Parameter failed: Is told why it cannot, if so.
    private static func open(_ link: String, failed: @escaping @Sendable (String) -> Void) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdg-open", link]
        // The keys are the reader's.
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

/// Where the reader was, over restarts.
extension TerminalReader {
    private typealias Places = [String: [String: RestorableState]]

    private static func read(_ url: URL?) -> Places {
        guard let url, let data = try? Data(contentsOf: url) else { return [:] }
        return (try? JSONDecoder().decode(Places.self, from: data)) ?? [:]
    }

    private func write() {
        guard let places else { return }
        var known = TerminalReader.read(places)
        known[service.baseURL.absoluteString, default: [:]].merge(reader.places) { $1 }
        let folder = places.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? JSONEncoder().encode(known).write(to: places, options: .atomic)
    }
}
