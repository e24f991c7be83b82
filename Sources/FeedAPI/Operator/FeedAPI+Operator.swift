import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// `GET /admin/…`: the data of the operator's page (docs/PROTOCOL.md, "The server's own paths").
extension FeedAPI {
    /// Answers with the data of the operator's page.
    ///
    /// Lists are made on the threads for reads; the cost of one page does not grow with the list.
    ///
    /// - Throws: `401` without a key, `403` for a key without the right `admin`, `400` for a
    ///   malformed query.
    func readOperator(
        _ resource: OperatorResource,
        _ request: borrowing RoutedRequest
    ) throws(Problem) -> Reply {
        let source = try metrics(for: request)
        let (query, client) = (request.query, request.client)
        let fields = operatorFields("application/json", request)
        let response: @Sendable ([UInt8]) -> Response = { document in
            Response(status: .ok, fields: fields, body: .bytes(document))
        }
        switch resource {
        case .server:
            return .later { responder in
                source.status { responder(response(self.serverDocument($0))) }
            }
        case .feeds:
            let list = try FeedListQuery(query)
            return .later { responder in
                self.onThread(.small, client, responder) {
                    self.feedsDocument(list, source) { responder(response($0)) }
                }
            }
        case .sources:
            let list = try FeedListQuery(query)
            let failing = try query.flag(.failing)
            return reply(.small, client) {
                response(self.sourcesDocument(list, onlyFailing: failing))
            }
        case .keys:
            let rows = try RowQuery(query, takesIDs: false)
            return reply(.small, client) { response(self.keysDocument(rows)) }
        }
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
