/// The bytes and CPU time that reading a list over some days has taken.
struct ReadingUse {
    /// Bytes of heads and bodies, as TCP carries them where there is no TLS.
    var heads = 0
    var bodies = 0
    /// Bytes of bodies before they were compressed.
    var decoded = 0
    /// Bytes as TCP carries them: with TLS, all of its records.
    var received = 0
    var sent = 0
    /// Time on a core.
    var serverSeconds = 0.0
    var clientSeconds = 0.0
    /// Time on a core for the publishes.
    var publishSeconds = 0.0
    /// Answers with news.
    var news = 0
}

/// A reader that asks every few minutes.
enum DayOfPolling {
    /// Lets a reader that has the list ask for as long as the history goes on.
    ///
    /// Between two polls its connection is closed, as servers do that after 75 s.
    static func run(_ history: EditHistory, _ reader: some PollingReader) throws -> ReadingUse {
        var reader = reader
        let client = try MeteredClient(reader.server)
        let server = reader.server.processID
        try reader.publish(history.versions[0])
        try client.send(reader.request)
        try reader.take(client.answer())
        client.hangUp()
        let first = client.counts
        var use = ReadingUse()
        var rest = history.versions.dropFirst()
        let before = ProcessUse(of: server).cpuSeconds
        let interval = history.statistics.pollMinutes * 60
        for now in stride(from: interval, through: history.seconds, by: interval) {
            if let next = rest.first, next.second <= now {
                let start = ProcessUse(of: server).cpuSeconds
                while let next = rest.first, next.second <= now {
                    try reader.publish(next)
                    rest.removeFirst()
                }
                use.publishSeconds += ProcessUse(of: server).cpuSeconds - start
            }
            let start = Turns.threadSeconds
            try client.send(reader.request)
            let answer = try client.answer()
            client.hangUp()
            try reader.take(answer)
            use.clientSeconds += Turns.threadSeconds - start
            try use.count(answer)
        }
        let whole = ProcessUse(of: server).cpuSeconds - before
        use.serverSeconds = whole - use.publishSeconds
        use.received += client.counts.received - first.received
        use.sent = client.counts.sent - first.sent
        if let last = history.versions.last, try reader.has(last) == false {
            throw Failure("\(reader.name) does not have the list in the end")
        }
        guard !reader.server.isSecure || client.counts.isResumed else {
            throw Failure("\(reader.name): no TLS session was resumed")
        }
        try reader.end()
        return use
    }
}

extension ReadingUse {
    /// Counts an answer's head and body.
    mutating func count(_ answer: Answer) throws {
        guard [200, 226, 304].contains(answer.status) else {
            throw Failure("a poll was answered \(answer.status)")
        }
        heads += answer.bytes.count - answer.body.count
        bodies += answer.body.count
        decoded += try answer.decodedBody().count
        news += answer.status == 304 ? 0 : 1
        count(hint: answer["Refresh-After"])
    }

    /// Where time is simulated, a feed seems to change all the time, and the hint is one digit; at
    /// the pace of the history it is three.
    private mutating func count(hint: String?) {
        guard let hint else { return }
        heads += 3 - hint.utf8.count
        received += 3 - hint.utf8.count
    }
}
