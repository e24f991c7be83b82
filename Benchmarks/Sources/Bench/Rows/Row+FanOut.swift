import CLoad
import Foundation

extension Row {
    /// The time of one publish to all subscribers.
    static let fanOut = Row(
        name: "fanout",
        title: "Fan-out",
        goal: "the last of 1,000 and of 10,000 subscribers within 1.5 × a bare writer"
    ) { lab in
        var section = Section()
        for wanted in lab.isShort ? [100] : [1_000, 10_000] {
            let count = OpenFileLimit.connections(wanted, crowds: 2)
            let race = try StreamRace(count, in: lab)
            section.tables.append(race.timesTable)
            section.tables.append(race.costTable)
            section.headline += section.headline.isEmpty ? "" : ", "
            section.headline += "\(count.text): \(race.lastRatio.median.text()) ×"
            lab.endServers()
        }
        section.notes.append(
            """
            From just before a publish is sent until the last subscriber has the whole event. \
            The bare writer sends the same number of bytes to each, from one thread.
            """
        )
        return section
    }
}

/// Publishes to subscribers of the server and of a bare writer, in turn.
private struct StreamRace {
    private let count: Int
    private let byteCount: Int
    // The times of the bare writer come first.
    private var times: [[crowd_times]] = [[], []]
    private var costs: [[Double]] = [[], []]

    init(_ count: Int, in lab: Lab) throws {
        self.count = count
        let freshet = try lab.startFreshet()
        _ = try freshet.put("bench", FeedText.document(200))
        let subscription = Request(target: "/feeds/bench/events")
        let readers = try Crowd(crowd_events, of: count, Side("freshet", freshet, subscription))
        // This tells the length of an event, and warms up.
        let size = Int(try readers.publish(StreamRace.change(0)).bytes)
        byteCount = size
        let bare = try lab.startPeer("BareStream", "\(size)")
        let others = try Crowd(crowd_events, of: count, Side("bare", bare, subscription))
        _ = try others.publish(StreamRace.change(0))
        for round in 1...lab.rounds * 2 {
            let request = StreamRace.change(round)
            try measure(0, others, bare, request)
            try measure(1, readers, freshet, request)
        }
    }

    private static func change(_ round: Int) -> Request {
        // The number has as many digits in each round, for events of one size.
        Server.publish("PATCH", "bench", FeedText.edits([100], likes: 1_000 + round))
    }

    private mutating func measure(
        _ side: Int,
        _ crowd: borrowing Crowd,
        _ server: Server,
        _ request: Request
    ) throws {
        let before = ProcessUse(of: server.processID).cpuSeconds
        times[side].append(try crowd.publish(request))
        // The server's work afterwards counts, too.
        Thread.sleep(forTimeInterval: 0.03)
        let spent = ProcessUse(of: server.processID).cpuSeconds - before
        costs[side].append(spent * 1e6 / Double(count))
    }

    var lastRatio: Spread { .ratio(times[1].map(\.last), to: times[0].map(\.last)) }

    var timesTable: Table {
        Row.timesTable(
            "\(count.text) subscribers, \(byteCount) bytes each:",
            ["bare writer", "freshet"],
            times
        )
    }

    var costTable: Table {
        var table = Table(columns: ["", "CPU µs/event", "ratio"])
        for (name, own) in zip(["bare writer", "freshet"], costs) {
            table.rows.append([
                name, Spread(own).text(), Spread.ratio(own, to: costs[0]).text(),
            ])
        }
        return table
    }
}
