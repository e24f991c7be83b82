import ArgumentParser
import Foundation

/// `freshet serve`: serves feeds until SIGTERM or SIGINT.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve feeds, kept in memory, until SIGTERM or SIGINT.",
        discussion: """
            Without a key, one is made and printed. When the server is ready, it prints \
            "freshet: listening on http://HOST:PORT" to standard error.
            """
    )

    @Option(help: "The address to listen on (default: 127.0.0.1; FRESHET_HOST).")
    var host: String?

    @Option(help: "The port; 0 takes any that is free (default: 8080; FRESHET_PORT).")
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "A key that may read and write everything; can be repeated (FRESHET_KEY, with commas).",
            valueName: "key"
        )
    )
    var key: [String] = []

    @Option(
        help: ArgumentHelp(
            "The folder of the web client (default: Public, where there is one; FRESHET_PUBLIC).",
            valueName: "dir"
        )
    )
    var `public`: String?

    @Option(
        name: .customLong("tls-cert"),
        help: ArgumentHelp(
            "The certificate, as PEM, with those that follow it: serve HTTPS (FRESHET_TLS_CERT).",
            valueName: "file"
        )
    )
    var certificate: String?

    @Option(
        name: .customLong("tls-key"),
        help: ArgumentHelp(
            "The certificate's private key, as PEM (FRESHET_TLS_KEY).",
            valueName: "file"
        )
    )
    var certificateKey: String?

    @Option(help: "How many event loops serve (default: one a core; FRESHET_LOOPS).")
    var loops: Int?

    @Flag(inversion: .prefixedNo, help: "Serve feeds that live, to try out (FRESHET_DEMO).")
    var demo: Bool?

    /// How long a stop waits for those who are being answered.
    private static let stopLimit = Duration.seconds(10)

    mutating func run() async throws {
        let options = ServeSettings.Options(
            host: host,
            port: port,
            keys: key,
            publicFolder: `public`,
            certificate: certificate,
            certificateKey: certificateKey,
            loops: loops,
            servesDemo: demo
        )
        var settings = try ServeSettings(options, Environment()) { folder in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
                && isFolder.boolValue
        }
        if settings.keys.isEmpty {
            settings.keys = [KeyText.random()]
            StandardError.print("freshet: key \(settings.keys[0])")
        }
        let serving = try open(settings)
        for warning in serving.warnings { StandardError.print("freshet: \(warning)") }
        serving.start()
        let url = ServeCommand.url(
            host: settings.host,
            port: serving.port,
            isSecure: settings.tls != nil
        )
        StandardError.print("freshet: listening on \(url)")
        await StopSignals.first()
        await serving.stop(within: ServeCommand.stopLimit)
    }

    private func open(_ settings: ServeSettings) throws(CommandFailure) -> Serving {
        do {
            return try Serving(settings)
        } catch {
            throw .other("\(error)")
        }
    }

    /// Where a server is; an IPv6 address stands in brackets (RFC 3986 §3.2.2).
    static func url(host: String, port: Int, isSecure: Bool = false) -> String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "https" : "http")://\(name):\(port)"
    }
}
