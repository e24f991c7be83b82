import FeedModel
import HTTPTypes
import HTTPWire

/// What browsers are told about other origins (the Fetch standard, "CORS protocol").
final class CORS: Sendable {
    let origins: APIConfiguration.Origins

    /// Of each listed origin, what is said to it alone.
    private let lines: [[UInt8]]

    init(origins: APIConfiguration.Origins) {
        self.origins = origins
        lines =
            if case .list(let list) = origins {
                list.map { origin in
                    let exposed = "Access-Control-Expose-Headers: \(CORS.exposed)\r\n"
                    return Array("Access-Control-Allow-Origin: \(origin)\r\n\(exposed)".utf8)
                }
            } else {
                []
            }
    }

    /// The allowed origin of a request, as its place in the list.
    func listedOrigin(_ head: borrowing RequestHead) -> Int? {
        guard case .list(let list) = origins else { return nil }
        return head.withValue(.origin) { value in
            list.firstIndex { value.isSame(value.indices, as: $0.utf8.span) }
        } ?? nil
    }

    /// What is added to a response that is the same for all origins.
    func lines(for requester: Requester) -> [UInt8] {
        requester.listedOrigin.map { lines[$0] } ?? []
    }

    /// Adds what is said to the origin of that name alone, if it is a listed one.
    func add(to fields: inout HTTPFields, forOriginIn value: [UInt8]) {
        guard case .list(let list) = origins,
            let origin = list.first(where: { $0.utf8.elementsEqual(value) })
        else { return }
        fields[.accessControlAllowOrigin] = origin
        fields[.accessControlExposeHeaders] = CORS.exposed
    }

    /// Adds what every answer says to this origin.
    func add(to fields: inout HTTPFields, for requester: Requester) {
        addCommon(to: &fields)
        addListed(to: &fields, for: requester)
    }

    /// Adds what only listed origins are told.
    func addListed(to fields: inout HTTPFields, for requester: Requester) {
        guard case .list(let list) = origins, let listed = requester.listedOrigin else { return }
        fields[.accessControlAllowOrigin] = list[listed]
        fields[.accessControlExposeHeaders] = CORS.exposed
    }

    /// Adds what every answer says, whatever the origin.
    func addCommon(to fields: inout HTTPFields) {
        switch origins {
        case .any:
            fields[.accessControlAllowOrigin] = "*"
            fields[.accessControlExposeHeaders] = CORS.exposed
        case .list: fields.addVary("Origin")
        }
    }

    /// Adds what the answer to OPTIONS says of a resource.
    func addPreflight(to fields: inout HTTPFields, methods: String) {
        fields[.accessControlAllowMethods] = methods
        fields[.accessControlAllowHeaders] = CORS.requestFields
        fields[.accessControlMaxAge] = "7200"
    }

    private static let exposed = """
        ETag, Last-Modified, Location, Link, Refresh-After, Retry-After, Allow, Accept-Patch, \
        Preference-Applied, IM, WWW-Authenticate, RateLimit, RateLimit-Policy
        """

    private static let requestFields = """
        Accept, Accept-Language, A-IM, Authorization, Cache-Control, Content-Encoding, \
        Content-Language, Content-Type, Idempotency-Key, If-Match, If-Modified-Since, \
        If-None-Match, If-Unmodified-Since, Last-Event-ID, Prefer
        """
}

extension HTTPFields {
    /// Adds a name to Vary (RFC 9110 §12.5.5).
    mutating func addVary(_ name: String) {
        self[.vary] = self[.vary].map { $0 + ", " + name } ?? name
    }
}
