import Foundation

/// Readers who wait while nothing happens, each for as long as a day's readers do.
final class QuietTime {
    /// The cost of no news: of an answer that was held in vain, or of a stream's comment.
    struct Cost {
        var received = 0
        var sent = 0
        var heads = 0
        /// Time on a core of the server.
        var serverSeconds = 0.0
    }

    /// The bytes and CPU time of each.
    struct Costs {
        var poll = Cost()
        /// The first comment after an event, and one after another comment.
        var firstComment = Cost()
        var comment = Cost()
    }

    private struct Waiting {
        let client: MeteredClient
        let received: Int
        let sent: Int
    }

    private struct Streaming {
        let client: MeteredClient
        var events: StreamedEvents
        let received: Int
    }

    /// How many readers of each kind, so that the server's time can be measured.
    private static let readerCount = 300

    private let polled: Server
    private let streamed: Server
    /// A server without readers, for the time on a core that a server takes by itself.
    private let idle: Server
    private let seconds: Double
    private var waiting: [Waiting] = []
    private var streaming: [Streaming] = []
    private var before: [Double] = []
    private var start = ContinuousClock.now

    /// How many versions the list has had, which is a number of two digits.
    static let versionCount = 50

    /// Begins to wait.
    init(options: [String], isSecure: Bool, in lab: Lab) throws {
        polled = try lab.startFreshet(options, isSecure: isSecure)
        streamed = try lab.startFreshet(options, isSecure: isSecure)
        idle = try lab.startFreshet(options, isSecure: isSecure)
        // All of a minute's wait, and two comments; to try it out, one comment suffices.
        seconds = lab.isShort ? 26 : 61
        let wait = lab.isShort ? 1 : DayOfWaiting.wait
        var readers: [DeltaReader] = []
        for server in [polled, streamed] {
            var reader = DeltaReader(server, "quiet")
            for number in 0..<QuietTime.versionCount {
                _ = try server.put("quiet", FeedText.document(1) { _ in number })
            }
            try reader.take(server.exchange(reader.request))
            readers.append(reader)
        }
        for _ in 0..<QuietTime.readerCount {
            let client = try MeteredClient(polled)
            try client.send(readers[0].request)
            _ = try client.answer()
            let counts = client.counts
            try client.send(readers[0].request("&wait=\(wait)"))
            waiting.append(
                Waiting(client: client, received: counts.received, sent: counts.sent)
            )
            try streaming.append(stream(readers[1]))
        }
        before = cpuSeconds
        start = .now
    }

    /// Time on a core of the servers so far.
    private var cpuSeconds: [Double] {
        [polled, streamed, idle].map { ProcessUse(of: $0.processID).cpuSeconds }
    }

    private func stream(_ reader: DeltaReader) throws -> Streaming {
        let client = try MeteredClient(streamed)
        try client.send(reader.events)
        let (head, rest) = try client.head()
        var events = try StreamedEvents(head)
        var documents = try events.take(rest)
        while documents.isEmpty {
            guard let bytes = try client.receive(within: 20) else {
                throw Failure("\(streamed.name): no event within 20 s")
            }
            documents = try events.take(bytes)
        }
        return Streaming(client: client, events: events, received: client.counts.received)
    }

    /// Waits until it is over, and returns what an answer that was held took, and a comment.
    func end() throws -> Costs {
        let rest = seconds - (ContinuousClock.now - start) / .seconds(1)
        if rest > 0 { Thread.sleep(forTimeInterval: rest) }
        let use = zip(cpuSeconds, before).map { $0 - $1 }
        var poll = Cost()
        for reader in waiting {
            let answer = try reader.client.answer()
            guard answer.status == 304 else {
                throw Failure("a poll was answered \(answer.status)")
            }
            var counted = ReadingUse()
            try counted.count(answer)
            let counts = reader.client.counts
            poll = Cost(
                received: counted.received + counts.received - reader.received,
                sent: counts.sent - reader.sent,
                heads: counted.heads
            )
        }
        var count = 0
        var costs = Costs()
        for reader in streaming {
            var events = reader.events
            while events.comments.isEmpty, let bytes = try reader.client.receive(within: 5) {
                _ = try events.take(bytes)
            }
            while let bytes = try reader.client.receive(within: 0) { _ = try events.take(bytes) }
            guard let first = events.comments.first, let last = events.comments.last else {
                throw Failure("a stream was silent")
            }
            count += events.comments.count
            // With TLS, each is in a record of its own.
            let all = reader.client.counts.received - reader.received
            let frame = (all - events.comments.reduce(0, +)) / events.comments.count
            costs.firstComment = Cost(received: first + frame, heads: first)
            costs.comment = Cost(received: last + frame, heads: last)
        }
        poll.serverSeconds = max(0, use[0] - use[2]) / Double(waiting.count)
        costs.poll = poll
        costs.firstComment.serverSeconds = max(0, use[1] - use[2]) / Double(count)
        costs.comment.serverSeconds = costs.firstComment.serverSeconds
        return costs
    }
}
