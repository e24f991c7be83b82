import FeedModel
import HTTPTypes
import TestSupport
import Testing

@testable import FeedSources

/// Sources of one host that allows few requests are all read in turn.
@Suite struct SharedHosts {
    /// How a host limits requests, and what it says of that.
    enum Limit: CaseIterable {
        /// So many in a fixed time; it says how long that still is.
        case oneAMinute, tenInTenMinutes
        /// Tokens that come back with time.
        case burstOfFive
        /// It refuses without saying for how long.
        case silent
        /// It says in each response how much is left, so that nothing has to be refused.
        case announced

        var count: Int { self == .tenInTenMinutes ? 10 : self == .burstOfFive ? 5 : 1 }
        var seconds: Int { self == .tenInTenMinutes ? 600 : 60 }
    }

    /// A host with a limit.
    private struct Host {
        let limit: Limit
        var windowStart = 0
        var used = 0
        var tokens = 5.0
        var last = 0
        var refusalCount = 0

        /// What it answers: for how long to pause, or how long to rest.
        mutating func answer(now: Int) -> (retryAfter: Int?, isRefused: Bool, fields: HTTPFields) {
            if limit == .burstOfFive {
                tokens = min(5, tokens + Double(now - last) / 60)
                last = now
                if tokens >= 1 {
                    tokens -= 1
                    return (nil, false, [:])
                }
                refusalCount += 1
                return (Int((1 - tokens) * 60) + 1, true, [:])
            }
            if now - windowStart >= limit.seconds { (windowStart, used) = (now, 0) }
            let rest = windowStart + limit.seconds - now
            var fields: HTTPFields = [:]
            if used < limit.count {
                used += 1
                if limit == .announced, let name = HTTPField.Name("RateLimit") {
                    fields[name] = "\"default\";r=\(limit.count - used);t=\(rest)"
                }
                return (nil, false, fields)
            }
            refusalCount += 1
            return (limit == .silent ? nil : rest, true, fields)
        }
    }

    private func table(_ count: Int, every: Int, now: Int) throws -> SourceTable {
        var table = SourceTable(known: [:])
        let sources = try (0..<count).map { number in
            var source = SourceSettings(
                feed: try #require(FeedName("f\(number)")),
                location: .web("https://h.example/\(number)")
            )
            source.every = .seconds(every)
            return source
        }
        table.take(sources, now: now) { 0.5 }
        return table
    }

    /// Twenty sources in an hour, although each wants to be read four times in it.
    @Test(arguments: Limit.allCases)
    func areReadInTurn(_ limit: Limit) throws {
        let start = 1_700_000_000
        var table = try table(20, every: 900, now: start)
        var host = Host(limit: limit)
        var reads = [String: Int]()
        var requestCount = 0
        for now in start...(start + 3600) {
            for known in table.due(now: now) {
                var (attempt, state) = (known, known.state)
                requestCount += 1
                let (retryAfter, isRefused, fields) = host.answer(now: now)
                attempt.rest = RequestAllowance.rest(fields, now: now) ?? 0
                var outcome = SourceService.Outcome.success(nil)
                if isRefused {
                    let seconds = retryAfter ?? SourceSchedule.refusalPause
                    state.pausedUntil = now + seconds
                    outcome = .failure(.paused(429, seconds: seconds))
                } else {
                    reads[attempt.settings.feed.rawValue, default: 0] += 1
                }
                _ = table.end(attempt, state, outcome, now: now, random: 0.5)
            }
        }
        #expect(reads.count == 20)
        let counts = reads.values.sorted()
        #expect((counts.last ?? 0) - (counts.first ?? 0) <= 1, "\(reads)")
        #expect(requestCount >= 50)
        // After each pause that it has asked for, the host answers.
        #expect(host.refusalCount <= (limit == .announced ? 0 : counts.reduce(0, +)))
    }

    /// A host that goes on refusing is asked less and less often, whichever source asks.
    @Test func pauseTwiceAsLongWhenTheirHostRefusesAgain() throws {
        let start = 1_700_000_000
        var table = try table(5, every: 900, now: start)
        var pauses: [Int] = []
        for now in start...(start + 900) {
            for attempt in table.due(now: now) {
                var state = attempt.state
                state.pausedUntil = now + 60
                let outcome = SourceService.Outcome.failure(.paused(429, seconds: 60))
                _ = table.end(attempt, state, outcome, now: now, random: 0.5)
                pauses.append(table.hosts.pause(of: "h.example") - now)
            }
        }
        #expect(pauses == [60, 120, 240, 480])
    }

