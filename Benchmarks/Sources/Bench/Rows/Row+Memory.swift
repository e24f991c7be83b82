import Foundation

extension Row {
    /// The memory of a large feed.
    static let feedMemory = Row(
        name: "memory",
        title: "Memory of a feed",
        goal: "1,000,000 items of 160 bytes: at most 2.5 × the bytes of the JSON"
    ) { lab in
        let freshet = try lab.startFreshet()
        let before = try lab.settledMemory(of: freshet)
        let document = FeedText.document(lab.million)
        _ = try freshet.put("bench", document)
        let spent = try lab.settledMemory(of: freshet) - before
        let ratio = Double(spent) / Double(document.count)
        var table = Table(columns: ["items", "bytes of JSON", "bytes of memory", "ratio"])
        table.rows = [[lab.million.text, document.count.text, spent.text, ratio.text()]]
        return Section(
            headline: "\(ratio.text()) × the JSON",
            tables: [table],
            notes: ["The growth of the process's own memory (RssAnon), once it grows no more."]
        )
    }

    /// The memory of a feed's past versions.
    static let historyMemory = Row(
        name: "history",
        title: "Memory of 1,000 versions",
        goal: "of one change each, on 10,000 items: at most 16 MiB more than one version"
    ) { lab in
        let freshet = try lab.startFreshet()
        let count = lab.isShort ? 100 : 999
        _ = try freshet.put("bench", FeedText.document(10_000))
        let first = try freshet.change("bench", [0], likes: 1)
        let before = try lab.settledMemory(of: freshet)
        for number in 0..<count {
            _ = try freshet.change("bench", [(number * 7919) % 10_000], likes: number + 2)
        }
        let spent = try lab.settledMemory(of: freshet) - before
        // The server answers `410` if it has forgotten the version.
        _ = try freshet.exchange(Request(target: "/feeds/bench?limit=0&version=\(first)"))
        let mebibytes = Double(spent) / 1_048_576
        var table = Table(columns: ["further versions", "MiB of memory", "bytes each"])
        table.rows = [[count.text, mebibytes.text(1), (spent / count).text]]
        return Section(
            headline: "\(mebibytes.text(1)) MiB",
            tables: [table],
            notes: ["The oldest of them could still be read."]
        )
    }
}

extension Lab {
    /// Returns a process's own memory in bytes, once it stays the same or 5 seconds have passed.
    func settledMemory(of server: Server) throws -> Int {
        var last = -1
        for _ in 0..<10 {
            Thread.sleep(forTimeInterval: 0.5)
            let now = ProcessUse(of: server.processID).memoryByteCount
            if now == last { break }
            last = now
        }
        guard last > 0 else { throw Failure("\(server.name) has ended") }
        return last
    }
}
