import Foundation

extension Row {
    /// The cost of polls by readers who have the current version, all with the same request.
    static let poll = Row(
        name: "poll",
        title: "Not-modified poll, the same bytes again and again",
        goal: "CPU per request at most 1.15 × the ceiling's, and below nginx's"
    ) { lab in
        let freshet = try lab.startFreshet()
        let token = try freshet.put("bench", FeedText.document(100))
        let request = Request(target: "/feeds/bench").with("If-None-Match", "\"\(token)\"")
        var sides = try peers(of: freshet, request, in: lab)
        sides.insert(Side("freshet", freshet, request, status: 304), at: 1)
        var section = Section()
        do {
            let nginx = try lab.startNginx(copying: freshet.exchange(request))
            sides.insert(nginx, at: 2)
        } catch let missing as MissingTool {
            section.notes.append("Without nginx: \(missing).")
        }
        for connections in [64, 512] {
            let comparison = try Comparison(sides, connections: connections, in: lab)
            section.tables.append(comparison.table("\(connections) connections:"))
            let found = sides[1...].prefix(2)
                .map { "\($0.name) \(comparison.costRatio($0.name).median.text()) ×" }
            section.headline += section.headline.isEmpty ? "" : "; "
            section.headline += "\(connections) connections: \(found.joined(separator: ", "))"
        }
        return section
    }

    /// Starts the ceiling and other servers in Swift, with the same answer.
    private static func peers(
        of freshet: Server,
        _ request: Request,
        in lab: Lab
    ) throws -> [Side] {
        let answer = try lab.write(freshet.exchange(request).bytes, to: "poll.answer")
        return try ["Ceiling", "HummingbirdPeer", "FlyingFoxPeer"].map { product in
            let name = product.replacing("Peer", with: "").replacing("Ceiling", with: "ceiling")
            return Side(name, try lab.startPeer(product, answer.path), request, status: 304)
        }
    }
}

extension Lab {
    /// Starts nginx, which answers `304` with the same fields to a client that has its file.
    func startNginx(copying answer: Answer, certificate: Certificate? = nil) throws -> Side {
        let own = ["etag", "date", "content-length", "last-modified", "content-type", "connection"]
        let fields = answer.fields.filter { !own.contains($0.name.lowercased()) }
        _ = try write(Array(repeating: UInt8(ascii: " "), count: 1000), to: "poll.json")
        let nginx = try startNginx(NginxSite(fields: fields, certificate: certificate))
        let request = Request(target: "/poll.json")
        let tag = try nginx.exchange(request)["ETag"] ?? ""
        return Side("nginx", nginx, request.with("If-None-Match", tag), status: 304)
    }
}
