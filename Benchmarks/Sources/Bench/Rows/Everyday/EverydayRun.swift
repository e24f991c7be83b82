import Foundation

/// Sends everyday requests to the server, and to others beside it.
struct EverydayRun {
    let lab: Lab
    let freshet: Server
    let mix: EverydayMix
    var certificate: Certificate?

    /// The seconds of a turn: turns are short, for there are many of them.
    private var seconds: Double { lab.seconds / 4 }

    private typealias Side = (name: String, server: Server, requests: RequestMix)

    /// Measures one kind of request.
    func line(_ kind: EverydayRequest) throws -> EverydayTable.Line {
        var sides = [(name: "freshet", server: freshet, requests: RequestMix(mix.requests(kind)))]
        if let floor = try floor(kind) {
            sides.append((EverydayTable.floor, floor, RequestMix(mix.requests(kind))))
        }
        if let nginx = try nginx(kind) { sides.append(nginx) }
        defer { for side in sides.dropFirst() { lab.end(side.server) } }
        let loads = try turns(sides.map { side in { _ in load(kind, side) } })
        return EverydayTable.Line(
            name: kind.name,
            status: kind.status,
            freshet: loads[0],
            others: zip(sides, loads).dropFirst().map { ($0.name, $1) },
            isResumed: kind.resumes
        )
    }

    /// Measures polls beside the same polls while feeds change.
    func pollWhileFeedsChange() throws -> EverydayTable.Line {
        let kind = EverydayRequest.poll
        let side = Side("freshet", freshet, RequestMix(mix.requests(kind)))
        let publisher = FeedPublisher(freshet, mix.feeds.all.prefix(100).map(\.name))
        guard let floor = try floor(kind) else { throw Failure("there is no ceiling") }
        let other = Side(EverydayTable.floor, floor, RequestMix(mix.requests(kind)))
        defer { lab.end(floor) }
        let loads = try turns([
            { _ in try publisher.publish { load(kind, side) } },
            { _ in load(kind, other) },
        ])
        return EverydayTable.Line(
            name: "poll, while 10 feeds a second change",
            status: 304,
            freshet: loads[0],
            others: [(other.name, loads[1])],
            isMixed: true
        )
    }

    /// Warms each side up, then has them take turns.
    private func turns(_ sides: [(Double) throws -> Load]) throws -> [[Load]] {
        for side in sides { _ = try side(min(0.2, seconds)) }
        return try Turns.run(lab.rounds, sides.map { side in { try side(seconds) } })
    }

    private func load(_ kind: EverydayRequest, _ side: Side) -> Load {
        Load(side.requests, to: side.server, way(kind), seconds: seconds)
    }

    private func way(_ kind: EverydayRequest) -> RequestMix.Way {
        RequestMix.Way(
            connections: kind.connects ? 16 : 64,
            connects: kind.connects,
            resumes: kind.resumes,
            streams: kind.streams
        )
    }
}

/// The servers that this one is compared with.
extension EverydayRun {
    /// Starts a server that sends the very bytes of an answer of the server's, and does no more.
    private func floor(_ kind: EverydayRequest) throws -> Server? {
        guard !kind.isSecure else { return nil }
        guard !kind.streams else { return try bareStream(kind) }
        let answer = try answer(kind)
        guard answer.status == kind.status else {
            throw Failure("\(kind.name): status \(answer.status)")
        }
        let file = try lab.write(answer.bytes, to: "everyday.answer")
        return try kind.connects
            ? lab.startPeer("Ceiling", file.path, "close") : lab.startPeer("Ceiling", file.path)
    }

    /// Returns the server's answer to one of the browsers.
    private func answer(_ kind: EverydayRequest) throws -> Answer {
        let requests = mix.requests(kind)
        let browser = requests.first { $0.fields.contains { $0.name == "Sec-Fetch-Mode" } }
        guard let request = browser ?? requests.first else { throw Failure("no request") }
        return try freshet.answer(to: request)
    }

    /// Starts a server that sends a head and an event of the size of the server's.
    private func bareStream(_ kind: EverydayRequest) throws -> Server {
        let side = Side("freshet", freshet, RequestMix(mix.requests(kind)))
        let load = load(kind, side)
        if let fault = load.fault { throw Failure("\(kind.name): \(fault)") }
        // The bare stream's own head has 52 bytes.
        return try lab.startPeer("BareStream", "\(max(9, Int(load.byteCount) - 52))")
    }

    /// Starts nginx with the same bytes in files and the same fields; `nil`: nginx cannot do that.
    private func nginx(_ kind: EverydayRequest) throws -> Side? {
        guard kind.files != .none else { return nil }
        let own = ["etag", "date", "content-length", "last-modified", "content-type", "connection"]
        let answer = try answer(kind)
        let site = NginxSite(
            fields: answer.fields.filter { !own.contains($0.name.lowercased()) },
            certificate: certificate,
            root: "www",
            openFileCount: 4000,
            sendsCompressed: false
        )
        guard let nginx = try? lab.startNginx(site) else { return nil }
        var tags: [String: String] = [:]
        if kind.hasTag {
            for feed in mix.feeds.all {
                tags[feed.name] = try nginx.exchange(Request(target: "/feeds/\(feed.name)"))["ETag"]
            }
        }
        let requests = mix.requests(kind) { tags[$0.name] ?? "" }
        return Side("nginx", nginx, RequestMix(requests))
    }
}
