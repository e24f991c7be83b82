/// Its connections.
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

    /// Notes which connection has a descriptor, if one has.
    private func note(_ connection: Connection?, at place: Int) {
        // Taken out meanwhile: a call within an access would cost every look at the property a
        // check for exclusivity at run time.
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

    /// Whether the connection is still open.
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

    /// Has the poller wait for something on a connection's socket.
    ///
    /// - Parameters:
    ///   - interest: What to wait for.
    ///   - id: The connection.
    ///   - isNew: Whether it is not in the set yet.
    /// - Returns: `false` when the kernel has no room for one more.
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
