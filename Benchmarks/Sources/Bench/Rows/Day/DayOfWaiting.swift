import Foundation

/// A reader that hears of each change at once.
enum DayOfWaiting {
    /// How long a server is asked to hold an answer, in seconds.
    static let wait = 60
    /// How long a stream is silent before the server sends a comment, in seconds.
    static let silence = 25

    /// Asks, again and again, for an answer that is held until there is news; `quiet` has what one
    /// takes that is held in vain.
    static func longPolls(
        _ history: EditHistory,
        of server: Server,
        quiet: QuietTime.Costs
    ) throws -> ReadingUse {
        var reader = DeltaReader(server, history.statistics.name)
        let client = try MeteredClient(server)
        try reader.publish(history.versions[0])
        try client.send(reader.request)
        try reader.take(client.answer())
        let first = client.counts
        var use = ReadingUse()
        for version in history.versions.dropFirst() {
            try client.send(reader.request("&wait=\(wait)"))
            try reader.publish(version)
            let answer = try client.answer()
            try reader.take(answer)
            try use.count(answer)
        }
        use.received += client.counts.received - first.received
        use.sent = client.counts.sent - first.sent
        use.add(history.cost(quiet), times: history.pauses(of: wait).reduce(0, +))
        try reader.check(history)
        return use
    }

    /// Reads one stream for all the time; `quiet` has what a comment takes.
    static func stream(
        _ history: EditHistory,
        of server: Server,
        quiet: QuietTime.Costs
    ) throws -> ReadingUse {
        var reader = DeltaReader(server, history.statistics.name)
        let client = try MeteredClient(server)
        try reader.publish(history.versions[0])
        try client.send(reader.request)
        try reader.take(client.answer())
        client.hangUp()
        let first = client.counts
        var use = ReadingUse()
        try client.send(reader.events)
        let (head, rest) = try client.head()
        use.heads = head.bytes.count
        var events = try StreamedEvents(head)
        var documents = try events.take(rest)
        for version in history.versions {
            // The first event says that nothing is new.
            if version.second > 0 { try reader.publish(version) }
            while documents.isEmpty {
                guard let bytes = try client.receive(within: 20) else {
                    throw Failure("\(server.name): no event within 20 s")
                }
                documents = try events.take(bytes)
            }
            for document in documents { try reader.take(document) }
            documents = []
        }
        use.news = history.versions.count - 1
        use.received = client.counts.received - first.received
        use.sent = client.counts.sent - first.sent
        use.bodies = use.received - use.heads
        let silences = history.pauses(of: silence)
        use.add(quiet.firstComment, times: silences.count { $0 > 0 })
        use.add(quiet.comment, times: silences.reduce(0) { $0 + max(0, $1 - 1) })
        try reader.check(history)
        return use
    }
}

extension EditHistory {
    /// How often so many seconds pass between an edit and the next one, for each.
    func pauses(of length: Int) -> [Int] {
        let ends = versions.dropFirst().map(\.second) + [seconds]
        return zip(versions, ends).map { ($1 - $0.second) / length }
    }
}

extension EditHistory {
    /// The bytes and CPU time of an answer that is held in vain, with tokens as long as those of this list.
    fileprivate func cost(_ quiet: QuietTime.Costs) -> QuietTime.Cost {
        var cost = quiet.poll
        let digits = String(versions.count).utf8.count - String(QuietTime.versionCount).utf8.count
        // The request has the token twice, and the answer once.
        cost.sent += 2 * digits
        cost.received += digits
        cost.heads += digits
        return cost
    }
}

extension ReadingUse {
    fileprivate mutating func add(_ cost: QuietTime.Cost, times: Int) {
        received += cost.received * times
        sent += cost.sent * times
        heads += cost.heads * times
        serverSeconds += cost.serverSeconds * Double(times)
    }
}

extension DeltaReader {
    /// Asks for a stream of what is new.
    var events: Request {
        var request = Self.request("/feeds/\(feed)/events?since=\(token)")
        request.fields.removeAll { $0.name == "Accept" }
        return request.with("Accept", "text/event-stream")
    }

    /// Throws unless it has the last version, and forgets the list.
    fileprivate func check(_ history: EditHistory) throws {
        if let last = history.versions.last, try has(last) == false {
            throw Failure("\(name) does not have the list in the end")
        }
        try end()
    }
}
