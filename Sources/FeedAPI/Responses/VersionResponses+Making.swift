import HTTPServer

/// Responses that are being made.
extension VersionResponses {
    /// A request that waits for a response.
    struct Waiter: Sendable {
        /// Whether it is still of use; see ``Responder/isWanted(presumesLeft:)``.
        let isWanted: @Sendable (_ presumesLeft: Bool) -> Bool
        /// Is called once; with `nil` where it was refused for too much work.
        let finish: @Sendable (Payload?) -> Void
    }

    /// Makes a response; the argument says whether it is still wanted. `nil`: it was given up.
    typealias Make = @Sendable (_ isWanted: () -> Bool) -> Payload?

    /// A response that is being made, or waits for its turn.
    struct Making {
        private(set) var waiters: [Waiter] = []
        /// The clients whose turn it waits for.
        private var clients: [ClientID] = []
        private var isRunning = false

        /// - Returns: Whether it has to wait for the turn of `client` too.
        mutating func join(_ waiter: Waiter, _ client: ClientID) -> Bool {
            waiters.append(waiter)
            guard !isRunning, !clients.contains(client) else { return false }
            clients.append(client)
            return true
        }

        /// - Returns: Whether it was not begun before.
        mutating func begin() -> Bool {
            defer { isRunning = true }
            return !isRunning
        }

        /// - Returns: Whether there is no turn left that it could be made in.
        mutating func leave(_ client: ClientID) -> Bool {
            clients.removeAll { $0 == client }
            return !isRunning && clients.isEmpty
        }
    }

    /// Makes a response in a client's turn, unless it was made by then.
    struct Job: Sendable {
        let responses: VersionResponses
        let key: ResponseKey
        let client: ClientID
        let make: Make

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
}
