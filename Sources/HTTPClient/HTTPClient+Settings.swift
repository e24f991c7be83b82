extension HTTPClient {
    /// The settings for all requests of a client.
    package struct Settings: Sendable {
        /// The value of User-Agent, unless a request has its own.
        package var userAgent = "freshet"

        /// A file of certificates in PEM that are trusted instead of the system's.
        package var authorities: String?

        /// Whether the certificate of a server is checked; `false` only if a person asked for that.
        package var verifiesServers = true

        /// The address of a proxy; `nil`: none, whatever the environment says.
        ///
        /// A proxy resolves names itself: then ``allows`` checks only an address that stands in the
        /// URL, and the proxy must refuse the addresses that names lead to.
        package var proxy: String?

        /// Whether a connection to an address may be made, by the host as it stands in the URL.
        ///
        /// The closure is called on the client's thread for each new connection, after names were
        /// resolved, with the very address.
        package var allows: @Sendable (_ host: String, _ address: NetworkAddress) -> Bool = {
            _,
            _ in
            true
        }

        /// The most connections at a time; other requests wait.
        package var connectionLimit = 256

        /// The most idle connections that are kept.
        package var idleConnectionLimit = 64

        package init() {}
    }
}
