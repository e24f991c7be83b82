import FeedJournal
import FeedStore
import Foundation
import Glibc
import HTTPClient
import HTTPServer
import HTTPTypes
import HTTPWire
import Platform

/// Checks of ports, of a running server, and of the database.
enum NetworkChecks {
    /// The longest time that a server may take to answer.
    private static let limit = Duration.seconds(5)

    /// Checks whether a server could listen on a port, 0 for any free one; `isServing` says that it
    /// already does.
    static func port(host: String, port: Int, isServing: Bool) -> Finding {
        let place = "\(host):\(port)"
        if port == 0 { return .ok("port", "any that is free on \(host)") }
        guard let error = HTTPServer.bindError(host: host, port: port) else {
            return .ok("port", "\(place) is free")
        }
        switch error.code {
        case EADDRINUSE where isServing: return .ok("port", "\(place): the server has it")
        case EADDRINUSE:
            return .fail("port", "\(place) is taken by another process", "see ss -ltnp; port")
        case EACCES:
            let advice =
                "use one from 1024 on, or systemd: AmbientCapabilities=CAP_NET_BIND_SERVICE"
            return .fail("port", "\(place) is not for this user", advice)
        default: return .fail("port", "\(error)", "name an address of this machine: host")
        }
    }

    /// The response of a server to `GET /readyz`.
    struct Answer: Sendable {
        var status: Int
        /// The first 2000 bytes of the body.
        var text: String
        /// The time in the Date field, in seconds since 1970; `nil`: the field is missing.
        var time: Double?
    }

    /// Asks a server whether it is ready, by its base URL without a slash at its end; it has 5
    /// seconds to answer.
    static func ask(_ url: String, _ client: HTTPClient) async -> Result<Answer, HTTPClientError> {
        var request = HTTPClient.Request(.get, url + "/readyz")
        request.limits.connecting = limit
        request.limits.whole = limit
        return await client.result(of: request).map { response in
            let now = Int(Date().timeIntervalSince1970)
            let date = response.fields[.date].flatMap { HTTPDate.parse($0, now: now) }
            let text = String(decoding: response.body.prefix(2000), as: UTF8.self)
            return Answer(status: response.status, text: text, time: date.map(Double.init))
        }
    }

    /// Judges a server by its response.
    static func server(_ url: String, _ answer: Result<Answer, HTTPClientError>) -> Finding {
        switch answer {
        case .failure(let error):
            return .warn("server", "nothing answers at \(url): \(error)", "start it, or --server")
        case .success(let answer):
            let text = answer.text.split(separator: "\n").first.map(String.init) ?? ""
            if answer.status == 200, text == "ready" { return .ok("server", "\(url) is ready") }
            if answer.status == 200, text.hasPrefix("degraded") {
                return .warn("server", "\(url) is \(text)", "see its log")
            }
            let isSecure = answer.status == 400 && text.hasPrefix("This port speaks HTTPS")
            let advice = isSecure ? "name it: --server https://HOST:PORT" : "see its log"
            return .fail("server", "\(url) is not ready (\(answer.status)): \(text)", advice)
        }
    }

    /// Checks the database, without changing anything there.
    static func database(_ address: String, now: () -> Double) -> [Finding] {
        let probe: PostgresProbe
        do throws(JournalError) {
            probe = try PostgresProbe(address)
        } catch {
            return [.fail("database", "\(error)", "see data, and libpq's PGPASSFILE")]
        }
        return database(probe) + [
            MachineChecks.skew(seconds: now() - probe.time, from: "the database")
        ]
    }

    private static func database(_ probe: PostgresProbe) -> [Finding] {
        let version = "\(probe.serverVersion / 10_000).\(probe.serverVersion % 10_000)"
        let text = "postgresql \(version) at \(probe.place)"
        if probe.serverVersion < 130_000 {
            return [.fail("database", text, "upgrade to 13 or newer")]
        }
        if probe.isReadOnly {
            let advice = "add target_session_attrs=read-write to the address"
            return [.fail("database", "\(text) is a standby", advice)]
        }
        if !probe.syncs {
            let advice = "set fsync to on: a power cut loses what was acknowledged"
            return [.warn("database", "\(text) does not sync", advice)]
        }
        return [.ok("database", text)]
    }
}
