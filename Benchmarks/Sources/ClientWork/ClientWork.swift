import CHeap
import FeedClient
import FeedModel
import Foundation
import Glibc

/// A table's data source, which shows its updates.
@MainActor
final class TableOfRows {
    private(set) var token = 0
    private var snapshot = Snapshot()

    func show(_ update: TableUpdate) {
        snapshot = update.snapshot
        token += 1
    }
}

/// Measures the cost of the client library in an app: time of the main thread, memory, and the time
/// until the first content.
///
/// All is measured in one run, as ratios, so that the machine matters little. A server in memory
/// answers.
@main
@MainActor
struct ClientWork {
    struct Story: Codable, Sendable {
        var id: String
        var title: String
        var summary: String
        var read: Int
    }

    enum Failure: Error { case noFeed }

    static func main() async throws {
        let large = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
        // This comes first, while no freed memory can be reused.
        let memory = try await memory(itemCount: large)
        say("memory of \(large) items: \(ratio(memory)) times their JSON, to be at most 3")
        let work = try await mainThreadWork(itemCounts: [1_000, large])
        say("main thread, 10 changes at 1000 items: \(milliseconds(work[0])) ms")
        say("main thread, 10 changes at \(large) items: \(milliseconds(work[1])) ms")
        say("  ratio \(ratio(work[1] / work[0])), to be at most 1.5")
        let fewRows = try await tableWork(itemCount: 1_000)
        let manyRows = try await tableWork(itemCount: large)
        say("the same with a table, at 1000 items: \(milliseconds(fewRows.main)) ms")
        say("  at \(large) items: \(milliseconds(manyRows.main)) ms")
        say("  ratio \(ratio(manyRows.main / fewRows.main)), to be at most 1.5")
        let (less, more) = (milliseconds(fewRows.others), milliseconds(manyRows.others))
        say("  other threads, with the server: \(less) ms and \(more) ms")
        for itemCount in [10, 200, 1_000, large] {
            let first = try await firstContent(itemCount: itemCount)
            let content = milliseconds(first.content)
            say("first content of \(itemCount) items with a cache: \(content) ms")
            let read = "reading the file \(milliseconds(first.reading)) ms"
            say("  \(read), ratio \(ratio(first.content / first.reading)), to be at most 2")
            say("  all \(itemCount) rows after \(milliseconds(first.all)) ms")
        }
    }

    /// Prints a line at once, whatever the output is.
    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    private static func stories(_ count: Int) -> [Story] {
        (0..<count).map { number in
            Story(
                id: "story-\(number)",
                title: "The title of the story \(number)",
                summary: "Some words about it, about as many as there are in a feed of news.",
                read: 0
            )
        }
    }

    private static func name() throws -> FeedName {
        guard let name = FeedName("news") else { throw Failure.noFeed }
        return name
    }

    /// The processor time of this thread, in seconds.
    private static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Returns the median times of the main thread for ten changes at once, with showing the first
    /// rows.
    ///
    /// The feeds take turns, so that other work of the machine costs each the same. The changes are
    /// edits: while a server reads a long list, the main thread falls asleep, and the cost of
    /// waking it would be counted.
    private static func mainThreadWork(itemCounts: [Int]) async throws -> [Double] {
        let name = try name()
        var sides: [(service: FeedService, feed: LiveFeed<Story>)] = []
        for itemCount in itemCounts {
            let server = InMemoryServer()
            try server.replace(name, withItems: stories(itemCount))
            let service = server.service()
            let feed = LiveFeed(name, of: service, as: Story.self)
            await feed.refresh()
            sides.append((service, feed))
        }
        var times: [[Double]] = itemCounts.map { _ in [] }
        for round in 0..<201 {
            for (side, (service, feed)) in sides.enumerated() {
                let start = (round % 5) * 100
                try await service.edit(name) { edits in
                    for row in start..<start + 10 {
                        try edits.set(["read": round + 1], ofItem: "story-\(row)")
                    }
                }
                let before = threadTime()
                await feed.refresh()
                for section in feed.sections.prefix(1) {
                    for row in section.rows.prefix(20) { _ = row.item }
                }
                times[side].append(threadTime() - before)
            }
        }
        return times.map(median)
    }

