/// The turns of one client in which documents of several feeds are made for it.
///
/// They wait as one piece of work, however many they are: what is small is made together, as far as
/// that is no large work, and the rest waits again after the others' turn.
struct PullJobs: Sendable {
    private struct Piece: Sendable {
        var turns: [MakingJob]
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

    /// Adds a turn.
    ///
    /// - Parameters:
    ///   - turn: What is made in it.
    ///   - cost: About the bytes that are read and written for it, as ``WorkSize`` counts them.
    mutating func append(_ turn: MakingJob, cost: Int) {
        if let last = pieces.indices.last, pieces[last].cost + cost <= WorkSize.limit {
            pieces[last].turns.append(turn)
            pieces[last].cost += cost
        } else {
            pieces.append(Piece(turns: [turn], cost: cost))
        }
    }

    /// Has the turns come, by and by.
    func submit() {
        guard let next = pieces.last else { return }
        let pool = work.reads(WorkSize(byteCount: next.cost))
        let work = QueuedWork(
            flow: flow,
            time: pool.now,
            isWanted: isWanted,
            run: {
                for turn in next.turns {
                    if turn.isWanted(true) { turn.run() } else { turn.refuse() }
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
        pieces.contains { piece in piece.turns.contains { $0.isWanted(presumesLeft) } }
    }

    private func refuse() {
        for piece in pieces {
            for turn in piece.turns { turn.refuse() }
        }
    }
}
