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
    /// What is to be made at a time, from the last to the first.
    private var pieces: [Piece] = []

    init(of client: ClientID, on work: WorkScheduler) {
        flow = WorkFlow(client: client, feed: nil)
        self.work = work
    }

    /// Adds a job.
    ///
    /// - Parameters:
    ///   - job: What is made in it.
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
