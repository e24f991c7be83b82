import Testing

@testable import FeedClient

/// By which requests feeds are followed, without a network.
@Suite struct FollowPlans {
    private typealias Step = FollowPlan.Step

    @Test func streamsAreOpenedAgainAfterTheirEnd() {
        var plan = FollowPlan(FollowTiming())
        let step = plan.step(after: .ended(retry: .seconds(2)), now: .zero, random: 0.5)
        #expect(step == Step(request: .stream, delay: .seconds(1.5)))
        let silent = plan.step(after: .ended(retry: nil), now: .zero, random: 0)
        #expect(silent == Step(request: .stream, delay: .seconds(2)))
    }

    @Test func failuresAreWaitedForLongerAndLongerUpToAMinute() {
        var plan = FollowPlan(FollowTiming())
        let delays = (0..<9).map { _ in
            plan.step(after: .failed(retryAfter: nil), now: .zero, random: 1).delay
        }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
        #expect(plan.step(after: .failed(retryAfter: nil), now: .zero, random: 0).delay == .zero)
        _ = plan.step(after: .ended(retry: nil), now: .zero, random: 0)
        let first = plan.step(after: .failed(retryAfter: .seconds(7)), now: .zero, random: 1)
        #expect(first == Step(request: .stream, delay: .seconds(8.75)))
        // It is waited for, however often it was said.
        for _ in 0..<9 {
            let next = plan.step(after: .failed(retryAfter: .seconds(4)), now: .zero, random: 1)
            #expect(next == Step(request: .stream, delay: .seconds(5)))
        }
    }

    /// Nobody asks a server without a rest, whatever that says.
    @Test func timesOfNothingAreNotTaken() {
        var plan = FollowPlan(FollowTiming())
        let delays = (0..<4).map { _ in
            plan.step(after: .failed(retryAfter: .zero), now: .zero, random: 1).delay
        }
        #expect(delays == [1, 2, 4, 8].map { .seconds($0) })
        let reopened = plan.step(after: .ended(retry: .zero), now: .zero, random: 0)
        #expect(reopened == Step(request: .stream, delay: .seconds(0.5)))
        _ = plan.step(after: .noStream, now: .zero, random: 0)
        for _ in 0..<2 {
            let next = plan.step(after: .notHeld(refreshAfter: .zero), now: .zero, random: 0)
            #expect(next.delay == .seconds(1))
        }
        let polls = plan.step(after: .answered(refreshAfter: .zero), now: .zero, random: 0)
        #expect(polls == Step(request: .poll, delay: .seconds(1)))
    }

    @Test(arguments: [FollowPlan.Outcome.ended(retry: nil), .noStream])
    func whereAViewHasGrownTheSameWayIsTakenAtOnce(_ last: FollowPlan.Outcome) {
        var plan = FollowPlan(FollowTiming())
        let request = plan.step(after: last, now: .zero, random: 0).request
        let next = plan.step(after: .viewChanged, now: .seconds(1), random: 1)
        #expect(next == Step(request: request, delay: .zero))
        var conditions = NetworkConditions()
        conditions.isConstrained = true
        let polls = plan.step(
            after: .viewChanged,
            conditions: conditions,
            now: .seconds(1),
            random: 1
        )
        #expect(polls == Step(request: .poll, delay: .zero))
        conditions.isSuspended = true
        let rests = plan.step(
            after: .viewChanged,
            conditions: conditions,
            now: .seconds(1),
            random: 1
        )
        #expect(rests == Step(request: .pause, delay: .zero))
    }

    /// So that nobody sees a failure for as long as the first request that works is held.
    @Test func afterAFailureTheFirstRequestDoesNotWait() {
        var plan = FollowPlan(FollowTiming())
        _ = plan.step(after: .noStream, now: .seconds(1), random: 0)
        let failed = plan.step(after: .failed(retryAfter: nil), now: .seconds(2), random: 1)
        #expect(failed == Step(request: .poll, delay: .seconds(1)))
        let works = plan.step(after: .answered(refreshAfter: .seconds(9)), now: .zero, random: 0)
        #expect(works == Step(request: .longPoll, delay: .zero))
    }

