import Synchronization

/// How many tokens of each client had a wrong signature in the current second.
final class RefusedTokens: Sendable {
    private struct State {
        var second = 0.0
        var counts: [ClientID: Int] = [:]

        mutating func begin(_ now: Double) {
            guard now.rounded(.down) != second else { return }
            second = now.rounded(.down)
            counts.removeAll(keepingCapacity: true)
        }

        /// When there are too many clients, those who come last are counted as one.
        func counted(_ client: ClientID) -> ClientID {
            counts[client] != nil || counts.count < RefusedTokens.clientLimit ? client : .local
        }
    }

    private let state = Mutex(State())

    /// Of one client in one second.
    static let limit = 200
    /// Clients that are told apart: some 32 bytes each.
    static let clientLimit = 4096

    /// Whether one more token of that client is looked at.
    ///
    /// - Parameters:
    ///   - client: Who sends it.
    ///   - now: In seconds since 1970.
    func leaveRoom(for client: ClientID, at now: Double) -> Bool {
        state.withLock { state in
            state.begin(now)
            return state.counts[state.counted(client), default: 0] < RefusedTokens.limit
        }
    }

    /// Counts a token whose signature was wrong.
    func add(_ client: ClientID, at now: Double) {
        state.withLock { state in
            state.begin(now)
            state.counts[state.counted(client), default: 0] += 1
        }
    }
}
