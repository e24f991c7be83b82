import Foundation

extension Row {
    /// The cost of a whole feed, for readers who come for the first time.
    static let snapshot = Row(
        name: "snapshot",
        title: "Snapshot",
        goal: "10,000 items: CPU per request within 1.1 × nginx's for the same bytes from a file"
    ) { lab in
        let freshet = try lab.startFreshet()
        _ = try freshet.put("bench", FeedText.document(10_000))
        let nginx = try lab.startNginx()
        var section = Section()
        for coding in ["identity", "gzip"] {
            let request = Request(target: "/feeds/bench").with("Accept-Encoding", coding)
            let answer = try freshet.exchange(request)
            let recorded = try lab.write(answer.bytes, to: "\(coding).answer")
            // If a client takes gzip, nginx sends the file's compressed neighbour.
            _ = try lab.write(answer.body, to: "\(coding).json")
            if coding == "gzip" { _ = try lab.write(answer.body, to: "gzip.json.gz") }
            let other = Request(target: "/\(coding).json").with("Accept-Encoding", coding)
            let comparison = try Comparison(
                [
                    Side("nginx", nginx, other),
                    Side("freshet", freshet, request),
                    Side("ceiling", try lab.startPeer("Ceiling", recorded.path), request),
                ],
                connections: 16,
                in: lab
            )
            let size = answer.body.count.text
            section.tables.append(comparison.table("\(coding), \(size) bytes, 16 connections:"))
            section.headline += section.headline.isEmpty ? "" : ", "
            section.headline += "\(coding) \(comparison.costRatio("freshet").median.text()) ×"
        }
        section.headline += " nginx"
        return section
    }
}
