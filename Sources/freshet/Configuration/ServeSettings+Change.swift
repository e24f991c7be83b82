/// Changes a running server's settings.
extension ServeSettings {
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
        var others = ServeSetting.all.filter { $0.effect == .atRestart && !$0.isSame(self, new) }
            .map(\.name)
        // Encryption neither begins nor ends while a server runs: files that it does not read are
        // not reported as changed.
        if (tls == nil) != (new.tls == nil) {
            others.append("tls")
            (new.certificate, new.certificateKey) = (certificate, certificateKey)
        }
        let changed = ServeSetting.all.filter { $0.effect == .atReload && !$0.isSame(self, new) }
        for setting in changed { setting.copy(&settings, new) }
        // A server with keys of the operator's is no longer for this machine alone, and answers to
        // any name.
        settings.hasMadeKey = new.hasMadeKey
        return Change(
            settings: settings,
            changed: changed.map(\.name),
            needsRestart: others
        )
    }
}
