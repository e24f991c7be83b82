import Synchronization

/// The bare servers of one test; they last as long as this does.
package final class RawServers: Sendable {
    private let all = Mutex<[RawServer]>([])

    package init() {}

    /// Starts a server that has each request of a connection answered by `answer`.
    ///
    /// - Parameter answer: Is called with the request's head; returns whether the connection goes
    ///   on.
    package func serving(
        _ answer: @escaping @Sendable (String, RawServer.Connection) -> Bool
    ) -> RawServer {
        let server = RawServer { connection in
            while let head = connection.readHead(), answer(head, connection) {}
        }
        all.withLock { $0.append(server) }
        return server
    }
}
