import FeedModel

/// Decides how feeds are followed and when to try again: a pure value that gets each outcome and
/// returns the next step.
///
/// The first choice is an event stream. If a proxy on the way blocks streams, long polls are used;
/// if those are blocked, too, polls.
struct FollowPlan {
    /// The kind of a request for changes.
    enum RequestKind: Equatable {
        case stream, longPoll, poll
        /// No request is sent.
        case pause
    }

    /// The next request, and the delay before it.
    struct Step: Equatable {
        var request: RequestKind
        var delay: Duration
    }

    /// The outcome of a step.
    enum Outcome: Equatable {
        /// The stream ended after it had brought events; `retry` is the server's delay.
        case ended(retry: Duration?)
        /// The response was not a stream, or no bytes came through it.
        case noStream
        /// A response came; `refreshAfter` is the server's polling interval.
        case answered(refreshAfter: Duration?)
        /// A long poll was answered at once, without changes.
        case notHeld(refreshAfter: Duration?)
        /// The server could not be reached, or cannot answer at present.
        case failed(retryAfter: Duration?)
        /// A proxy on the way ended a long poll.
        case cutOff
        /// The document did not fit the copy, which was fetched again, or has another epoch.
        case mismatched
        /// The conditions of the network changed.
        case interrupted
        /// A feed has loaded more rows, which the next request must include.
        case viewChanged
    }

    let timing: FollowTiming
    private var request = RequestKind.stream
    /// The time at which long polls or polls replaced the stream.
    private var since = Duration.zero
    /// The number of long polls in a row that the server answered at once or a proxy ended.
    private var misses = 0
    private var backoff: Backoff
    private var isPaused = false

    init(_ timing: FollowTiming) {
        self.timing = timing
        backoff = Backoff(first: timing.firstRetry, longest: timing.longestRetry)
    }

    /// Returns the first step.
    mutating func begin(_ conditions: NetworkConditions) -> Step {
        isPaused = conditions.isSuspended
        if isPaused { return Step(request: .pause, delay: .zero) }
        return Step(request: conditions.allowsStreams ? request : .poll, delay: .zero)
    }

    /// Returns the step after an outcome of the last one, where `now` is the time since a fixed
    /// moment, and `random` a number from 0 up to 1.
    mutating func step(
        after outcome: Outcome,
        conditions: NetworkConditions = NetworkConditions(),
        now: Duration,
        random: Double
    ) -> Step {
        let wasPaused = isPaused
        isPaused = conditions.isSuspended
        if isPaused { return Step(request: .pause, delay: .zero) }
        if wasPaused || outcome == .interrupted {
            // A poll brings the changes first; earlier failures do not count under new conditions.
            backoff.reset()
            use(.stream, now)
            return Step(request: .poll, delay: .zero)
        }
        if outcome == .viewChanged {
            return Step(request: conditions.allowsStreams ? request : .poll, delay: .zero)
        }
        guard conditions.allowsStreams else { return polled(after: outcome, random) }
        let delay = delay(after: outcome, now: now, random: random)
        if request != .stream, now - since >= timing.streamRetry { use(.stream, now) }
        // A long poll that succeeds would show the failure for as long as it is held; so a poll
        // comes first.
        if request == .longPoll, case .failed = outcome {
            return Step(request: .poll, delay: delay)
        }
        return Step(request: request, delay: delay)
    }

    /// Returns the next step on a network where no connections are kept open.
    private mutating func polled(after outcome: Outcome, _ random: Double) -> Step {
        switch outcome {
        case .answered(let hint), .notHeld(let hint):
            backoff.reset()
            return Step(request: .poll, delay: poll(hint, random))
        case .failed(let retryAfter):
            return Step(
                request: .poll,
                delay: backoff.delay(retryAfter: retryAfter, random: random)
            )
        case .ended, .noStream, .cutOff, .mismatched, .interrupted, .viewChanged:
            return Step(request: .poll, delay: backoff.delay(random: random))
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
            use(.longPoll, now)
            return .zero
        case .answered(let hint):
            backoff.reset()
            misses = 0
            return request == .poll ? poll(hint, random) : .zero
        case .notHeld(let hint):
            backoff.reset()
            if request == .longPoll { missed(now) }
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

    /// Counts a long poll that was not held.
    ///
    /// After the second in a row, polls are used.
    private mutating func missed(_ now: Duration) {
        misses += 1
        if misses > 1 { use(.poll, now) }
    }

    private mutating func use(_ request: RequestKind, _ now: Duration) {
        if self.request == .stream { since = now }
        self.request = request
        misses = 0
    }

    /// Returns the delay before a poll: the server's interval, and up to a quarter more at random,
    /// so that not all clients poll at once.
    private func poll(_ hint: Duration?, _ random: Double) -> Duration {
        let asked = max(hint ?? timing.poll, timing.shortest)
        return min(asked, timing.longestPoll) * (1 + random / 4)
    }
}

extension FollowPlan.Outcome {
    /// Whether the delay after this outcome ends early when another request of the app succeeds.
    ///
    /// A delay that the server has stated does not end early.
    var endsWhenOthersWork: Bool {
        guard case .failed(let retryAfter) = self else { return false }
        return (retryAfter ?? .zero) <= .zero
    }
}
