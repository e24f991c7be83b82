import ArgumentParser
import HTTPServer
import Logging

/// The options of `freshet serve` on the command line; most can stand in variables and in the
/// configuration file as well.
struct ServeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The configuration file, in YAML (FRESHET_CONFIG).", valueName: "file"),
        completion: .file()
    )
    var config: String?

    @Option(
        help: "The address to listen on (default: 127.0.0.1; FRESHET_HOST).",
        transform: ServeSetting.host.argument
    )
    var host: String?

    @Option(
        help: "The port; 0 takes any that is free (default: 8080; FRESHET_PORT).",
        transform: ServeSetting.port.argument
    )
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "Where the server's own figures are, /metrics (default: nowhere; FRESHET_ADMIN).",
            valueName: "address:port"
        ),
        transform: ServeSetting.admin.argument
    )
    var admin: ListenAddress?

    @Option(
        help: ArgumentHelp(
            "A key that may read and write everything; can be repeated (FRESHET_KEY, with commas, or FRESHET_KEY_FILE).",
            valueName: "key"
        )
    )
    var key: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Where feeds are kept: a folder, postgres://…, or memory, which forgets them (default: \
            freshet-data; FRESHET_DATA).
            """,
            valueName: "dir"
        ),
        completion: .directory
    )
    var data: String?

    @Flag(
        help: """
            Take a folder that was copied, or a database that was put back to an earlier state: \
            every feed gets a new epoch.
            """
    )
    var adopt = false

    @Option(
        help: ArgumentHelp(
            """
            When cut off from a database, how long /readyz still says ready (default: 30s; \
            FRESHET_STALE_AFTER).
            """,
            valueName: "time"
        ),
        transform: ServeSetting.staleAfter.argument
    )
    var staleAfter: Duration?

    @Option(
        help: ArgumentHelp(
            "Follow the server at this address, and serve what it serves (FRESHET_MIRROR).",
            valueName: "url"
        )
    )
    var mirror: String?

    @Option(
        help: ArgumentHelp(
            "The key to follow with; the variable does not show in ps (FRESHET_MIRROR_KEY).",
            valueName: "key"
        )
    )
    var mirrorKey: String?

    @Option(
        help: ArgumentHelp(
            "The feeds to follow, with * for anything; can be repeated (default: all).",
            valueName: "pattern"
        )
    )
    var mirrorFeeds: [String] = []

    @Option(
        help: ArgumentHelp(
            "What a mirror names as the place to publish at (FRESHET_PUBLISH_URL).",
            valueName: "url"
        )
    )
    var publishURL: String?

    @Option(
        help: ArgumentHelp(
            "Without a key, write the one that is made to this file, which only its owner can read.",
            valueName: "file"
        ),
        completion: .file()
    )
    var keyFile: String?

    @Option(
        help: ArgumentHelp(
            "A name in Host that the operator's listener, or a server for this machine only, answers to.",
            valueName: "name"
        )
    )
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Proxies whose word is taken for who sent a request, separated by commas \
            (FRESHET_TRUSTED_PROXIES).
            """,
            valueName: "networks"
        ),
        transform: ServeSetting.trustedProxies.argument
    )
    var trustedProxies: [TrustedProxies.Network]?

    @Option(
        help: ArgumentHelp(
            """
            Where they say it: x-forwarded-for, forwarded, or proxy-protocol (default: \
            x-forwarded-for; FRESHET_FORWARDED_FIELD).
            """,
            valueName: "field"
        ),
        completion: .list(["x-forwarded-for", "forwarded", "proxy-protocol"]),
        transform: ServeSetting.forwardedField.argument
    )
    var forwardedField: TrustedProxies.Field?

    @Option(
        help: ArgumentHelp(
            "The folder of the web client (default: Public, where there is one; FRESHET_PUBLIC).",
            valueName: "dir"
        ),
        completion: .directory
    )
    var `public`: String?

    @Option(
        name: .customLong("tls-cert"),
        help: ArgumentHelp(
            "The certificate, as PEM, with those that follow it: serve HTTPS (FRESHET_TLS_CERT).",
            valueName: "file"
        ),
        completion: .file()
    )
    var certificate: String?

    @Option(
        name: .customLong("tls-key"),
        help: ArgumentHelp(
            "The certificate's private key, as PEM (FRESHET_TLS_KEY).",
            valueName: "file"
        ),
        completion: .file()
    )
    var certificateKey: String?

    @Option(
        help: "How many event loops serve (default: one a core; FRESHET_LOOPS).",
        transform: ServeSetting.loops.argument
    )
    var loops: Int?

    @Flag(inversion: .prefixedNo, help: "Serve feeds that live, to try out (FRESHET_DEMO).")
    var demo: Bool?

    @Option(
        help: ArgumentHelp(
            "What the past versions of all feeds may weigh (default: 256MiB; FRESHET_HISTORY).",
            valueName: "size"
        ),
        transform: ServeSetting.history.argument
    )
    var history: Int?

    @Option(
        help: ArgumentHelp(
            "What all feeds may take of the memory (default: five eighths; FRESHET_MEMORY_LIMIT).",
            valueName: "size"
        ),
        transform: ServeSetting.memoryLimit.argument
    )
    var memoryLimit: Int?

    @Option(
        help: "text (default) or json, for all logs (FRESHET_LOG_FORMAT).",
        completion: .list(["text", "json"]),
        transform: ServeSetting.logFormat.argument
    )
    var logFormat: LogFormat?

    @Option(
        help: ArgumentHelp(
            "trace, debug, info (default), notice, warning, error or critical (FRESHET_LOG_LEVEL).",
            valueName: "level"
        ),
        completion: .list(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
        transform: ServeSetting.logLevel.argument
    )
    var logLevel: Logger.Level?

    @Flag(
        inversion: .prefixedNo,
        help: "Write a line for every answer to standard output (FRESHET_ACCESS_LOG)."
    )
    var accessLog: Bool?

    /// The options that are settings.
    var settings: ServeSettings.Options {
        ServeSettings.Options(
            host: host,
            port: port,
            keys: key,
            publicFolder: `public`,
            certificate: certificate,
            certificateKey: certificateKey,
            loops: loops,
            servesDemo: demo,
            historyByteLimit: history,
            memoryByteLimit: memoryLimit,
            logFormat: logFormat,
            logLevel: logLevel,
            writesAccessLog: accessLog,
            allowedHosts: allowHost,
            dataFolder: data,
            adoptsData: adopt,
            staleTime: staleAfter,
            mirror: mirror,
            mirrorKey: mirrorKey,
            mirrorFeeds: mirrorFeeds,
            publishURL: publishURL,
            trustedProxies: trustedProxies,
            forwardedField: forwardedField,
            admin: admin
        )
    }
}
