import DequeModule

/// Connections that wait for something, served round robin by client: an address of IPv4, or a
/// network of IPv6. Those of one client follow one another.
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

    /// Whether one of a client waits.
    func has(_ peer: PeerAddress?) -> Bool { waiting[Client(peer)] != nil }

    mutating func add(_ id: ConnectionID, from peer: PeerAddress?) {
        let client = Client(peer)
        if waiting[client] == nil { clients.append(client) }
        waiting[client, default: []].append(id)
    }

    /// The connection whose turn it is; it may have closed meanwhile.
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
