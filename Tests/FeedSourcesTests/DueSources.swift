import FeedModel
import Synchronization
import TestSupport
import Testing

@testable import FeedSources

/// Nothing that is due waits for anything but its host.
@Suite struct DueSources {
    /// Whatever happens, what was not begun is not due, or its host is busy or has asked for a
    /// pause.
    @Test(arguments: 0..<12 as Range<UInt64>)
    func areBegunAtOnce(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let sources = try (0..<30).map { number in
            let address = "https://h\(number % 7).example/\(number)"
            var source = SourceSettings(
                feed: try #require(FeedName("f\(number)")),
                location: .web(address)
            )
            source.every = .seconds(number % 5 + 1)
            return source
        }
        var table = SourceTable(known: [:])
        var now = 1_700_000_000
        table.take(sources, now: now) { .random(in: 0..<1, using: &random) }
        var running: [SourceTable.Attempt] = []
        var waiting: [SourceTable.Attempt] = []
        let arrived = Mutex<Set<Int>>([])
        for _ in 0..<400 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: now += Int.random(in: 1...3, using: &random)
            case 1:
                let number = Int.random(in: 0..<30, using: &random)
                let feed = try #require(FeedName("f\(number)"))
                if case .begin(let attempt) = table.refresh(feed, now: now, { _ in }) {
                    running.append(attempt)
                }
            case 2:
                let some = sources.filter { _ in Int.random(in: 0..<5, using: &random) > 0 }
                table.take(some, now: now) { 0 }
            case 3: table.isFetching.toggle()
            case 4 where !running.isEmpty:
                let place = Int.random(in: 0..<running.count, using: &random)
                let host = "h\(Int.random(in: 0..<7, using: &random)).example"
                var attempt = running.remove(at: place)
                let isThere = table.move(&attempt, to: host) { [number = attempt.number] in
                    arrived.withLock { _ = $0.insert(number) }
                }
                if isThere { running.append(attempt) } else { waiting.append(attempt) }
            default:
                guard !running.isEmpty else { break }
                let place = Int.random(in: 0..<running.count, using: &random)
                end(running.remove(at: place), &table, now: now, &random)
            }
            let numbers = arrived.withLock { numbers in
                defer { numbers = [] }
                return numbers
            }
            running += waiting.filter { numbers.contains($0.number) }
            waiting.removeAll { numbers.contains($0.number) }
            running += table.due(now: now)
            #expect(Set(running.map(\.host)).count == running.count)
            let late = table.entries.values.filter { entry in
                !entry.isRunning && (table.isFetching || !entry.waiting.isEmpty)
                    && (entry.next ?? .max) <= now
                    && table.pause(of: entry) < now
                    && (entry.finalHost.map(table.hosts.allowed) ?? 0) <= now
                    && (table.hosts.earliest(entry.host).map { $0 <= now } ?? false)
            }
            #expect(late.isEmpty)
        }
    }

    private func end(
        _ attempt: SourceTable.Attempt,
        _ table: inout SourceTable,
        now: Int,
        _ random: inout SeededGenerator
    ) {
        var state = attempt.state
        var outcome = SourceService.Outcome.success(nil)
        if Int.random(in: 0..<4, using: &random) == 0 {
            state.pausedUntil = now + 2
            outcome = .failure(.paused(429, seconds: 2))
        }
        _ = table.end(attempt, state, outcome, now: now, random: 0)
    }

    /// What is known of a source after a fetch that was answered by a pause.
    private func paused(_ seconds: Int, now: Int) -> SourceState {
        var state = SourceState(address: "https://h.example/")
        state.pausedUntil = now + seconds
        return state
    }

    private func table(known: [String: SourceState] = [:], now: Int) throws -> SourceTable {
        var source = SourceSettings(
            feed: try #require(FeedName("f")),
            location: .web("https://h.example/")
        )
        source.every = .seconds(3600)
        var table = SourceTable(known: known)
        table.take([source], now: now) { 0 }
        return table
    }

    @Test(arguments: [7200, 30_000_000])
    func areSoWhenTheirTimeHasPassedThoughTheClockWasPutBack(_ difference: Int) throws {
        var now = 1_700_000_000
        var table = try table(now: now)
        let attempt = try #require(table.due(now: now).first)
        _ = table.end(attempt, attempt.state, .success(nil), now: now, random: 0.5)
        var isKept = table.beginWrite(now: now)
        #expect(isKept)
        now += 100 - difference
        var counts = [table.due(now: now).count]
        table.needsWrite = true
        isKept = table.beginWrite(now: now)
        #expect(isKept)
        counts += [3400, 3650].map { table.due(now: now + $0).count }
        #expect(counts == [0, 0, 1])
    }

    @Test(arguments: [7200, 30_000_000])
    func areSoWhenTheClockWasPutBackWhileNobodyServed(_ difference: Int) throws {
        var now = 1_700_000_000
        var table = try table(now: now)
        let attempt = try #require(table.due(now: now).first)
        _ = table.end(attempt, attempt.state, .success(nil), now: now, random: 0.5)
        let states = table.states
        now -= difference
        table = try self.table(known: states, now: now)
        let counts = [3500, 3700].map { table.due(now: now + $0).count }
        #expect(counts == [0, 1])
    }

    @Test func keepThePauseOfTheirHostWhenTheClockIsPutBack() throws {
        var now = 1_700_000_000
        var table = try table(now: now)
        let attempt = try #require(table.due(now: now).first)
        let failure = SourceService.Outcome.failure(.paused(503, seconds: 9000))
        _ = table.end(attempt, paused(9000, now: now), failure, now: now, random: 0.5)
        now -= 30_000_000
        let counts = [0, 8900, 9100].map { table.due(now: now + $0).count }
        #expect(counts == [0, 0, 1])
    }
}
