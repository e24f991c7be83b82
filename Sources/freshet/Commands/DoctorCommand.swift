import ArgumentParser

/// `freshet doctor`: checks everything that a server depends on.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look at all that a server depends on, and say what to do about it.",
        discussion: """
            A line each, with ok, warn or fail: the configuration as serve reads it, limits, \
            memory, clock, libraries, certificates and keys, the data folder or the database, \
            ports, and the server that runs. Run it as the server's user, with its variables. It \
            changes nothing. The status is 0 when nothing fails, and 1 otherwise.
            """
    )

    @Option(
        help: ArgumentHelp("The configuration file, in YAML (FRESHET_CONFIG).", valueName: "file"),
        completion: .file()
    )
    var config: String?

    @Option(help: "The address to listen on, where serve is given one.")
    var host: String?

    @Option(help: "The port, where serve is given one.", transform: ServeSetting.argument("port"))
    var port: String?

    @Option(
        help: ArgumentHelp("Where feeds are kept, where serve is given that.", valueName: "dir"),
        completion: .directory,
        transform: ServeSetting.argument("data")
    )
    var data: String?

    @Option(
        help: ArgumentHelp("The server to follow, where serve is given that.", valueName: "url")
    )
    var mirror: String?

    @Option(
        help: ArgumentHelp(
            "The server that runs (default: where the configuration says; FRESHET_SERVER).",
            valueName: "url"
        )
    )
    var server: String?

    @OptionGroup var trust: TrustOptions

    @Flag(help: "Print one JSON document.")
    var json = false

    mutating func run() async throws {
        let environment = Environment()
        let options: [String: String?] = [
            "host": host, "port": port, "data": data, "mirror": mirror,
        ]
        let given = options.compactMapValues { $0.map { [$0] } }
        var doctor = Doctor(source: SettingsSource(given, environment, path: config))
        doctor.server = try (server ?? environment.value("server")).map {
            try ServiceOptions.address($0).withoutLastSlash
        }
        doctor.authorities = try trust.authorities(environment)
        doctor.verifiesServers = !trust.insecure
        let findings = await doctor.findings()
        if json {
            try StandardOutput.print(json: Finding.document(findings))
        } else {
            for finding in findings { try StandardOutput.print(finding.line) }
        }
        if findings.contains(where: { $0.level == .fail }) {
            throw ExitCode(CommandFailure.otherStatus)
        }
    }
}
