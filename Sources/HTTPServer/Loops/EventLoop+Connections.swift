/// The connections of the loop.
extension EventLoop {
    func adopt(_ descriptor: consuming Descriptor, from peer: PeerAddress?, isOverLimit: Bool) {
        generation &+= 1
        let connection = Connection(
            descriptor,
            from: peer,
            generation: generation,
            loop: self,
            isOverLimit: isOverLimit
        )
        let place = Int(connection.id.descriptor)
        note(connection, at: place)
        connectionCount += 1
        scratch.figures.connectionCount += 1
        if isOverLimit {
            makeRoom()
            keepInReserve(connection)
        }
        connection.startInTurn()
    }

    /// Stores the connection of a descriptor, or `nil` if it is closed.
    private func note(_ connection: Connection?, at place: Int) {
        // The table is taken out of the property: Swift would check every access to the property
        // for exclusivity if a call were made within one.
        var table: [Connection?] = []
        swap(&table, &connections)
        while table.count <= place { table.append(nil) }
        table[place] = connection
        swap(&table, &connections)
    }

    func connection(_ id: ConnectionID) -> Connection? {
        let index = Int(id.descriptor)
        guard index < connections.count, let found = connections[index], found.id == id else {
            return nil
        }
        return found
    }

    /// Returns whether the connection is still open.
    func has(_ connection: Connection) -> Bool {
        connections[Int(connection.id.descriptor)] === connection
    }

    /// Closes a connection; its descriptor closes with the last reference.
    func remove(_ connection: Connection) {
        guard has(connection) else { return }
        connection.closeExchange(isComplete: false)
        note(nil, at: Int(connection.id.descriptor))
        connectionCount -= 1
        // Its descriptor leaves the set when it closes.
        connection.openResponse.stream?.closed()
        connection.setOpenResponse(.none)
        connection.interest?.peerLeft()
        unsubscribe(connection)
        connection.stopCountingMemory()
        context.connectionClosed()
    }

    /// Has the poller wait for events on a connection's socket.
    ///
    /// - Parameters:
    ///   - interest: The events to wait for.
    ///   - id: The connection.
    ///   - isNew: Whether the socket is not in the set yet.
    /// - Returns: `false` if the kernel has no memory for one more socket.
    func poll(for interest: Poller.Interest, on id: ConnectionID, isNew: Bool) -> Bool {
        do {
            if isNew {
                try poller.add(id.descriptor, data: id.eventData, for: interest)
            } else {
                try poller.modify(id.descriptor, data: id.eventData, for: interest)
            }
            return true
        } catch {
            precondition(isNew, "a connection's socket is in its loop's set: \(error)")
            return false
        }
    }
}