    /// Returns the median times for one edit of ten rows, if a table reads the feed's updates: of
    /// the main thread, and of all others.
    private static func tableWork(itemCount: Int) async throws -> (main: Double, others: Double) {
        let server = InMemoryServer()
        let name = try name()
        try server.replace(name, withItems: stories(itemCount))
        let service = server.service()
        let feed = LiveFeed(name, of: service, as: Story.self)
        await feed.refresh()
        let table = TableOfRows()
        let showing = Task { for await update in feed.feed.tableUpdates() { table.show(update) } }
        defer { showing.cancel() }
        while table.token == 0 { await Task.yield() }
        var (mains, others): ([Double], [Double]) = ([], [])
        for round in 0..<21 {
            let (token, all) = (table.token, processTime())
            try await edit(name, of: service, round: round, itemCount: itemCount)
            let main = threadTime()
            await feed.refresh()
            while table.token == token { try await Task.sleep(for: .milliseconds(2)) }
            try await Task.sleep(for: .milliseconds(100))
            mains.append(threadTime() - main)
            others.append(processTime() - all - mains[round])
        }
        return (median(mains), median(others))
    }

    /// Sends an edit: four rows change, three are inserted and three move.
    private nonisolated static func edit(
        _ name: FeedName,
        of service: FeedService,
        round: Int,
        itemCount: Int
    ) async throws {
        try await service.edit(name) { edits in
            for row in 0..<4 {
                let id = "story-\((round * 37 + row * 211) % itemCount)"
                try edits.set(["read": round + 2], ofItem: id)
            }
            for row in 0..<3 {
                let story = Story(id: "new-\(round)-\(row)", title: "x", summary: "y", read: 0)
                let place = itemCount / 2 + (round * 17 + row * 99) % (itemCount / 2)
                try edits.insert(story, at: .before("story-\(place)"))
                try edits.move("story-\((round * 13 + row * 301 + 5) % (itemCount / 2))", at: .end)
            }
        }
    }

    /// The processor time of all threads, in seconds.
    private static func processTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Returns the memory of a feed as a ratio to its JSON.
    private static func memory(itemCount: Int) async throws -> Double {
        let server = InMemoryServer()
        let name = try name()
        try server.replace(name, withItems: stories(itemCount))
        let json = try JSONEncoder().encode(["items": stories(itemCount)]).count
        let feed = LiveFeed(name, of: server.service(), as: Story.self)
        let before = residentByteCount()
        await feed.refresh()
        let after = residentByteCount()
        guard feed.sections.first?.rows.count == itemCount else { throw Failure.noFeed }
        return Double(after - before) / Double(json)
    }

    private static func residentByteCount() -> Int {
        malloc_trim(0)
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = fields.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(CInt(_SC_PAGESIZE)))
    }

    /// Returns the median times until a new object shows the first rows from the cache, until it
    /// shows all of them, and of reading the cache's file.
    private static func firstContent(
        itemCount: Int
    ) async throws -> (content: Double, all: Double, reading: Double) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = InMemoryServer()
        let name = try name()
        try server.replace(name, withItems: stories(itemCount))
        let service = server.service(cache: FeedCache(directory: folder))
        await LiveFeed(name, of: service, as: Story.self).refresh()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard let file = names.first(where: { !$0.hasSuffix(".first.feed") }) else {
            throw Failure.noFeed
        }
        let path = folder.appendingPathComponent(file)
        let clock = ContinuousClock()
        var contents: [Double] = []
        var alls: [Double] = []
        var readings: [Double] = []
        for _ in 0..<(itemCount < 10_000 ? 501 : 21) {
            // Memory that the last round freed is given back by then.
            if itemCount >= 10_000 { try await Task.sleep(for: .milliseconds(400)) }
            let reading = try clock.measure { _ = try Data(contentsOf: path).count }
            readings.append(reading / .seconds(1))
            let start = clock.now
            let feed = LiveFeed(name, of: service, as: Story.self)
            while feed.isNeverLoaded { await Task.yield() }
            _ = feed.sections.first?.rows.first?.item
            contents.append((clock.now - start) / .seconds(1))
            while feed.rowCount < itemCount { await Task.yield() }
            alls.append((clock.now - start) / .seconds(1))
        }
        return (median(contents), median(alls), median(readings))
    }

    private static func median(_ numbers: [Double]) -> Double {
        numbers.sorted()[numbers.count / 2]
    }

    private static func milliseconds(_ seconds: Double) -> String {
        (seconds * 1_000).formatted(.number.precision(.fractionLength(3)))
    }

    private static func ratio(_ number: Double) -> String {
        number.formatted(.number.precision(.fractionLength(2)))
    }
}
