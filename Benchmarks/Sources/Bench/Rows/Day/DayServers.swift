import Foundation

/// The servers of a day, each with TLS and without.
struct DayServers {
    private struct Transport {
        let isSecure: Bool
        let freshet: Server
        let nginx: Server?
        let quiet: QuietTime
    }

    private let lab: Lab
    private var transports: [Transport] = []
    /// The measurements that were left out, in words.
    private(set) var missing: [String] = []

    /// Starts them, and readers to whom nothing happens.
    init(in lab: Lab) throws {
        self.lab = lab
        var certificates: [Certificate?] = [nil]
        do {
            certificates.append(try Certificate(in: lab))
        } catch let tool as MissingTool {
            missing.append("TLS, as \(tool)")
        }
        for certificate in certificates {
            let options = certificate.map { ["--tls-cert", $0.chain, "--tls-key", $0.key] } ?? []
            let isSecure = certificate != nil
            transports.append(
                Transport(
                    isSecure: isSecure,
                    freshet: try lab.startFreshet(options, isSecure: isSecure),
                    nginx: try startNginx(certificate),
                    quiet: try QuietTime(options: options, isSecure: isSecure, in: lab)
                )
            )
        }
    }

    private mutating func startNginx(_ certificate: Certificate?) throws -> Server? {
        do {
            return try lab.startNginx(NginxSite(certificate: certificate, openFileCount: 0))
        } catch let tool as MissingTool {
            if certificate == nil { missing.append("nginx, as \(tool)") }
            return nil
        }
    }

    /// Has all readers keep up with a list for as long as it was watched; `quiet` is what nothing
    /// takes, without TLS and with it.
    func result(of history: EditHistory, _ quiet: [QuietTime.Costs]) throws -> DayResult {
        var result = DayResult(history)
        // A month has polls enough.
        let rounds = history.statistics.days == 1 ? lab.rounds : 1
        for transport in transports {
            let readers = readers(of: history, transport)
            let uses = try Turns.run(
                rounds,
                readers.map { reader in { try DayOfPolling.run(history, reader) } }
            )
            for (reader, uses) in zip(readers, uses) {
                result.add(reader.name, uses, isSecure: transport.isSecure)
            }
        }
        for (transport, quiet) in zip(transports, quiet) {
            for (name, use) in try waiting(history, transport, quiet) {
                result.add(name, [use], isSecure: transport.isSecure)
            }
        }
        return result
    }

    private func readers(
        of history: EditHistory,
        _ transport: Transport
    ) -> [any PollingReader] {
        let feed = history.statistics.name
        var readers: [any PollingReader] = [DeltaReader(transport.freshet, feed)]
        if let nginx = transport.nginx {
            readers += [true, false].map {
                FileReader(nginx, feed, isConditional: $0, in: lab)
            }
        }
        return readers + [AtomReader(transport.freshet, feed)]
    }

    /// Waits for the end of the time in which nothing happens.
    ///
    /// - Returns: What nothing takes, without TLS and with it.
    func endQuiet() throws -> [QuietTime.Costs] {
        try transports.map { try $0.quiet.end() }
    }

    private func waiting(
        _ history: EditHistory,
        _ transport: Transport,
        _ quiet: QuietTime.Costs
    ) throws -> [(name: String, use: ReadingUse)] {
        try [
            (
                "Freshet, answers held for \(DayOfWaiting.wait) s",
                DayOfWaiting.longPolls(history, of: transport.freshet, quiet: quiet)
            ),
            (
                "Freshet, a stream",
                DayOfWaiting.stream(history, of: transport.freshet, quiet: quiet)
            ),
        ]
    }

    /// How it is measured.
    static let notes = [
        """
        The lists are made from seeds, with the statistics of three public lists that were watched \
        in November 2026 (`ListStatistics.swift`): how many items come, go, move and change, and \
        how long texts are. Time is simulated: what was published since is published between two \
        polls. Readers have the list at the beginning, send an app's fields \
        (`ClientKind.phone`), and take gzip. What they receive and send is counted as TCP \
        carries it, heads included; with TLS 1.3, all of its records. Each poll is on a \
        connection of its own, since servers close idle ones after 75 s; with TLS it goes on \
        with the last session. `Refresh-After` is counted as three digits, as it would be at this \
        pace. kB are 1,000 bytes.
        """,
        """
        Readers that wait have one connection for all the time. An answer that is held in vain, \
        and a stream's comment every 25 s, were waited for in real time by 300 readers, and count \
        as often as they fall into the pauses between the edits. Time on a core is that of the \
        polls, without the publishes; of readers that wait, that of those answers and comments alone, less \
        what a server without readers takes. The client's includes gzip and JSON, and for Freshet the changes' application; Atom is not parsed.
        """,
        """
        nginx sends the list as its publisher wrote it, compressed before by gzip -6. Atom has an \
        item's title, link, texts and times alone, and says nothing of what was moved or removed. \
        Messages of rows are computed: an event of a stream with the whole row and its place for \
        each row that was inserted, updated or moved, and the id of one that was deleted, without \
        heads and comments; with gzip in one stream that is flushed after each edit. Byte patches \
        are zstd's of the publisher's bytes (level 19, the version before as the dictionary).
        """,
    ]
}
