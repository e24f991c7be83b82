import FeedModel
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Follows feeds by the way that a ``FollowPlan`` says.
///
/// Feeds that have loaded more rows are followed beside the others, those of one view together.
struct Follower: Sendable {
    let feeds: [Feed]
    let service: FeedService
    let timing: FollowTiming
    /// Of all feeds, while a request is about them.
    private(set) var view: FeedView
    let showsChanges: Bool
    /// Under which feeds know it.
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

    /// Follows, until it is cancelled.
    ///
    /// - Throws: `CancellationError`, or a refusal that will stay one.
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
                return try await follow(groups, from: start, plan, step)
            }
            let works = service.works.value
            if step.way != .pause { for feed in feeds { await feed.isAwaited() } }
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

    /// Goes on with each group by itself.
    private func follow(
        _ groups: [[Feed]],
        from start: ContinuousClock.Instant,
        _ plan: FollowPlan,
        _ step: FollowPlan.Step
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for group in groups {
                tasks.addTask { try await following(group).follow(from: start, by: plan, step) }
            }
            defer { tasks.cancelAll() }
            try await tasks.next()
        }
    }

    /// This one, for some of its feeds, which are of one view now.
    private func following(_ feeds: [Feed]) -> Follower {
        var follower = Follower(feeds, service, timing, failure: failure, emit: emit)
        follower.id = id
        return follower
    }

    /// Feeds by their views, after what is kept on disk was read.
    static func groups(of feeds: [Feed]) async -> [[Feed]] {
        var groups: [[Feed]] = []
        var places: [FeedView: Int] = [:]
        for feed in feeds {
            await feed.load()
            let place = places[feed.view] ?? groups.count
            if place == groups.count { groups.append([]) }
            places[feed.view] = place
            groups[place].append(feed)
        }
        return groups
    }

    /// Carries a step out, and gives it up when the conditions or a feed's view change.
    ///
    /// - Parameter works: How often requests of others had worked; the wait before the step ends
    ///   with the next one, since the server is there again. `nil`: nothing was wrong, or the server
    ///   has said how long to wait.
    private func outcome(
        of step: FollowPlan.Step,
        under conditions: NetworkConditions,
        untilOver works: Int?
    ) async throws -> FollowPlan.Outcome {
        try await withThrowingTaskGroup(of: FollowPlan.Outcome.self) { group in
            group.addTask {
                await service.monitor.waitForChange(from: conditions)
                return .interrupted
            }
            for feed in feeds {
                group.addTask {
                    await feed.views.waitForChange(from: view)
                    return .viewChanged
                }
            }
            group.addTask {
                if step.delay > .zero, try await isCutShort(step.delay, over: works) {
                    return .interrupted
                }
                return try await outcome(of: step.way)
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .interrupted
        }
    }

    /// Waits; not to the end where somebody's request works meanwhile.
    private func isCutShort(_ delay: Duration, over works: Int?) async throws -> Bool {
        guard let works else {
            try await Task.sleep(for: delay)
            return false
        }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await Task.sleep(for: delay)
                return false
            }
            group.addTask {
                await service.works.waitForChange(from: works)
                return true
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
    }

    /// Asks for nothing, until the conditions change.
    private func pause() async throws -> FollowPlan.Outcome {
        for feed in feeds { await feed.followed(.idle, by: id) }
        while true { try await Task.sleep(for: .seconds(86_400)) }
    }

    func outcome(of way: FollowPlan.Way) async throws -> FollowPlan.Outcome {
        let start = ContinuousClock.now
        do {
            return switch way {
            case .stream: try await stream()
            case .wait: try await ask(wait: timing.wait)
            case .poll: try await ask(wait: nil)
            case .pause: try await pause()
            }
        } catch is ViewChanged {
            return .viewChanged
        } catch let refused as RefusedRecovery {
            return await failed(refused.error, retryAfter: refused.retryAfter)
        } catch let error as FeedServiceError {
            for feed in feeds { await feed.failed(error, by: id) }
            let time = ContinuousClock.now - start
            switch (way, error) {
            case (_, .problem(400...403, _, _)): throw error
            case _ where error == service.addressProblem: throw error
            case (.stream, .unexpected): return .noStream
            case (.stream, _) where time >= timing.silence: return .noStream
            case (.wait, .unreachable) where time >= timing.shortestHold: return .cutOff
            default:
                failure(error)
                return .failed(retryAfter: nil)
            }
        }
    }
}

/// The outcomes of requests.
extension Follower {
    /// Tells that the server cannot answer now.
    func failed(_ error: FeedServiceError, retryAfter: Duration?) async -> FollowPlan.Outcome {
        for feed in feeds { await feed.failed(error, by: id) }
        failure(error)
        return .failed(retryAfter: retryAfter)
    }

    /// - Returns: `nil` where there is nothing new.
    /// - Throws: ``ViewChanged`` where it says nothing of the view that is kept by now.
    func take(_ document: ServedDocument, as state: Feed.State) async throws -> FeedEvent? {
        guard let feed = byName[document.feed] else { return nil }
        guard let event = try await feed.take(document, through: view) else { throw ViewChanged() }
        await feed.followed(state, by: id)
        if case .nothing = event.news, !event.isRecovery { return nil }
        emit(event)
        return event
    }

    /// Notes that a feed is as it was.
    ///
    /// - Returns: The event that there is no such feed, where that was not known.
    func confirm(_ feed: Feed, as state: Feed.State, isPrivate: Bool?) async -> FeedEvent? {
        let event = await feed.confirmed(isPrivate: isPrivate)
        await feed.followed(state, by: id)
        if let event { emit(event) }
        return event
    }
}
