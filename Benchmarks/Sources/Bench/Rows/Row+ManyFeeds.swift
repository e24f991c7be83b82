import Foundation

extension Row {
    /// The cost of many small feeds in one server.
    static let manyFeeds = Row(
        name: "many",
        title: "Many small feeds",
        goal: "memory and time for each that do not depend on how many there are"
    ) { lab in
        let counts = lab.isShort ? [1_000, 5_000] : [10_000, 100_000]
        var table = Table(columns: [""] + counts.map { "\($0.text) feeds" })
        let found = try counts.map { try ManyFeeds(lab, $0).measure() }
        for (index, line) in found[0].enumerated() {
            let figures = found.map { $0[index].value.text(line.decimals) }
            table.rows.append([line.name] + figures)
        }
        return Section(
            headline: "\(found[1][0].value.text(0)) bytes each",
            tables: [table],
            notes: [
                """
                Feeds of five items (350 bytes), each by a request of its own on a connection of \
                its own. Memory is the process's own (RssAnon); times are CPU times of the server.
                """
            ]
        )
    }
}

/// A server with so many feeds.
private struct ManyFeeds {
    typealias Line = (name: String, value: Double, decimals: Int)

    let lab: Lab
    let count: Int
    let server: Server

    init(_ lab: Lab, _ count: Int) throws {
        self.lab = lab
        self.count = count
        server = try lab.startFreshet()
        _ = try server.put("warm", Self.body(0))
    }

    func measure() throws -> [Line] {
        let start = try lab.settledMemory(of: server)
        var lines: [Line] = []
        let put = try cpuSeconds { try forEach { _ = try server.put($0, Self.body(1)) } }
        let published = try lab.settledMemory(of: server)
        lines.append(("bytes of memory each", Double(published - start) / Double(count), 0))
        lines.append(("µs of a first publish", put / Double(count) * 1e6, 0))
        let read = try cpuSeconds {
            try forEach { _ = try server.exchange(Request(target: "/feeds/\($0)")) }
        }
        let answered = try lab.settledMemory(of: server)
        lines.append(("µs of a first read", read / Double(count) * 1e6, 0))
        lines.append(
            ("more bytes each, when read", Double(answered - published) / Double(count), 0)
        )
        let patch = try cpuSeconds { try forEach { _ = try server.put($0, Self.body(2)) } }
        let second = try lab.settledMemory(of: server)
        lines.append(("µs of a second publish", patch / Double(count) * 1e6, 0))
        lines.append(("more bytes each, for it", Double(second - answered) / Double(count), 0))
        lines.append(("µs for a page of 100 of the list", try pages() * 1e6, 0))
        let delete = try cpuSeconds {
            try forEach { _ = try server.exchange(Server.publish("DELETE", $0, [])) }
        }
        lines.append(("µs of a delete", delete / Double(count) * 1e6, 0))
        let rest = try lab.settledMemory(of: server) - start
        lines.append(
            (
                "% of the memory left after all are deleted",
                Double(rest) / Double(second - start) * 100, 1
            )
        )
        return lines
    }

    private func forEach(_ body: (String) throws -> Void) throws {
        for number in 0..<count { try body("feed-\(number)") }
    }

    /// Returns the mean CPU time of a page of the whole list, in seconds.
    private func pages() throws -> Double {
        struct Page: Decodable {
            let next: String?
        }
        var target: String? = "/feeds?limit=100"
        var number = 0
        let seconds = try cpuSeconds {
            while let page = target {
                let answer = try server.exchange(Request(target: page))
                number += 1
                let next = try JSONDecoder().decode(Page.self, from: answer.body).next
                target = next.map { $0.hasPrefix("/") ? $0 : "/feeds\($0)" }
            }
        }
        guard number >= count / 100 else { throw Failure("only \(number) pages") }
        return seconds / Double(number)
    }

    private func cpuSeconds(_ work: () throws -> Void) rethrows -> Double {
        let before = ProcessUse(of: server.processID).cpuSeconds
        try work()
        return ProcessUse(of: server.processID).cpuSeconds - before
    }

    private static func body(_ version: Int) -> [UInt8] {
        let items = (0..<5).map { index in
            #"{"id":"\#(index)","title":"An item of this feed","n":\#(version + index)}"#
        }
        return Array(#"{"title":"A feed","items":[\#(items.joined(separator: ","))]}"#.utf8)
    }
}
