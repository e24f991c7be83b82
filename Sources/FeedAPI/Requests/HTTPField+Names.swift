import HTTPTypes

extension HTTPField.Name {
    /// RFC 5789 §3.1.
    static let acceptPatch = known("Accept-Patch")
    /// RFC 8288 §3.
    static let link = known("Link")

    /// RFC 7240 §3.
    static let preferenceApplied = known("Preference-Applied")

    /// docs/PROTOCOL.md, "When to ask again".
    static let refreshAfter = known("Refresh-After")

    /// Names the media types of a QUERY (RFC 10008 §3).
    static let acceptQuery = known("Accept-Query")
    /// Asks proxies to pass each piece of a stream on at once (RFC 10036).
    static let incremental = known("Incremental")
    /// Tells nginx not to hold a stream back (its documentation, X-Accel).
    static let accelBuffering = known("X-Accel-Buffering")

    /// RFC 3229 §10.5.3, §10.5.4.
    static let im = known("IM")
    static let deltaBase = known("Delta-Base")

    /// draft-ietf-httpapi-ratelimit-headers-10 §3 and §4.
    static let rateLimitPolicy = known("RateLimit-Policy")
    static let rateLimit = known("RateLimit")

    private static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("\(name) is no field's name")
        }
        return name
    }
}
