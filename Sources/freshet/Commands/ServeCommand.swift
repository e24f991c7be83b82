import ArgumentParser
import Foundation
import HTTPServer
import Logging
import Platform

/// `freshet serve`: serves feeds until SIGTERM or SIGINT.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve feeds until SIGTERM or SIGINT.",
        discussion: """
            Feeds are kept in the folder freshet-data, unless --data says otherwise. Without a \
            key, one is made, and kept in the file key there. When the server is ready, it prints \
            "freshet: listening on http://HOST:PORT" to standard error. SIGHUP has it read the \
            configuration file and the certificate again, SIGTERM and SIGINT stop it.
            """
    )

    @Option(
        help: ArgumentHelp("The configuration file, in YAML (FRESHET_CONFIG).", valueName: "file"),
        completion: .file()
    )
    var config: String?

    @OptionGroup var options: ServeOptions

    mutating func run() async throws {
        for number in [SIGTERM, SIGINT] { StopSignals.endProcess(at: number) }
        // The reader of a log may leave before the server does.
        signal(SIGPIPE, SIG_IGN)
        // Some tools send SIGUSR1 to have logs opened again; here there are none to open.
        signal(SIGUSR1, SIG_IGN)
        let source = SettingsSource(options.given, Environment(), path: config)
        let reloads = try ReloadSignal()
        // The log's format in the file is not known before the file is read.
        let given = options.given["log-format"]?.first ?? Environment().value("log-format")
        var output = LogOutput(given.flatMap { LogFormat(rawValue: $0) } ?? .text, level: .info)
        do {
            let reading = try source.read()
            let settings = reading.settings
            output = LogOutput(settings.logFormat, level: settings.logLevel)
            let problems = settings.problems
            guard problems.isEmpty else {
                throw CommandFailure.usage(problems.joined(separator: "\n"))
            }
            for warning in reading.warnings { output.logger("freshet").warning("\(warning)") }
            try await serve(settings, from: source, reloads, output)
        } catch let failure as CommandFailure where output.format == .json {
            for line in failure.message.split(separator: "\n") {
                output.announce(String(line), level: .critical)
            }
            await output.flush(within: .seconds(1))
            throw ExitCode(failure.status)
        } catch {
            // Earlier lines of the log may give the reason of the error.
            await output.flush(within: .seconds(1))
            throw error
        }
        await output.flush(within: .seconds(1))
    }

    /// Returns the key that an earlier server here made, or else a new one.
    private static func madeKey(_ settings: ServeSettings) throws(CommandFailure) -> String {
        guard let path = settings.madeKeyFile, let key = try KeyFile.read(path) else {
            return KeyText.random()
        }
        return key
    }

    /// Serves until a signal comes.
    private func serve(
        _ settings: ServeSettings,
        from source: SettingsSource,
        _ reloads: ReloadSignal,
        _ output: LogOutput
    ) async throws {
        var settings = settings
        let madeKey = settings.hasKeys ? nil : try ServeCommand.madeKey(settings)
        if let madeKey { settings.take(madeKey: madeKey) }
        let (logger, manager) = (output.logger("freshet"), ServiceManager())
        logger.info("\(FeedStorage.words(settings))")
        let server = try open(settings, logger, manager)
        for warning in server.warnings { logger.warning("\(warning)") }
        let url = address(of: server, settings, manager)
        if let madeKey { try announceKey(madeKey, url, settings, on: output) }
        let stops = try StopSignals()
        server.start()
        output.announce("listening on \(url)")
        announceMetrics(server, settings, output)
        logger.info("started", metadata: ["loops": .stringConvertible(settings.loops)])
        let status = "serving on \(url)"
        manager.ready(status)
        manager.watch(server.loopCheck)
        try reloads.start { [configuration = server.configuration] in
            manager.reloading()
            configuration.reload(from: source, output, logger, madeKey: madeKey)
            manager.ready(status)
        }
        await stops.first()
        reloads.stop()
        manager.stopping()
        logger.info("stopping")
        await server.stop()
        logger.info("stopped")
    }

    /// Gives a generated key to the operator: in its file, or on standard error.
    ///
    /// The port must be open: until then, the key in the file may belong to another server, which
    /// has the port.
    private func announceKey(
        _ key: String,
        _ url: String,
        _ settings: ServeSettings,
        on output: LogOutput
    ) throws(CommandFailure) {
        let files = [settings.madeKeyFile, settings.keyFile].compactMap(\.self)
        for path in files { try KeyFile.write(key, to: path) }
        if let path = files.last {
            output.announce("the key is in \(path)")
        } else {
            output.announce("key \(key)")
        }
        // A log that other users read is no place for a key that is in a file.
        let isShown = files.isEmpty || isatty(STDERR_FILENO) == 1
        guard settings.publicFolder != nil, isShown else { return }
        // A browser does not send the fragment to any server.
        output.announce("publish on \(url)/workbench.html#key=\(key)")
    }

    /// Prints the address of the operator's listener, if there is one.
    private func announceMetrics(
        _ server: ServerAssembly,
        _ settings: ServeSettings,
        _ output: LogOutput
    ) {
        guard let admin = settings.admin, let port = server.adminPort else { return }
        let url = ServeCommand.url(host: admin.host, port: port)
        output.announce("metrics on \(url)/metrics")
    }

    private func open(
        _ settings: ServeSettings,
        _ logger: Logger,
        _ manager: ServiceManager
    ) throws(CommandFailure) -> ServerAssembly {
        if manager.socketCount > 1 {
            throw .usage("one socket can be passed by LISTEN_FDS, not \(manager.socketCount)")
        }
        if let problem = DescriptorRoom.problem(loops: settings.loops) {
            throw .other(settings.problem("loops", problem))
        }
        do {
            return try ServerAssembly(
                settings,
                logger,
                inheritedSocket: manager.socketCount == 1 ? ServiceManager.firstSocket : nil
            )
        } catch let failure as CommandFailure {
            throw failure
        } catch let error as SystemError {
            throw .other("\(error)" + ServeCommand.hint(error, "--port or FRESHET_PORT"))
        } catch let failure as AdminListenerFailure {
            let hint = ServeCommand.hint(failure.error, "--admin or FRESHET_ADMIN")
            throw .other("\(failure.error)\(hint)")
        } catch {
            throw .other("\(error)")
        }
    }

    /// Returns a hint to the settings that choose another address if the address is taken; else an
    /// empty text.
    private static func hint(_ error: SystemError, _ names: String) -> String {
        error.code == EADDRINUSE ? "; \(names) choose another" : ""
    }

    private func address(
        of server: ServerAssembly,
        _ settings: ServeSettings,
        _ manager: ServiceManager
    ) -> String {
        let host = manager.socketCount == 1 ? ServiceManager.hostOfFirstSocket : nil
        let isSecure = settings.tls != nil
        return ServeCommand.url(host: host ?? settings.host, port: server.port, isSecure: isSecure)
    }

    /// Returns a server's address; an IPv6 address stands in brackets (RFC 3986 §3.2.2).
    static func url(host: String, port: Int, isSecure: Bool = false) -> String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "https" : "http")://\(name):\(port)"
    }
}
