import HTTPServer

extension ServeSettings {
    /// Returns the proxies that are trusted to tell a request's client.
    static func proxies(
        _ options: Options,
        _ environment: Environment,
        _ file: ConfigurationFile
    ) throws(CommandFailure) -> TrustedProxies {
        typealias Name = ServeSetting
        let networks =
            try environment.value(Name.trustedProxies, options.trustedProxies, file.trustedProxies)
            ?? []
        let field =
            try environment.value(Name.forwardedField, options.forwardedField, file.forwardedField)
            ?? .xForwardedFor
        guard field != .proxyProtocol || !networks.isEmpty else {
            throw .usage(
                "only connections of --trusted-proxies begin with a PROXY header: none are named"
            )
        }
        return TrustedProxies(networks, field: field)
    }
}
