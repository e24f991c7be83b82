import FeedSources
import HTTPServer
import HTTPWire

/// The change of a running server's settings.
extension ServeSettings {
    /// A setting, by the name that it has in the file.
    private struct Part {
        let name: String
        let isSame: (ServeSettings, ServeSettings) -> Bool
        let take: (inout ServeSettings, ServeSettings) -> Void

        init<Value: Equatable>(_ name: String, _ path: WritableKeyPath<ServeSettings, Value>) {
            self.name = name
            isSame = { $0[keyPath: path] == $1[keyPath: path] }
            take = { $0[keyPath: path] = $1[keyPath: path] }
        }
    }

    /// The settings that can change while a server runs.
    private static var changing: [Part] {
        [
            Part("tls-cert", \.certificateFile), Part("tls-key", \.certificateKeyFile),
            Part("keys", \.keys), Part("signing-keys", \.signingKeys),
            Part("open-feeds", \.openFeeds),
            Part("allowed-origins", \.origins), Part("allowed-headers", \.allowedFields),
            Part("log-level", \.logLevel),
            Part("memory-limit", \.memoryByteLimit), Part("stale-after", \.staleTime),
            Part("publish-url", \.publishURL),
            Part("feeds", \.contents),
            Part("trusted-proxies", \.limits.proxies.networks),
            Part("forwarded-field", \.limits.proxies.field),
            Part("public-url", \.publicURL), Part("entry-base", \.entryBase),
            Part("rate-limits", \.rateLimits),
            Part("limits.body-size", \.bodyByteLimit), Part("limits.feed-items", \.itemLimit),
            Part("limits.connections", \.limits.connectionLimit),
            Part("limits.target-size", \.limits.head.targetByteLimit),
            Part("limits.head-size", \.limits.head.headByteLimit),
            Part("limits.head-fields", \.limits.head.fieldLimit),
            Part("limits.head-timeout", \.limits.headTime),
            Part("limits.idle-timeout", \.limits.idleTime),
            Part("limits.progress-timeout", \.limits.progressTime),
            Part("limits.stop-timeout", \.stopTime),
        ]
    }

    /// The settings that a server is made with.
    private static var fixed: [Part] {
        [
            Part("host", \.host), Part("port", \.port), Part("public", \.publicFolder),
            Part("admin", \.admin),
            Part("loops", \.loops), Part("demo", \.servesDemo),
            Part("history", \.historyByteLimit), Part("log-format", \.logFormat),
            Part("access-log", \.writesAccessLog), Part("tls", \.isSecure),
            Part("data", \.dataFolder), Part("mirror", \.mirror),
        ]
    }

    /// The effect of new settings on a server that runs by the present ones.
    struct Change: Sendable {
        /// The settings that the server runs by from now on.
        let settings: ServeSettings
        /// The names of the settings that changed.
        let changed: [String]
        /// The names of the settings that would change if the server were started again.
        let needsRestart: [String]
    }

    /// Takes over the settings that can change while a server runs.
    func taking(_ new: ServeSettings) -> Change {
        var settings = self
        var new = new
        let others = Self.fixed.filter { !$0.isSame(self, new) }
        // A change of certificate files that the server does not read is not reported.
        if isSecure != new.isSecure { new.tls = tls }
        let changed = Self.changing.filter { !$0.isSame(self, new) }
        for part in changed { part.take(&settings, new) }
        // A server with keys of the operator's is no longer for this machine alone, and answers to
        // any name.
        settings.hasMadeKey = new.hasMadeKey
        return Change(
            settings: settings,
            changed: changed.map(\.name),
            needsRestart: others.map(\.name)
        )
    }
}

extension ServeSettings {
    /// Whether connections are encrypted; this cannot change while a server runs.
    fileprivate var isSecure: Bool {
        get { tls != nil }
        set { precondition(newValue == isSecure, "this cannot change while a server runs") }
    }

    /// The certificate's file; a new value counts only where both settings have a file.
    fileprivate var certificateFile: String? {
        get { tls?.certificate }
        set { if let newValue { tls?.certificate = newValue } }
    }

    fileprivate var certificateKeyFile: String? {
        get { tls?.key }
        set { if let newValue { tls?.key = newValue } }
    }
}
