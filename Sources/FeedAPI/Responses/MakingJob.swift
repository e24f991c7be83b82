import HTTPServer

/// Makes a response in a client's turn, if nobody has made it by then.
struct MakingJob: Sendable {
    let responses: VersionResponses
    let key: ResponseKey
    let client: ClientID
    let make: VersionResponses.Make

    /// Whether somebody waits for the response; see ``Responder/isWanted(presumesLeft:)``.
    func isWanted(_ presumesLeft: Bool) -> Bool {
        responses.isWanted(key, presumesLeft: presumesLeft)
    }

    /// The turn has come. One of ``run()`` and ``refuse()`` is called, once.
    func run() { responses.run(key, make) }

    /// It will not come.
    func refuse() { responses.refused(key, client) }

    /// Waits in a pool.
    func submit(to pool: WorkPool) {
        pool.submit(
            QueuedWork(
                flow: WorkFlow(client: client, feed: responses.feed),
                time: pool.now,
                isWanted: isWanted,
                run: run,
                refuse: refuse
            )
        )
    }
}
