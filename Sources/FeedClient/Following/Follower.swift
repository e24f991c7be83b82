import FeedModel
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Follows feeds as a ``FollowPlan`` decides.
///
/// Feeds whose views differ, because some have loaded more rows, are followed in separate groups.
struct Follower: Sendable {
    let feeds: [Feed]
    let service: FeedService
    let timing: FollowTiming
    /// The common view of all feeds during a request.
    private(set) var view: FeedView
    let showsChanges: Bool
    /// The id by which feeds know this follower.
    private var id = UUID()
    private let byName: [String: Feed]
    private let failure: @Sendable (FeedServiceError) -> Void
    private let emit: @Sendable (FeedEvent) -> Void

    init(
        _ feeds: [Feed],
        _ service: FeedService,
        _ timing: FollowTiming = FollowTiming(),
        failure: @escaping @Sendable (FeedServiceError) -> Void = { _ in },
        emit: @escaping @Sendable (FeedEvent) -> Void = { _ in }
    ) {
        self.feeds = feeds
        self.service = service
        self.timing = timing
        self.failure = failure
        self.emit = emit
        byName = Dictionary(feeds.map { ($0.name.rawValue, $0) }) { first, _ in first }
        view = feeds.first?.view ?? FeedView()
        showsChanges = feeds.contains(where: \.showsChanges)
    }

    /// Follows the feeds until the task is cancelled.
    ///
    /// - Throws: `CancellationError`, or a refusal that further attempts would not change.
    func run() async throws {
        do {
            try await follow(from: .now, by: FollowPlan(timing))
        } catch {
            for feed in feeds { await feed.stoppedFollowing(by: id) }
            throw error
        }
    }

    private func follow(
        from start: ContinuousClock.Instant,
        by plan: FollowPlan,
        _ first: FollowPlan.Step? = nil
    ) async throws {
        var conditions = service.monitor.value
        var plan = plan
        var step = first ?? plan.begin(conditions)
        var worksAtFailure: Int?
        while true {
            try Task.checkCancellation()
            let groups = await Follower.groups(of: feeds)
            guard groups.count == 1 else {
                let (plan, step) = (plan, step)
                return try await race(
                    groups.map { group in
                        { try await following(group).follow(from: start, by: plan, step) }
                    }
                )
            }
            let works = service.works.value
            if step.request != .pause { for feed in feeds { await feed.isAwaited() } }
            let outcome = try await following(feeds)
                .outcome(of: step, under: conditions, untilOver: worksAtFailure)
            worksAtFailure = outcome.endsWhenOthersWork ? works : nil
            conditions = service.monitor.value
            step = plan.step(
                after: outcome,
                conditions: conditions,
                now: ContinuousClock.now - start,
                random: .random(in: 0..<1)
            )
        }
    }

    /// Returns a follower with the same id for some of the feeds, which have the same view.
    private func following(_ feeds: [Feed]) -> Follower {
        var follower = Follower(feeds, service, timing, failure: failure, emit: emit)
        follower.id = id
        return follower
    }

    /// Reads the feeds from the cache, and groups them by view.
    static func groups(of feeds: [Feed]) async -> [[Feed]] {
        var groups: [[Feed]] = []
        var indices: [FeedView: Int] = [:]
        for feed in feeds {
            await feed.load()
            let index = indices[feed.view] ?? groups.count
            if index == groups.count { groups.append([]) }
            indices[feed.view] = index
            groups[index].append(feed)
        }
        return groups
    }

    /// Performs a step, and aborts it when the conditions or the view of a feed change.
    ///
    /// - Parameter works: The value of ``FeedService/works`` at the failure. The delay before the
    ///   step ends early when it grows, since the server can be reached again. `nil`: nothing has
    ///   failed, or the server has stated the delay.
    private func outcome(
        of step: FollowPlan.Step,
        under conditions: NetworkConditions,
        untilOver works: Int?
    ) async throws -> FollowPlan.Outcome {
        var operations = feeds.map { feed -> @Sendable () async throws -> FollowPlan.Outcome in
            {
                await feed.views.waitForChange(from: view)
                return .viewChanged
            }
        }
        operations.append {
            await service.monitor.waitForChange(from: conditions)
            return .interrupted
        }
        operations.append {
            if step.delay > .zero, try await isCutShort(step.delay, over: works) {
                return .interrupted
            }
            return try await outcome(of: step.request)
        }
        return try await race(operations)
    }

    /// Waits for a delay; returns whether the wait ended early, since another request has
    /// succeeded.
    private func isCutShort(_ delay: Duration, over works: Int?) async throws -> Bool {
        guard let works else {
            try await Task.sleep(for: delay)
            return false
        }
        return try await race([
            {
                try await Task.sleep(for: delay)
                return false
            },
            {
                await service.works.waitForChange(from: works)
                return true
            },
        ])
    }

    /// Waits without requests until the conditions change, which cancels this task.
    private func pause() async throws -> FollowPlan.Outcome {
        for feed in feeds { await feed.followed(.idle, by: id) }
        while true { try await Task.sleep(for: .seconds(86_400)) }
    }

    /// Sends a request, and turns its errors into outcomes.
    ///
    /// - Throws: `CancellationError`, or a refusal that further attempts would not change.
    func outcome(of request: FollowPlan.RequestKind) async throws -> FollowPlan.Outcome {
        let start = ContinuousClock.now
        do {
            return switch request {
            case .stream: try await stream()
            case .longPoll: try await poll(wait: timing.wait)
            case .poll: try await poll(wait: nil)
            case .pause: try await pause()
            }
        } catch is ViewChanged {
            return .viewChanged
        } catch let refused as RefusedForNow {
            for feed in feeds { await feed.failed(refused.error, by: id) }
            failure(refused.error)
            return .failed(retryAfter: refused.retryAfter)
        } catch let error as FeedServiceError {
            for feed in feeds { await feed.failed(error, by: id) }
            let time = ContinuousClock.now - start
            switch (request, error) {
            case (_, .problem(400...403, _, _)): throw error
            case _ where error == service.addressProblem: throw error
            case (.stream, .unexpected): return .noStream
            case (.stream, _) where time >= timing.silence: return .noStream
            case (.longPoll, .unreachable) where time >= timing.shortestHold: return .cutOff
            default:
                failure(error)
                return .failed(retryAfter: nil)
            }
        }
    }

    /// Applies a document to its feed.
    ///
    /// - Returns: The event; `nil`: there is nothing new.
    /// - Throws: ``ViewChanged`` if the document is of a former view.
    func take(_ document: ServedDocument, as state: Feed.State) async throws -> FeedEvent? {
        guard let feed = byName[document.feed] else { return nil }
        return try await note(feed.take(document, through: view), of: feed, as: state)
    }

    /// Records that a response about a feed was applied, and emits its event.
    ///
    /// - Parameter event: The event; `nil`: the response is of a former view.
    /// - Returns: The event; `nil`: there is nothing new.
    /// - Throws: ``ViewChanged`` if the response is of a former view.
    func note(
        _ event: FeedEvent?,
        of feed: Feed,
        as state: Feed.State
    ) async throws -> FeedEvent? {
        guard let event else { throw ViewChanged() }
        await feed.followed(state, by: id)
        if case .unchanged = event.change, !event.isRecovery { return nil }
        emit(event)
        return event
    }
}