    /// A source that is refused whenever it is asked does not keep the others away.
    @Test func areReadBesideOneThatIsAlwaysRefused() throws {
        let start = 1_700_000_000
        var table = try table(5, every: 900, now: start)
        var reads = Set<String>()
        for now in start...(start + 3600) {
            for attempt in table.due(now: now) {
                var state = attempt.state
                let name = attempt.settings.feed.rawValue
                if name == "f0" { state.pausedUntil = now + 300 } else { reads.insert(name) }
                let outcome: SourceService.Outcome =
                    name == "f0" ? .failure(.paused(429, seconds: 300)) : .success(nil)
                _ = table.end(attempt, state, outcome, now: now, random: 0.5)
            }
        }
        #expect(reads == ["f1", "f2", "f3", "f4"])
    }

    /// A source that redirects to another host each time leaves few of them in memory.
    @Test func areForgottenAfterAWhile() throws {
        var hosts = HostQueue()
        for number in 0..<20_000 {
            hosts.answered("h\(number).example", rest: 0, now: 60 * number)
        }
        let known = Mirror(reflecting: hosts).descendant("allowances") as? any Collection
        #expect(try #require(known).count < 500)
    }

    /// The pause of the host holds after a restart, for all its sources.
    @Test func keepTheirHostsPauseOverARestart() throws {
        let now = 1_700_000_000
        var table = try table(3, every: 900, now: now)
        let first = try #require(table.due(now: now + 60).first)
        _ = table.end(first, first.state, .success(nil), now: now + 60, random: 0.5)
        let attempt = try #require(table.due(now: now + 60).first)
        var state = attempt.state
        state.pausedUntil = now + 660
        let outcome = SourceService.Outcome.failure(.paused(429, seconds: 600))
        _ = table.end(attempt, state, outcome, now: now + 60, random: 0.5)
        var after = SourceTable(known: table.states)
        after.take(table.entries.values.map(\.settings), now: now + 100) { 0 }
        #expect([200, 660].allSatisfy { after.due(now: now + $0).isEmpty })
        #expect(after.due(now: now + 661).map(\.settings.feed) == [attempt.settings.feed])
    }

    /// Sources that are redirected to a host with a limit wait in the order in which they were due.
    @Test func areReadInTurnWhereTheyAreRedirectedTo() throws {
        let start = 1_700_000_000
        var table = SourceTable(known: [:])
        let sources = try (0..<8).map { number in
            var source = SourceSettings(
                feed: try #require(FeedName("f\(number)")),
                location: .web("https://h\(number).example/")
            )
            source.every = .seconds(300)
            return source
        }
        table.take(sources, now: start) { 0.5 }
        var host = Host(limit: .oneAMinute)
        var reads = [String: Int]()
        for now in start...(start + 3600) {
            for known in table.due(now: now) {
                var (attempt, state) = (known, known.state)
                let isThere = table.move(&attempt, to: "final.example") {}
                #expect(isThere)
                let pause = table.hosts.pause(of: attempt.host)
                var seconds = pause > now ? pause - now : nil
                if seconds == nil, case let answer = host.answer(now: now), answer.isRefused {
                    seconds = answer.retryAfter
                }
                var outcome = SourceService.Outcome.success(nil)
                if let seconds {
                    state.pausedUntil = now + seconds
                    outcome = .failure(.paused(429, seconds: seconds))
                } else {
                    reads[attempt.settings.feed.rawValue, default: 0] += 1
                }
                _ = table.end(attempt, state, outcome, now: now, random: 0.5)
            }
        }
        #expect(reads.count == 8)
        #expect((reads.values.min() ?? 0) >= 5, "\(reads)")
    }

    private static let fields: [([(String, String)], Int?)] = [
        ([("RateLimit", "\"default\";r=0;t=30")], 30), ([("RateLimit", "\"a\";r=2;t=30")], 10),
        ([("RateLimit", "\"a\";r=50;t=30, \"b\";r=0;t=7")], 7),
        ([("RateLimit", "limit=10, remaining=0, reset=12")], 12),
        ([("RateLimit-Remaining", "0"), ("RateLimit-Reset", "40")], 40),
        ([("X-RateLimit-Remaining", "0.0"), ("X-Ratelimit-Reset", "55")], 55),
        ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1700000090")], 90),
        ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1700000090000")], 90),
        ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1600000000")], nil),
        ([("X-RateLimit-Remaining", "-1"), ("X-RateLimit-Reset", "5")], nil),
        ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "999999999")], 86_400),
        ([("RateLimit", "\"a\";r=+0;t=30")], nil), ([("RateLimit", "\"a\";r=0;t=+30")], nil),
        ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "+5")], nil),
        ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "0x10")], nil),
        ([("RateLimit", "\"a\";r=9223372036854775807;t=30")], nil),
        ([("RateLimit", "\"default\";r=;t=x")], nil), ([("X-RateLimit-Remaining", "0")], nil),
        ([], nil),
    ]

    @Test(arguments: fields)
    func aHostSaysWhenItWantsTheNextRequest(_ pairs: [(String, String)], _ rest: Int?) throws {
        var fields = HTTPFields()
        for (name, value) in pairs { fields[try #require(HTTPField.Name(name))] = value }
        #expect(RequestAllowance.rest(fields, now: 1_700_000_000) == rest)
    }
}
