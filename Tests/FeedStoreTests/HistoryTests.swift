import FeedModel
import TestSupport
import Testing

@testable import FeedStore

@Suite struct Remembering {
    /// Publishes at the same pace, versions of the same weight.
    struct Run: Sendable {
        var count: Int
        var gap: Duration
        var weight: Int
        /// How many are remembered at the last publish.
        var kept: Int
        /// How many are 61 s later, when nothing was published since.
        var keptLater: Int
    }

    @Test(arguments: [
        // The last 8 whatever they weigh.
        Run(count: 5, gap: .seconds(1000), weight: 1 << 30, kept: 5, keptLater: 5),
        Run(count: 20, gap: .seconds(1000), weight: 1 << 30, kept: 8, keptLater: 8),
        // Those that were current in the last 60 s, whatever they weigh and however many.
        Run(count: 100, gap: .seconds(2), weight: 16 << 20, kept: 32, keptLater: 8),
        Run(count: 100, gap: .seconds(61), weight: 1 << 30, kept: 8, keptLater: 8),
        Run(count: 1500, gap: .milliseconds(10), weight: 1 << 20, kept: 1500, keptLater: 17),
        Run(count: 1500, gap: .milliseconds(10), weight: 1, kept: 1500, keptLater: 1000),
        // What fits 16 MiB.
        Run(count: 100, gap: .seconds(1000), weight: 1 << 20, kept: 17, keptLater: 17),
        Run(count: 100, gap: .seconds(1000), weight: (1 << 20) + 1, kept: 16, keptLater: 16),
        Run(count: 100, gap: .seconds(5), weight: 1 << 20, kept: 17, keptLater: 17),
        Run(count: 100, gap: .seconds(2), weight: 1 << 20, kept: 32, keptLater: 17),
        // At most 1,000.
        Run(count: 1200, gap: .seconds(1000), weight: 0, kept: 1000, keptLater: 1000),
        Run(count: 1000, gap: .seconds(1000), weight: 16 << 10, kept: 1000, keptLater: 1000),
    ])
    func keeps(_ run: Run) throws {
        var history = History(try version(1), limits: HistoryLimits())
        var forgotten = 0
        var now = Duration.zero
        for number in 2...run.count {
            now += run.gap
            forgotten += history.advance(to: try version(number), weight: run.weight, at: now).count
        }
        #expect(remembered(by: history, of: run.count, at: now) == run.kept)
        #expect(forgotten == run.count - run.kept)
        #expect(history.weight == run.weight * (run.kept - 1))
        now += .seconds(61)
        #expect(remembered(by: history, of: run.count, at: now) == run.keptLater)
    }

    @Test func aVersionIsKeptForAMinuteAfterItWasCurrent() throws {
        var history = History(try version(1), limits: HistoryLimits())
        for number in 2...20 {
            let now = Duration.seconds(1000 + number)
            _ = history.advance(to: try version(number), weight: 1 << 30, at: now)
        }
        // Version 1 was current until 1,002 s.
        #expect(history.version(1, at: .seconds(1062)) != nil)
        #expect(history.version(1, at: .seconds(1063)) == nil)
        #expect(history.version(2, at: .seconds(1063)) != nil)
    }

    @Test func onlyWhatIsOlderThanTheLastEightIsToSpare() throws {
        var history = History(try version(1), limits: HistoryLimits())
        for number in 2...8 {
            _ = history.advance(to: try version(number), weight: 1, at: .seconds(number))
            #expect(history.oldest(.spare) == nil)
        }
        _ = history.advance(to: try version(9), weight: 1, at: .seconds(9))
        #expect(history.oldest(.spare) == .seconds(2))
        #expect(history.forgetOldest()?.token.version == 1)
        #expect(history.oldest(.spare) == nil)
        #expect(history.weight == 7)
    }

    @Test func aForgottenVersionIsMissingAmongTheOthers() throws {
        var history = History(try version(1), limits: HistoryLimits())
        for number in 2...6 { _ = history.advance(to: try version(number), weight: 1, at: .zero) }
        #expect(history.forget(3)?.token.version == 3)
        #expect(history.forget(3) == nil)
        #expect(history.forget(6) == nil)
        #expect(numbers(history.versions(before: nil, limit: 9, at: .zero)) == [6, 5, 4, 2, 1])
        #expect(numbers(history.versions(before: 5, limit: 2, at: .zero)) == [4, 2])
        #expect(history.versions(before: 3, limit: 9, at: .zero) == nil)
        #expect(history.version(after: 2).token.version == 4)
        #expect(history.version(after: 6).token.version == 6)
        // Its weight counts until all older versions are forgotten.
        #expect(history.weight == 5)
        #expect(history.forgetOldest()?.token.version == 1)
        #expect(history.forget(2)?.token.version == 2)
        #expect(history.weight == 2)
    }

    /// A reader who was told that a version is unknown is told so again.
    @Test func forgettingAVersionBringsNoOlderOneBack() throws {
        var history = History(try version(1), limits: HistoryLimits())
        for number in 2...10 {
            _ = history.advance(to: try version(number), weight: 1 << 30, at: .zero)
        }
        let now = Duration.seconds(61)
        #expect(history.version(2, at: now) == nil)
        #expect(history.version(3, at: now) != nil)
        #expect(history.forget(5) != nil)
        #expect(history.version(2, at: now) == nil)
        #expect(history.versions(before: 2, limit: 1, at: now) == nil)
        #expect(numbers(history.versions(before: 4, limit: 9, at: now)) == [3])
        #expect(history.oldest(.spare) == .zero)
        let forgotten = history.advance(to: try version(11), weight: 1 << 30, at: now)
        #expect(numbers(forgotten) == [1, 2, 3])
    }

    private func numbers(_ versions: [Version]?) -> [Int]? { versions?.map(\.token.version) }

    @Test func unknownNumbersAreNotThere() throws {
        var history = History(try version(1), limits: HistoryLimits())
        _ = history.advance(to: try version(2), weight: 1, at: .zero)
        for number in [-1, 0, 3, .max] { #expect(history.version(number, at: .zero) == nil) }
    }

    @Test func timeThatGoesBackDoesNoHarm() throws {
        var history = History(try version(1), limits: HistoryLimits())
        for number in 2...100 {
            let now = Duration.seconds(number.isMultiple(of: 2) ? 1000 : 500)
            #expect(history.advance(to: try version(number), weight: 1 << 30, at: now).isEmpty)
        }
        #expect(history.advance(to: try version(101), weight: 0, at: .seconds(2000)).count == 93)
    }

    private func version(_ number: Int) throws -> Version {
        let token = Token(epoch: "aaaaaaaa", version: number)
        return Version(
            VersionContent(token: token, snapshot: Snapshot(), published: 0),
            of: news
        )
    }

    private func remembered(by history: History, of count: Int, at now: Duration) -> Int {
        let kept = (1...count).filter { history.version($0, at: now)?.token.version == $0 }
        // Without a gap, up to the current one.
        #expect(kept == Array((kept.first ?? 0)...count))
        return kept.count
    }
}
