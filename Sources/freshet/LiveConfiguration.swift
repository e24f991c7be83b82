import FeedAPI
import FeedStore
import HTTPServer
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

    /// Reads the certificate's files again, whose content may have changed though the settings did
    /// not.
    ///
    /// - Returns: Warnings about a certificate that can be used all the same.
    /// - Throws: ``CertificateError``; the certificate before stays in use.
    func renewCertificate() throws(CertificateError) -> [String] {
        guard let files = settings.tls else { return [] }
        return try server.replaceCertificate(files)
    }

    /// Takes over the new settings that can change, all at once: a request is answered by the
    /// settings in force when it began.
    ///
    /// Two threads must not call it at once.
    ///
    /// - Parameters:
    ///   - new: The settings that the configuration has now.
    ///   - completion: Receives the change once every new request is answered by the new settings;
    ///     it is not called when the server stops first.
    func take(
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
