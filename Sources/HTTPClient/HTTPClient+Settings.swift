extension HTTPClient {
    /// What holds for all requests of a client.
    package struct Settings: Sendable {
        /// What is said in User-Agent, unless a request says otherwise.
        package var userAgent = "freshet"

        /// A file of certificates in PEM that are trusted instead of the system's.
        package var authorities: String?

        /// Whether the certificate of a server is checked; only ever not for a person who says so.
        package var verifiesServers = true

        /// The address of a proxy; `nil`: none, whatever the environment says.
        ///
        /// A proxy resolves names itself: then only an address that stands in the URL is checked
        /// (``allows``), and the proxy must refuse where names lead to.
        package var proxy: String?

        /// Whether a connection to an address may be made, by the host as it stands in the URL.
        ///
        /// It is asked on the client's thread with each new connection, after names were resolved,
        /// and about the very address.
        package var allows: @Sendable (_ host: String, _ address: NetworkAddress) -> Bool = {
            _,
            _ in
            true
        }

        /// How many connections there may be at a time; other requests wait.
        package var connectionLimit = 256

        /// How many idle connections are kept.
        package var idleConnectionLimit = 64

        package init() {}
    }
}
