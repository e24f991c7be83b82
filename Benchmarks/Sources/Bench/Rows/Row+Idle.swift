import CLoad
import Foundation

extension Row {
    /// The cost of clients that stay connected and send nothing.
    static let idle = Row(
        name: "idle",
        title: "Idle connections",
        goal: "10,000: at most 4 KiB of the server's memory each, CPU under 1 % of a core"
    ) { lab in
        var table = Table(columns: ["", "connections", "bytes each", "CPU, % of a core"])
        var found: [String] = []
        let kinds = [
            ("asked once, and kept", crowd_answers, "/feeds/bench"),
            ("event stream", crowd_events, "/feeds/bench/events"),
        ]
        for (name, kind, target) in kinds {
            let freshet = try lab.startFreshet()
            _ = try freshet.put("bench", FeedText.document(100))
            let side = Side("freshet", freshet, Request(target: target))
            let count = OpenFileLimit.connections(lab.isShort ? 500 : 10_000)
            // Memory that is allocated once does not count.
            do { _ = try Crowd(kind, of: 10, side) }
            let before = ProcessUse(of: freshet.processID).memoryByteCount
            let crowd = try Crowd(kind, of: count, side)
            let after = ProcessUse(of: freshet.processID)
            let seconds = lab.isShort ? 1.0 : 10.0
            Thread.sleep(forTimeInterval: seconds)
            let rest = ProcessUse(of: freshet.processID)
            let bytes = (after.memoryByteCount - before) / crowd.count
            let share = (rest.cpuSeconds - after.cpuSeconds) / seconds * 100
            table.rows.append([name, count.text, bytes.text, share.text()])
            found.append("\(name): \(bytes.text) bytes, \(share.text()) %")
            lab.endServers()
        }
        return Section(
            headline: found.joined(separator: "; "),
            tables: [table],
            notes: [
                "Bytes are of the process's own memory (RssAnon); the kernel's are not counted."
            ]
        )
    }
}