    @Test func whereNoStreamGetsThroughRequestsWait() {
        var plan = FollowPlan(FollowTiming())
        let waits = plan.step(after: .noStream, now: .seconds(1), random: 0)
        #expect(waits == Step(request: .longPoll, delay: .zero))
        let again = plan.step(after: .answered(refreshAfter: nil), now: .seconds(50), random: 0)
        #expect(again == Step(request: .longPoll, delay: .zero))
        // And after a while a stream is tried again.
        let later = plan.step(after: .answered(refreshAfter: nil), now: .seconds(302), random: 0)
        #expect(later.request == .stream)
    }

    @Test(arguments: [
        FollowPlan.Outcome.cutOff, .notHeld(refreshAfter: .seconds(8)),
    ])
    func whereNoRequestCanWaitItIsPolled(_ outcome: FollowPlan.Outcome) {
        var plan = FollowPlan(FollowTiming())
        _ = plan.step(after: .noStream, now: .zero, random: 0)
        #expect(plan.step(after: outcome, now: .zero, random: 0).request == .longPoll)
        #expect(plan.step(after: outcome, now: .zero, random: 0).request == .poll)
        let poll = plan.step(after: .answered(refreshAfter: .seconds(8)), now: .zero, random: 1)
        #expect(poll == Step(request: .poll, delay: .seconds(10)))
        let later = plan.step(after: .answered(refreshAfter: nil), now: .seconds(300), random: 0)
        #expect(later == Step(request: .stream, delay: .seconds(30)))
    }

    @Test func whatNeverFitsIsNotAskedForWithoutARest() {
        var plan = FollowPlan(FollowTiming())
        let delays = (0..<4).map { _ in
            plan.step(after: .mismatched, now: .zero, random: 1).delay
        }
        #expect(delays == [1, 2, 4, 8].map { .seconds($0) })
    }
}

extension FollowPlans {
    @Test func nothingIsAskedForWhileSuspendedAndThenWhatIsNewFirst() {
        var plan = FollowPlan(FollowTiming())
        var conditions = NetworkConditions()
        conditions.isSuspended = true
        #expect(plan.begin(conditions).request == .pause)
        let still = plan.step(after: .interrupted, conditions: conditions, now: .zero, random: 0)
        #expect(still.request == .pause)
        conditions.isSuspended = false
        let resumed = plan.step(
            after: .interrupted,
            conditions: conditions,
            now: .seconds(9_000),
            random: 1
        )
        #expect(resumed == FollowPlan.Step(request: .poll, delay: .zero))
        let then = plan.step(after: .answered(refreshAfter: nil), now: .seconds(9_001), random: 1)
        #expect(then == FollowPlan.Step(request: .stream, delay: .zero))
    }

    @Test(arguments: [true, false])
    func connectionsAreNotKeptOpenWhereThatCosts(isConstrained: Bool) {
        var conditions = NetworkConditions()
        conditions.isConstrained = isConstrained
        conditions.isExpensive = true
        conditions.streamsWhereExpensive = false
        var plan = FollowPlan(FollowTiming())
        #expect(plan.begin(conditions) == FollowPlan.Step(request: .poll, delay: .zero))
        let answered = FollowPlan.Outcome.answered(refreshAfter: .seconds(120))
        let next = plan.step(after: answered, conditions: conditions, now: .zero, random: 0)
        #expect(next == FollowPlan.Step(request: .poll, delay: .seconds(120)))
        conditions.isConstrained = false
        conditions.streamsWhereExpensive = true
        let free = plan.step(after: .interrupted, conditions: conditions, now: .zero, random: 0)
        #expect(free == FollowPlan.Step(request: .poll, delay: .zero))
        #expect(plan.step(after: answered, now: .zero, random: 0).request == .stream)
    }
}
