import Foundation

extension Row {
    /// A publisher who sends the whole feed each time.
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
                { try python.secondsToRead(file) },
                {
                    let times = try (0..<6).map { number in
                        try Turns.seconds { _ = try freshet.exchange(requests[number % 2]) }
                    }
                    return Spread(times).median
                },
            ]
        )
        let ratio = Spread.ratio(times[1], to: times[0])
        var table = Table(
            title: "\(documents[1].count.text) bytes, 100 of 10,000 items changed:",
            columns: ["", "ms", "ratio"]
        )
        for (name, own) in zip(["json.loads", "PUT"], times) {
            let ratio = Spread.ratio(own, to: times[0])
            table.rows.append([name, Spread(own.map { $0 * 1000 }).text(), ratio.text()])
        }
        return Section(
            headline: "\(ratio.median.text()) × `json.loads`",
            tables: [table],
            notes: [
                "From before a connection is made until the last byte of the answer is there."
            ]
        )
    }
}
