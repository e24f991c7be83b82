import FeedModel
import HTTPServer
import HTTPTypes
import HTTPWire

/// Makes the response fields by which browsers let pages of other origins read responses (the Fetch
/// standard, "CORS protocol").
final class CORS: Sendable {
    /// An origin that the operator lists, with the header lines of a response to it.
    ///
    /// An ``Asker`` refers to this object, so a response that is sent after a reload of the
    /// configuration still names the origin that asked.
    final class ListedOrigin: Sendable {
        let name: String
        let lines: [UInt8]

        init(_ name: String) {
            self.name = name
            let exposed = "Access-Control-Expose-Headers: \(CORS.exposed)\r\n"
            lines = Array("Access-Control-Allow-Origin: \(name)\r\n\(exposed)".utf8)
        }
    }

    let origins: APIConfiguration.Origins
    private let listed: [ListedOrigin]
    private let requestFields: String
    private let publicURL: String?
    private let reportRefused: @Sendable (String) -> Void

    /// Takes the origins whose pages may read, and the fields that they may send, from the
    /// configuration.
    init(_ configuration: APIConfiguration) {
        origins = configuration.origins
        let all = [CORS.requestFields] + configuration.allowedFields
        requestFields = all.joined(separator: ", ")
        listed = if case .list(let list) = origins { list.map { ListedOrigin($0) } } else { [] }
        publicURL = configuration.publicURL
        reportRefused = configuration.reportRefusedOrigin
    }

    /// Returns the listed origin that a request names in its Origin field; `nil` without one.
    ///
    /// - Parameter reports: Whether an origin that is not listed is reported to the operator.
    func listedOrigin(_ head: borrowing RequestHead, reports: Bool) -> ListedOrigin? {
        guard case .list = origins, let found = head.withValue(.origin, { listedOrigin($0) }) else {
            return nil
        }
        if reports, found == nil, let origin = head.value(.origin),
            !isOwn(origin, host: head.value(.host))
        {
            reportRefused(origin)
        }
        return found
    }

    /// Returns whether an origin is this server's own: browsers send it with some requests, and its
    /// pages may always read the responses.
    private func isOwn(_ origin: String, host: String?) -> Bool {
        if let host, origin.hasSuffix("://" + host) { return true }
        return publicURL == origin || publicURL?.hasPrefix(origin + "/") == true
    }

    /// Returns the listed origin with this name, compared byte for byte.
    func listedOrigin(_ value: Span<UInt8>) -> ListedOrigin? {
        listed.first { value.isSame(value.indices, as: $0.name.utf8.span) }
    }

    /// Adds the fields of a response to a listed origin; `nil`: the fields that all origins get.
    ///
    /// If any origin is allowed, scripts may read all fields. A `304` exposes none.
    func add(to response: inout Response, for origin: ListedOrigin? = nil) {
        let exposes = response.status != .notModified
        switch origins {
        case .any:
            response.fields[.accessControlAllowOrigin] = "*"
            if exposes { response.fields[.accessControlExposeHeaders] = "*" }
        case .list:
            response.fields.addVary("Origin")
            guard let origin else { return }
            response.fields[.accessControlAllowOrigin] = origin.name
            if exposes { response.fields[.accessControlExposeHeaders] = CORS.exposed }
        }
    }

    /// Adds the fields of the response to a preflight request (OPTIONS).
    func addPreflight(to fields: inout HTTPFields, methods: String) {
        fields[.accessControlAllowMethods] = methods
        fields[.accessControlAllowHeaders] = requestFields
        fields[.accessControlMaxAge] = "7200"
    }

    /// The response fields that scripts of a listed origin may read.
    private static let exposed = """
        ETag, Location, Link, Refresh-After, Retry-After, Allow, Accept-Patch, \
        Preference-Applied, IM, WWW-Authenticate, RateLimit, RateLimit-Policy, Vary
        """

    /// The request fields that scripts of other origins may send.
    private static let requestFields = """
        Accept, Accept-Language, A-IM, Authorization, Cache-Control, Content-Encoding, \
        Content-Language, Content-Type, Idempotency-Key, If-Match, If-Modified-Since, \
        If-None-Match, If-Unmodified-Since, Last-Event-ID, Prefer, X-Requested-With, \
        traceparent, tracestate, baggage, sentry-trace
        """
}

extension HTTPFields {
    /// Adds a name to Vary (RFC 9110 §12.5.5), unless it is there.
    mutating func addVary(_ name: String) {
        var names = self[.vary]?.split(separator: ", ") ?? []
        if !names.contains(name[...]) { names.append(name[...]) }
        self[.vary] = names.joined(separator: ", ")
    }
}
