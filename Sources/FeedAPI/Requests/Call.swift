import FeedModel
import HTTPServer
import HTTPTypes
import HTTPWire

/// A request taken apart.
struct Call: Sendable {
    let head: RequestHead
    let target: RequestTarget
    let resource: Resource
    let query: Query
    /// Which of the allowed origins it comes from.
    let origin: CORS.Origin
    /// Who sent it, where that matters.
    let caller: Access.Caller

    /// - Throws: `400` for a malformed target, `401` for a key that is not known.
    init(_ request: Request, _ access: Access, cors: CORS) throws(Problem) {
        head = request.head
        do {
            target = try RequestTarget(request.head)
        } catch {
            throw Problem(error)
        }
        resource = Resource(target)
        query = Query(items: target.query)
        origin = cors.origin(request.head)
        // OPTIONS is answered without a key (the Fetch standard sends none).
        let needsCaller = resource.isGuarded && request.head.method != .options
        caller = needsCaller ? try access.caller(request.head) : .anyone
    }

    var method: HTTPRequest.Method { head.method }

    /// Whether it is GET or HEAD, which are answered alike.
    var isRead: Bool { method == .get || method == .head }

    /// How the answer should be coded (RFC 9110 §12.5.3).
    var coding: CodingChoice { AcceptEncoding(head.value(.acceptEncoding)).choice }
}
