import Foundation

extension Row {
    /// The requests that clients send all day, which all differ.
    static let everyday = Row(
        name: "everyday",
        title: "Everyday requests",
        goal: """
            CPU per request, to the ceiling's: poll 1.25, delta, snapshot 1.4, pull 2.0, rows and `404` \
            1.6; to nginx's: small files 1.0, new connections 1.15
            """
    ) { lab in
        let keys = ReaderKeys(100)
        let folder = try lab.writeStaticFile()
        let freshet = try lab.startFreshet(
            ["--public", folder],
            configuration: keys.configuration(isClosed: false)
        )
        let feeds = try EverydayFeeds(
            on: freshet,
            lab.isShort ? 100 : 1_000,
            pastVersions: lab.isShort ? 16 : 64
        )
        try lab.writeFiles(of: feeds, on: freshet)
        let mix = EverydayMix(feeds: feeds, keys: keys, count: 8_192)
        let run = EverydayRun(lab: lab, freshet: freshet, mix: mix)
        var open = EverydayTable(title: "Feeds that everyone may read:")
        for kind in EverydayRequest.open { open.lines.append(try run.line(kind)) }
        try lab.close(feeds, of: freshet, keys)
        var closed = EverydayTable(title: "Feeds that only keys may read:")
        for kind in EverydayRequest.closed { closed.lines.append(try run.line(kind)) }
        try lab.open(feeds, of: freshet, keys)
        open.lines.append(try run.pollWhileFeedsChange())
        lab.end(freshet)
        var section = Section(headline: headline(open), tables: [open.table, closed.table])
        do {
            section.tables.append(try secureTable(lab, keys).table)
        } catch let missing as MissingTool {
            section.notes.append("Without TLS: \(missing).")
        }
        section.notes.append(
            """
            \(feeds.all.count.text) feeds of eight items, chosen as readers choose (Zipf), \
            \(feeds.version - 1) past versions, browsers, phones and curl, 100 keys and 50 origins, \
            mixed on each connection; each request has a number of its own. 64 connections that \
            stay, or 16 new ones at a time. The ceiling of a stream is a bare writer; that of a new \
            connection closes it, too.
            """
        )
        return section
    }

    private static func secureTable(_ lab: Lab, _ keys: ReaderKeys) throws -> EverydayTable {
        let certificate = try Certificate(in: lab)
        let freshet = try lab.startFreshet(
            ["--tls-cert", certificate.chain, "--tls-key", certificate.key],
            configuration: keys.configuration(isClosed: false),
            isSecure: true
        )
        let feeds = try EverydayFeeds(on: freshet, lab.isShort ? 20 : 200, pastVersions: 1)
        try lab.writeFiles(of: feeds, on: freshet)
        let mix = EverydayMix(feeds: feeds, keys: keys, count: 4_096)
        let run = EverydayRun(lab: lab, freshet: freshet, mix: mix, certificate: certificate)
        var table = EverydayTable(title: "TLS 1.3, against nginx with the same certificate:")
        for kind in EverydayRequest.secure { table.lines.append(try run.line(kind)) }
        return table
    }

    private static func headline(_ table: EverydayTable) -> String {
        let found = ["poll", "poll, key", "delta", "small snapshot"].compactMap { name in
            let line = table.lines.first { $0.name == name }
            return line?.ratio(to: EverydayTable.floor).map { "\(name) \($0.median.text())" }
        }
        return found.joined(separator: ", ") + " × the ceiling"
    }
}

/// The files and configurations of the servers.
extension Lab {
    /// Writes a file that is too small to be compressed, and returns its folder.
    fileprivate func writeStaticFile() throws -> String {
        let text = String(repeating: "// What a page loads.\n", count: 32)
        return try write(Data(text.utf8), to: "www/app.js").deletingLastPathComponent().path
    }

    /// Writes the server's answers as files, for a server of files.
    fileprivate func writeFiles(of feeds: EverydayFeeds, on server: Server) throws {
        for feed in feeds.all {
            let answer = try server.exchange(Request(target: "/feeds/\(feed.name)"))
            try write(answer.body, to: "www/feeds/\(feed.name)")
        }
    }

    fileprivate func close(_ feeds: EverydayFeeds, of server: Server, _ keys: ReaderKeys) throws {
        try reload(server, keys.configuration(isClosed: true), feeds, until: 401)
    }

    fileprivate func open(_ feeds: EverydayFeeds, of server: Server, _ keys: ReaderKeys) throws {
        try reload(server, keys.configuration(isClosed: false), feeds, until: 200)
    }

    /// Has the server read another configuration, and waits until a reader without a key gets this
    /// status.
    private func reload(
        _ server: Server,
        _ configuration: String,
        _ feeds: EverydayFeeds,
        until status: Int
    ) throws {
        try writeConfiguration(configuration)
        kill(server.processID, SIGHUP)
        let request = Request(target: "/feeds/\(feeds.all[0].name)")
        for _ in 0..<500 {
            if try server.answer(to: request).status == status { return }
            Thread.sleep(forTimeInterval: 0.01)
        }
        throw Failure("the server did not read its configuration again")
    }
}
