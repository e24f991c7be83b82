import Foundation

extension Row {
    /// The time of a publish of the whole feed.
    static let publish = Row(
        name: "publish",
        title: "Publish of a whole feed",
        goal: "10,000 items of which 1 % changed: at most 2 × Python's `json.loads` of these bytes"
    ) { lab in
        let freshet = try lab.startFreshet()
        let python = try Python()
        let documents = [0, 1].map { version in
            FeedText.document(10_000) { $0 % 100 == 50 ? version : 0 }
        }
        let requests = documents.map { Server.publish("PUT", "bench", $0) }
        let file = try lab.write(documents[1], to: "document.json")
        for request in requests { _ = try freshet.exchange(request) }
        let times = try Turns.run(
            lab.rounds,
            [
                { try python.read(file) },
                {
                    let before = ProcessUse(of: freshet.processID).cpuSeconds
                    let times = try (0..<6).map { number in
                        try Turns.seconds { _ = try freshet.exchange(requests[number % 2]) }
                    }
                    let cpu = ProcessUse(of: freshet.processID).cpuSeconds - before
                    return (Spread(times).median, cpu / 6)
                },
            ]
        )
        let time = Spread.ratio(times[1].map(\.seconds), to: times[0].map(\.seconds)).median
        let cpu = Spread.ratio(times[1].map(\.cpuSeconds), to: times[0].map(\.cpuSeconds)).median
        var table = Table(
            title: "\(documents[1].count.text) bytes, 100 of 10,000 items changed:",
            columns: ["", "ms", "ratio", "CPU ms", "ratio"]
        )
        for (name, own) in zip(["json.loads", "PUT"], times) {
            table.rows.append([
                name,
                Spread(own.map { $0.seconds * 1000 }).text(),
                Spread.ratio(own.map(\.seconds), to: times[0].map(\.seconds)).text(),
                Spread(own.map { $0.cpuSeconds * 1000 }).text(),
                Spread.ratio(own.map(\.cpuSeconds), to: times[0].map(\.cpuSeconds)).text(),
            ])
        }
        return Section(
            headline: "\(time.text()) × `json.loads`, in CPU time \(cpu.text()) ×",
            tables: [table],
            notes: [
                "From before a connection is made until the last byte of the answer is there."
            ]
        )
    }
}
