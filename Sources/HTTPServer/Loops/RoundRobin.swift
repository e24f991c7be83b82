import DequeModule

/// Waiting connections, served round robin by client: an IPv4 address, or an IPv6 network.
///
/// The connections of one client keep their order.
struct RoundRobin {
    private struct Client: Hashable {
        var high: UInt64 = 0
        var low: UInt64 = 0

        init(_ peer: PeerAddress?) {
            if let network = peer?.network { (high, low) = network }
        }
    }

    private var waiting: [Client: Deque<ConnectionID>] = [:]
    private var clients = Deque<Client>()

    var isEmpty: Bool { clients.isEmpty }

    /// Returns whether a connection of a client waits.
    func has(_ peer: PeerAddress?) -> Bool { waiting[Client(peer)] != nil }

    mutating func add(_ id: ConnectionID, from peer: PeerAddress?) {
        let client = Client(peer)
        if waiting[client] == nil { clients.append(client) }
        waiting[client, default: []].append(id)
    }

    /// Takes the connection whose turn it is; it may have been closed.
    mutating func next() -> ConnectionID? {
        guard let client = clients.popFirst() else { return nil }
        let id = waiting[client]?.popFirst()
        if waiting[client]?.isEmpty == false {
            clients.append(client)
        } else {
            waiting[client] = nil
        }
        return id
    }
}
