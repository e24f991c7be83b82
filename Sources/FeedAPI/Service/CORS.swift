import FeedModel
import HTTPTypes
import HTTPWire

/// What browsers are told about other origins (the Fetch standard, "CORS protocol").
struct CORS: Sendable {
    /// The allowed origin that a request came from, as its place in the list; all the same when
    /// any origin is allowed.
    typealias Origin = Int?

    let origins: APIConfiguration.Origins

    /// Whether answers are the same for all origins.
    var isSameForAll: Bool {
        if case .any = origins { true } else { false }
    }

    /// The origin of a request.
    func origin(_ head: RequestHead) -> Origin {
        guard case .list(let list) = origins, let value = head.value(.origin) else { return nil }
        return list.firstIndex { ExactString($0) == ExactString(value) }
    }

    /// Adds what every answer says.
    func add(to fields: inout HTTPFields, for origin: Origin) {
        switch origins {
        case .any:
            fields[.accessControlAllowOrigin] = "*"
        case .list(let list):
            fields.addVary("Origin")
            guard let origin else { return }
            fields[.accessControlAllowOrigin] = list[origin]
        }
        fields[.accessControlExposeHeaders] = CORS.exposed
    }

    /// Adds what the answer to OPTIONS says of a resource.
    func addPreflight(to fields: inout HTTPFields, methods: String) {
        fields[.accessControlAllowMethods] = methods
        fields[.accessControlAllowHeaders] = CORS.requestFields
        fields[.accessControlMaxAge] = "7200"
    }

    private static let exposed = """
        ETag, Last-Modified, Location, Link, Refresh-After, Retry-After, Allow, Accept-Patch, \
        Preference-Applied, IM, WWW-Authenticate
        """

    private static let requestFields = """
        Accept, Accept-Language, A-IM, Authorization, Cache-Control, Content-Encoding, \
        Content-Language, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, \
        Prefer
        """
}

extension HTTPFields {
    /// Adds a name to Vary (RFC 9110 §12.5.5).
    mutating func addVary(_ name: String) {
        self[.vary] = self[.vary].map { $0 + ", " + name } ?? name
    }
}
