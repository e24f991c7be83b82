import CLoad
import Foundation

extension Row {
    /// The time until all clients have a change that they ask for right after a publish.
    static let storm = Row(
        name: "storm",
        title: "Storm after a publish",
        goal:
            "2,000 clients at once: the 99th percentile within 2 × the ceiling's for the same bytes"
    ) { lab in
        let freshet = try lab.startFreshet()
        var token = try freshet.put("bench", FeedText.document(10_000))
        let count = OpenFileLimit.connections(lab.isShort ? 200 : 2_000, crowds: 2)
        var section = Section()
        var likes = 0
        for coding in ["identity", "gzip"] {
            let publish = {
                likes += 1
                let before = token
                token = try freshet.change("bench", 0..<100, likes: likes + 1_000_000)
                return Request(target: "/feeds/bench?since=\(before)")
                    .with("Accept-Encoding", coding)
            }
            let answer = try freshet.exchange(publish())
            let recorded = try lab.write(answer.bytes, to: "\(coding).answer")
            let ceiling = try lab.startPeer("Ceiling", recorded.path)
            let any = Request(target: "/feeds/bench?limit=0")
            let readers = try Crowd(crowd_answers, of: count, Side("freshet", freshet, any))
            let others = try Crowd(crowd_answers, of: count, Side("ceiling", ceiling, any))
            var times: [[crowd_times]] = [[], []]
            for _ in 0..<lab.rounds * 2 {
                let request = try publish()
                times[1].append(try readers.ask(request))
                times[0].append(try others.ask(request))
            }
            let title = "\(count.text) clients, \(answer.body.count.text) bytes, \(coding):"
            section.tables.append(timesTable(title, ["ceiling", "freshet"], times))
            let ratio = Spread.ratio(times[1].map(\.p99), to: times[0].map(\.p99))
            section.headline += section.headline.isEmpty ? "" : ", "
            section.headline += "\(coding) \(ratio.median.text()) ×"
        }
        section.notes.append(
            """
            A change of 100 in 10,000 items; the first byte of the first request is sent as soon \
            as the publish is answered, when nobody has computed or compressed the delta yet.
            """
        )
        return section
    }

    /// Returns a table of the times until clients of crowds had their answers, as ratios to the
    /// first crowd's.
    static func timesTable(
        _ title: String,
        _ names: [String],
        _ times: [[crowd_times]]
    ) -> Table {
        var table = Table(
            title: title,
            columns: ["", "median, ms", "p99, ms", "ratio", "last, ms", "ratio"]
        )
        for (name, own) in zip(names, times) {
            let (p99, last) = (own.map(\.p99), own.map(\.last))
            table.rows.append([
                name,
                Spread(own.map { $0.median / 1000 }).text(),
                Spread(p99.map { $0 / 1000 }).text(),
                Spread.ratio(p99, to: times[0].map(\.p99)).text(),
                Spread(last.map { $0 / 1000 }).text(),
                Spread.ratio(last, to: times[0].map(\.last)).text(),
            ])
        }
        return table
    }
}
