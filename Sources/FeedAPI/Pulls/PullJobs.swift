import HTTPServer
import Synchronization

/// The jobs in which documents of several feeds are made for one client.
///
/// They wait as one piece of work, however many they are: what is small is made together, as far as
/// that is no large work, and the rest waits again after the others' turn.
struct PullJobs: Sendable {
    private struct Piece: Sendable {
        var jobs: [VersionResponses.Job]
        var cost: Int
    }

    private let flow: WorkFlow
    private let work: WorkScheduler
    /// The pieces of work, each with jobs that run together, from the last to the first.
    private var pieces: [Piece] = []

    init(of client: ClientID, on work: WorkScheduler) {
        flow = WorkFlow(client: client, feed: nil)
        self.work = work
    }

    /// Adds a job.
    ///
    /// - Parameters:
    ///   - job: The job, which makes a document.
    ///   - cost: About the bytes that are read and written for it, as ``WorkSize`` counts them.
    mutating func append(_ job: VersionResponses.Job, cost: Int) {
        if let last = pieces.indices.last, pieces[last].cost + cost <= WorkSize.limit {
            pieces[last].jobs.append(job)
            pieces[last].cost += cost
        } else {
            pieces.append(Piece(jobs: [job], cost: cost))
        }
    }

    /// Has them done, by and by.
    func submit() {
        guard let next = pieces.last else { return }
        let pool = work.reads(WorkSize(byteCount: next.cost))
        let work = QueuedWork(
            flow: flow,
            time: pool.now,
            isWanted: isWanted,
            run: {
                for job in next.jobs {
                    if job.isWanted(true) { job.run() } else { job.refuse() }
                }
                var rest = self
                rest.pieces.removeLast()
                rest.submit()
            },
            refuse: refuse
        )
        pool.submit(work)
    }

    private func isWanted(_ presumesLeft: Bool) -> Bool {
        pieces.contains { piece in piece.jobs.contains { $0.isWanted(presumesLeft) } }
    }

    private func refuse() {
        for piece in pieces {
            for job in piece.jobs { job.refuse() }
        }
    }
}

/// Collects what is made in different places, and hands it on when it is complete.
final class Join: Sendable {
    private struct State {
        var found: [Payload?]
        var missing: Int
        var isRefused = false
    }

    private let state: Mutex<State>
    private let complete: @Sendable ([Payload?]?) -> Void

    /// - Parameters:
    ///   - found: The documents that are there already.
    ///   - missing: How many are not, at least one.
    ///   - complete: Called once, when the last document is there; with `nil` when one was refused.
    init(
        _ found: [Payload?],
        missing: Int,
        complete: @escaping @Sendable ([Payload?]?) -> Void
    ) {
        state = Mutex(State(found: found, missing: missing))
        self.complete = complete
    }

    /// Whether one of them was refused, so that the others are of no use.
    var isRefused: Bool { state.withLock(\.isRefused) }

    /// Brings what stands at `index`; once for each that is missing; `nil`: it was refused.
    func put(_ made: Payload?, at index: Int) {
        let (isComplete, found) = state.withLock { state -> (Bool, [Payload?]?) in
            state.found[index] = made
            state.missing -= 1
            if made == nil { state.isRefused = true }
            return (state.missing == 0, state.isRefused ? nil : state.found)
        }
        if isComplete { complete(found) }
    }
}
