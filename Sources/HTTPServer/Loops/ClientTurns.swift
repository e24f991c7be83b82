import DequeModule

/// Who waits for something, by turns to each client: an address of IPv4, or a network of IPv6.
/// Those of one client follow one another.
struct ClientTurns {
    private struct Client: Hashable {
        var high: UInt64 = 0
        var low: UInt64 = 0

        init(_ peer: PeerAddress?) {
            if let network = peer?.network { (high, low) = network }
        }
    }

    private var waiting: [Client: Deque<ConnectionID>] = [:]
    private var turns = Deque<Client>()

    var isEmpty: Bool { turns.isEmpty }

    /// Whether one of a client waits.
    func has(_ peer: PeerAddress?) -> Bool { waiting[Client(peer)] != nil }

    mutating func add(_ id: ConnectionID, from peer: PeerAddress?) {
        let client = Client(peer)
        if waiting[client] == nil { turns.append(client) }
        waiting[client, default: []].append(id)
    }

    /// The connection whose turn it is; it may have closed meanwhile.
    mutating func next() -> ConnectionID? {
        guard let client = turns.popFirst() else { return nil }
        let id = waiting[client]?.popFirst()
        if waiting[client]?.isEmpty == false {
            turns.append(client)
        } else {
            waiting[client] = nil
        }
        return id
    }
}
