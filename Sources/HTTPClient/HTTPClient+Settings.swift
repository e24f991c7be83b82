package import Platform

extension HTTPClient {
    /// The settings for all requests of a client.
    package struct Settings: Sendable {
        /// The value of User-Agent for requests without their own.
        package var userAgent = "freshet"

        /// The path of a file in PEM whose certificates are trusted instead of the system's.
        package var authorities: String?

        /// Whether the certificate of a server is checked; `false` only if a person asked for that.
        package var verifiesServers = true

        /// The address of the proxy for requests without their own; `nil`: none, even if the
        /// environment names one.
        ///
        /// A proxy resolves names itself. ``allows`` then checks only addresses that stand in a
        /// URL; the proxy must refuse the addresses that names lead to.
        package var proxy: String?

        /// Returns whether a connection to an address may be made.
        ///
        /// `host` stands in the URL; `address` is what it was resolved to. The closure is called on
        /// the client's thread for each new connection; with a ``proxy``, for each request whose
        /// host is an address. Requests that allow any address are not checked.
        package var allows: @Sendable (_ host: String, _ address: IPAddress) -> Bool = {
            _,
            _ in
            true
        }

        package init() {}
    }
}
