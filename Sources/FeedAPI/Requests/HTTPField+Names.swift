import HTTPTypes

extension HTTPField.Name {
    /// Accept-Patch (RFC 5789 §3.1).
    static let acceptPatch = known("Accept-Patch")
    /// Link (RFC 8288 §3).
    static let link = known("Link")

    /// Preference-Applied (RFC 7240 §3).
    static let preferenceApplied = known("Preference-Applied")

    /// Refresh-After (docs/PROTOCOL.md, "When to ask again").
    static let refreshAfter = known("Refresh-After")

    /// Accept-Query, the media types of a QUERY (RFC 10008 §3).
    static let acceptQuery = known("Accept-Query")
    /// Incremental, which asks proxies to forward each part of a stream at once (RFC 10036).
    static let incremental = known("Incremental")
    /// X-Accel-Buffering, which tells nginx not to buffer a stream (nginx's documentation,
    /// X-Accel).
    static let accelBuffering = known("X-Accel-Buffering")

    /// IM, the instance manipulation of a `226` (RFC 3229 §10.5.2).
    static let im = known("IM")
    /// Delta-Base, the entity tag from which a `226` leads on (RFC 3229 §10.5.1).
    static let deltaBase = known("Delta-Base")

    /// RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-10 §3).
    static let rateLimitPolicy = known("RateLimit-Policy")
    /// RateLimit (draft-ietf-httpapi-ratelimit-headers-10 §4).
    static let rateLimit = known("RateLimit")

    private static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("\(name) is no field's name")
        }
        return name
    }
}
