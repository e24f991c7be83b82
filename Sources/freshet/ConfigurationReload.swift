import FeedAPI
import Logging

/// Reloads the configuration of a running server.
struct ConfigurationReload: Sendable {
    private let source: SettingsSource
    private let configuration: LiveConfiguration
    private let output: LogOutput
    private let logger: Logger
    /// The key that was generated at the start, because the configuration had none.
    private let madeKey: String?

    init(
        _ source: SettingsSource,
        _ configuration: LiveConfiguration,
        _ output: LogOutput,
        logger: Logger,
        madeKey: String?
    ) {
        self.source = source
        self.configuration = configuration
        self.output = output
        self.logger = logger
        self.madeKey = madeKey
    }

    /// Reads the configuration again; one that is not valid changes nothing.
    ///
    /// Two threads must not call it at once.
    func run() {
        do throws(CommandFailure) {
            let reading = try source.read(isRunning: true)
            var settings = reading.settings
            for warning in reading.warnings { logger.warning("\(warning)") }
            if !settings.hasKeys { keepMadeKey(&settings) }
            take(settings)
        } catch {
            for line in error.message.split(separator: "\n") { logger.error("\(line)") }
            logger.error("the configuration is not valid; the one before stays in force")
        }
    }

    private func renewCertificate() {
        do {
            for warning in try configuration.renewCertificate() { logger.warning("\(warning)") }
        } catch {
            logger.error("\(error)")
            logger.error("the certificate cannot be used; the one before stays in use")
        }
    }

    /// Keeps the generated key valid as long as the configuration has none.
    private func keepMadeKey(_ settings: inout ServeSettings) {
        if let madeKey {
            settings.take(madeKey: madeKey)
        } else {
            logger.warning("the configuration has no key: nobody can publish")
        }
    }

    private func take(_ settings: ServeSettings) {
        output.level = settings.logLevel
        defer { renewCertificate() }
        configuration.take(settings) { [logger] change in
            let changed = change.changed.isEmpty ? ["nothing"] : change.changed
            logger.notice(
                "configuration read again",
                metadata: ["changed": "\(changed.joined(separator: ", "))"]
            )
            guard !change.needsRestart.isEmpty else { return }
            logger.warning(
                "what else changed needs a restart",
                metadata: ["settings": "\(change.needsRestart.joined(separator: ", "))"]
            )
        }
    }
}
