import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// `GET /admin/…`: the data of the operator's page (docs/PROTOCOL.md, "The server's own paths").
extension FeedAPI {
    /// Answers a request for the operator's data, which needs a key with the right `admin`.
    ///
    /// - Throws: `401` without a key, `403` for a key without the right, `400` for a malformed
    ///   query.
    func readOperator(
        _ resource: OperatorResource,
        _ request: borrowing RoutedRequest
    ) throws(Problem) -> Reply {
        guard let source = configuration.metrics else { return notFound(request.requester) }
        try checkAdmin(request.head, from: request.requester.client)
        let (cors, requester) = (cors, request.requester)
        let outcome = request.head.outcomeWithoutTag
        return try operatorData(resource, of: source, request.query, outcome, for: requester) {
            $0.addVary("Authorization")
            cors.add(to: &$0, for: requester)
        }
    }

    /// Answers with the operator's data on the operator's own listener, where no key is needed.
    ///
    /// - Throws: `400` for a malformed query.
    func readForOperator(
        _ resource: OperatorResource,
        _ source: any MetricsSource,
        _ head: RequestHead
    ) throws(Problem) -> Reply {
        let query = try Query(head.bytes, head.targetParts.query)
        return try operatorData(resource, of: source, query, head.outcomeWithoutTag) { _ in }
    }

    /// Refuses a request unless its key has the right `admin`.
    ///
    /// - Throws: `401` without a key, `403` for a key without the right.
    func checkAdmin(_ head: RequestHead, from client: ClientID) throws(Problem) {
        guard let key = try access.caller(head, from: client) else {
            throw .unauthorized("the server's figures need a key")
        }
        guard key.isAdmin else {
            throw Problem(.key, .forbidden, "this key may not see the server's figures")
        }
    }

    /// Answers with the data of the operator's page, without a check of the caller's rights.
    ///
    /// Lists are made on the threads for reads; the cost of one page does not grow with the list.
    ///
    /// - Parameters:
    ///   - resource: The resource that is asked for.
    ///   - source: The source of the state of the HTTP engine and of the process.
    ///   - query: The query, which names the page of a list.
    ///   - outcome: The outcome of the request's conditions.
    ///   - requester: The client that asks.
    ///   - finish: Adds further fields to the response.
    /// - Throws: `400` for a malformed query.
    func operatorData(
        _ resource: OperatorResource,
        of source: any MetricsSource,
        _ query: Query,
        _ outcome: Conditions.Outcome,
        for requester: Requester = .unknown,
        finish: @escaping @Sendable (inout HTTPFields) -> Void
    ) throws(Problem) -> Reply {
        let response: @Sendable ([UInt8]) -> Response = { document in
            outcome.response(inPlaceOf: FeedAPI.operatorResponse(document, finish: finish))
        }
        switch resource {
        case .server:
            return .later { responder in
                source.status { responder(response(self.serverDocument($0))) }
            }
        case .feeds:
            let list = try FeedListQuery(query)
            return .later { responder in
                self.onThread(.small, requester, responder) {
                    self.feedsDocument(list, source) { responder(response($0)) }
                }
            }
        case .sources:
            let list = try FeedListQuery(query)
            let failing = try query.flag(.failing)
            return reply(.small, requester) {
                response(self.sourcesDocument(list, onlyFailing: failing))
            }
        case .keys:
            let rows = try RowQuery(query, takesIDs: false)
            return reply(.small, requester) { response(self.keysDocument(rows)) }
        }
    }

    private static func operatorResponse(
        _ document: [UInt8],
        finish: (inout HTTPFields) -> Void
    ) -> Response {
        var fields = HTTPFields.notStored("application/json")
        finish(&fields)
        return Response(status: .ok, fields: fields, body: .bytes(document))
    }
}

/// A resource with the data of the operator's page, `/admin/…`.
enum OperatorResource: UInt8, Sendable, CaseIterable {
    /// The state of the server, and its use of memory.
    case server
    case feeds
    case sources
    case keys

    /// The last segment of the resource's path.
    var name: StaticString {
        switch self {
        case .server: "server"
        case .feeds: "feeds"
        case .sources: "sources"
        case .keys: "keys"
        }
    }
}
