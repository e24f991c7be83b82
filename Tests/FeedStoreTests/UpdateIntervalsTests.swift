import Testing

@testable import FeedStore

/// What update intervals say, and what becomes of a client that believes it.
@Suite struct UpdateIntervalsTests {
    @Test(arguments: [
        (["60"], "0", "60"), (["60"], "15", "45"), (["60"], "60", "6"), ([], "50", "5"),
        ([], "0", "0"), (["10", "20", "30"], "0", "20"), (["10", "20", "30"], "12", "8"),
        (["10", "20", "30"], "25", "5"), (["10", "20", "30"], "40", "4"),
        (["10", "20", "30", "40"], "0", "20"), (["0"], "0", "0"), (["0.001", "0.001"], "0", "0"),
    ])
    func saysWhatIsLeftOfTheLongerIntervals(
        _ intervals: [String],
        _ silence: String,
        _ expected: String
    ) throws {
        let updates = UpdateIntervals()
        for interval in intervals { updates.add(try seconds(interval)) }
        let remainder = updates.remainder(after: try seconds(silence))
        let difference = remainder - (try seconds(expected))
        #expect(abs(difference / .seconds(1)) < 0.002)
    }

    @Test(arguments: [0, 1, 31, 32, 33, 100])
    func knowsTheLast32(_ count: Int) {
        let updates = UpdateIntervals()
        for _ in 0..<50 { updates.add(.seconds(1000)) }
        for _ in 0..<count { updates.add(.seconds(10)) }
        let remainder = updates.remainder(after: .zero)
        #expect(abs(remainder / .seconds(1) - (count >= 16 ? 10 : 1000)) < 0.001)
    }

    @Test func isMonotonousFarBeyondAnyRhythm() {
        let updates = UpdateIntervals()
        updates.add(.seconds(100 * 365 * 86_400))
        var last = Duration.seconds(Int64.max >> 8)
        for power in 0..<40 {
            let remainder = updates.remainder(after: .seconds(1 << power))
            guard remainder > .seconds(1 << power) / 8 else { return }
            #expect(remainder <= last)
            last = remainder
        }
        #expect(updates.remainder(after: .seconds(-5)) >= .zero)
    }

    private func seconds(_ text: String) throws -> Duration {
        .seconds(try #require(Double(text)))
    }
}
