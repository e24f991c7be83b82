import FeedModel

/// By which way to follow feeds, and when to try again: a value, which is told what happened.
///
/// A stream first. Where something on the way does not let streams through, requests that wait;
/// where it does not let those through, polls.
struct FollowPlan {
    /// How news are asked for.
    enum Way: Equatable {
        case stream, wait, poll
        /// Nothing is asked for.
        case pause
    }

    /// The next thing to do.
    struct Step: Equatable {
        var way: Way
        var delay: Duration
    }

    /// The outcome of a step.
    enum Outcome: Equatable {
        /// The stream was open, and brought something.
        case ended(retry: Duration?)
        /// Nothing that is a stream came of asking for one, or nothing came through it.
        case noStream
        /// An answer, and when polling is worth it again.
        case answered(refreshAfter: Duration?)
        /// An answer without news that was to be held, and was not.
        case notHeld(refreshAfter: Duration?)
        /// No server, or one that cannot answer now.
        case failed(retryAfter: Duration?)
        /// Something between did not let a request wait.
        case cutOff
        /// The document did not fit the copy that is held, which was fetched anew, or is of another
        /// epoch.
        case mismatched
        /// The conditions of the network changed meanwhile.
        case interrupted
        /// A feed has loaded more rows: the next request is to include these.
        case viewChanged
    }

    let timing: FollowTiming
    private var way = Way.stream
    /// When another way than the stream was taken.
    private var since = Duration.zero
    private var misses = 0
    private var backoff: Backoff
    private var isPaused = false

    init(_ timing: FollowTiming) {
        self.timing = timing
        backoff = Backoff(first: timing.firstRetry, longest: timing.longestRetry)
    }

    /// Decides what is first.
    mutating func begin(_ conditions: NetworkConditions) -> Step {
        isPaused = conditions.isSuspended
        if isPaused { return Step(way: .pause, delay: .zero) }
        return Step(way: conditions.allowsStreams ? way : .poll, delay: .zero)
    }

    /// Decides what is next.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the last step.
    ///   - conditions: Of the network.
    ///   - now: The time since some moment.
    ///   - random: From 0 up to 1.
    /// - Returns: The next step.
    mutating func step(
        after outcome: Outcome,
        conditions: NetworkConditions = NetworkConditions(),
        now: Duration,
        random: Double
    ) -> Step {
        let wasPaused = isPaused
        isPaused = conditions.isSuspended
        if isPaused { return Step(way: .pause, delay: .zero) }
        if wasPaused || outcome == .interrupted {
            // What is new first: connections and attempts from before say nothing now.
            backoff.reset()
            take(.stream, now)
            return Step(way: .poll, delay: .zero)
        }
        if outcome == .viewChanged {
            return Step(way: conditions.allowsStreams ? way : .poll, delay: .zero)
        }
        guard conditions.allowsStreams else { return polled(after: outcome, random) }
        let delay = delay(after: outcome, now: now, random: random)
        if way != .stream, now - since >= timing.streamRetry { take(.stream, now) }
        // Nobody should be shown a failure for as long as the first request that works is held.
        if way == .wait, case .failed = outcome { return Step(way: .poll, delay: delay) }
        return Step(way: way, delay: delay)
    }

    /// The step on a network where connections are not kept open.
    private mutating func polled(after outcome: Outcome, _ random: Double) -> Step {
        switch outcome {
        case .answered(let hint), .notHeld(let hint):
            backoff.reset()
            return Step(way: .poll, delay: poll(hint, random))
        case .failed(let retryAfter):
            return Step(way: .poll, delay: backoff.delay(retryAfter: retryAfter, random: random))
        case .ended, .noStream, .cutOff, .mismatched, .interrupted, .viewChanged:
            return Step(way: .poll, delay: backoff.delay(random: random))
        }
    }

    private mutating func delay(after outcome: Outcome, now: Duration, random: Double) -> Duration {
        switch outcome {
        case .ended(let retry):
            backoff.reset()
            let asked = max(retry ?? timing.reopening, timing.shortest)
            let bound = min(asked, timing.longestRetry)
            return bound * (0.5 + random / 2)
        case .noStream:
            take(.wait, now)
            return .zero
        case .answered(let hint):
            backoff.reset()
            misses = 0
            return way == .poll ? poll(hint, random) : .zero
        case .notHeld(let hint):
            backoff.reset()
            if way == .wait { missed(now) }
            return poll(hint, random)
        case .cutOff:
            missed(now)
            return backoff.delay(random: random)
        case .failed(let retryAfter):
            return backoff.delay(retryAfter: retryAfter, random: random)
        case .mismatched, .interrupted, .viewChanged:
            return backoff.delay(random: random)
        }
    }

    /// A request did not wait: after the second in a row, polls.
    private mutating func missed(_ now: Duration) {
        misses += 1
        if misses > 1 { take(.poll, now) }
    }

    private mutating func take(_ way: Way, _ now: Duration) {
        if self.way == .stream { since = now }
        self.way = way
        misses = 0
    }

    /// Up to a quarter more than the server says, so that not all come at once.
    private func poll(_ hint: Duration?, _ random: Double) -> Duration {
        let asked = max(hint ?? timing.poll, timing.shortest)
        return min(asked, timing.longestPoll) * (1 + random / 4)
    }
}

extension FollowPlan.Outcome {
    /// Whether the wait after it ends when somebody else's request works: not where the server has
    /// said when it is to be asked again.
    var endsWhenOthersWork: Bool {
        guard case .failed(let retryAfter) = self else { return false }
        return (retryAfter ?? .zero) <= .zero
    }
}
