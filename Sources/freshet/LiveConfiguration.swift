import FeedAPI
import FeedStore
import HTTPServer
import Logging
import Synchronization

/// The configuration of a running server, which can be replaced.
final class LiveConfiguration: Sendable {
    private struct State {
        var settings: ServeSettings
        var api: FeedAPI
    }

    private let state: Mutex<State>
    private let server: HTTPServer
    private let store: FeedStore
    private let sources: ConfiguredSources

    init(
        _ settings: ServeSettings,
        _ api: FeedAPI,
        of server: HTTPServer,
        _ store: FeedStore,
        with sources: ConfiguredSources
    ) {
        state = Mutex(State(settings: settings, api: api))
        self.server = server
        self.store = store
        self.sources = sources
    }

    /// The settings in force at the moment.
    var settings: ServeSettings { state.withLock(\.settings) }

    /// Refuses large reads and publishes that have not begun.
    func stop() {
        state.withLock(\.api).stop()
    }

    /// Has streams send the events that had to wait until all of the origin's feeds were here.
    func upstreamBecameReady() {
        state.withLock(\.api).upstreamBecameReady()
    }

    /// Takes over the new settings that can change, all at once: a request is answered by the
    /// settings in force when it began.
    ///
    /// Two threads must not call it at once.
    ///
    /// - Parameter completion: Receives the change once every new request is answered by the new
    ///   settings; it is not called when the server stops first.
    private func take(
        _ new: ServeSettings,
        completion: @escaping @Sendable (ServeSettings.Change) -> Void
    ) {
        let (change, api) = state.withLock { state in
            let change = state.settings.taking(new)
            state.settings = change.settings
            // If nothing has changed, the API keeps its cached responses.
            guard !change.changed.isEmpty else { return (change, state.api) }
            state.api = state.api.reconfigured(change.settings.apiConfiguration)
            return (change, state.api)
        }
        store.memoryByteLimit = change.settings.feedsByteLimit
        store.retention = change.settings.contents.retention
        sources.publish(with: api)
        if change.changed.contains(where: ["feeds", "public-url"].contains) {
            sources.take(change.settings)
        }
        server.reconfigure(handler: api, limits: change.settings.limits) { completion(change) }
    }
}

/// Reads the configuration again.
extension LiveConfiguration {
    /// Reads the configuration again; one that is not valid changes nothing.
    ///
    /// Two threads must not call it at once.
    ///
    /// - Parameters:
    ///   - output: The output of the log, which takes the new level.
    ///   - logger: Gets the changes, and what is wrong.
    ///   - madeKey: The key that was generated at the start, because the configuration had none; it
    ///     stays valid as long as the configuration has none.
    func reload(
        from source: SettingsSource,
        _ output: LogOutput,
        _ logger: Logger,
        madeKey: String?
    ) {
        do throws(CommandFailure) {
            let reading = try source.read(isRunning: true)
            var settings = reading.settings
            for warning in reading.warnings { logger.warning("\(warning)") }
            if !settings.hasKeys {
                if let madeKey {
                    settings.take(madeKey: madeKey)
                } else {
                    logger.warning("the configuration has no key: nobody can publish")
                }
            }
            output.level = settings.logLevel
            take(settings) { LiveConfiguration.log($0, logger) }
            renewCertificate(logger)
        } catch {
            for line in error.message.split(separator: "\n") { logger.error("\(line)") }
            logger.error("the configuration is not valid; the one before stays in force")
        }
    }

    private static func log(_ change: ServeSettings.Change, _ logger: Logger) {
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

    /// Reads the certificate's files again, whose content may have changed though the settings did
    /// not.
    private func renewCertificate(_ logger: Logger) {
        guard let files = settings.tls else { return }
        do {
            for warning in try server.replaceCertificate(files) { logger.warning("\(warning)") }
        } catch {
            logger.error("\(error)")
            logger.error("the certificate cannot be used; the one before stays in use")
        }
    }
}
