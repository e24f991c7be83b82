import HTTPServer
import HTTPTypes
import HTTPWire

/// Answers requests for the server's metrics.
extension FeedAPI {
    /// `GET /metrics`: the server's metrics, for keys with the right `admin`.
    ///
    /// - Throws: `401` without a key, `403` for a key without the right.
    func readMetrics(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        guard let source = configuration.metrics else { return notFound(request.requester) }
        try checkAdmin(request.head, from: request.requester.client)
        let (cors, requester) = (cors, request.requester)
        return .metrics(source, request.head) { response in
            response.fields.addVary("Authorization")
            cors.add(to: &response.fields, for: requester)
        }
    }
}

extension Reply {
    /// Returns the metrics in the format that a request's Accept asks for, or a `304` or `412`
    /// according to its conditions.
    ///
    /// - Parameters:
    ///   - source: The source of the metrics.
    ///   - head: The head of the request.
    ///   - finish: Adds further fields to the response.
    static func metrics(
        _ source: any MetricsSource,
        _ head: RequestHead,
        finish: @escaping @Sendable (inout Response) -> Void
    ) -> Reply {
        let format = MetricsText(accept: head.value(.accept))
        let outcome = head.outcomeWithoutTag
        return .later { responder in
            source.collect { families in
                var fields = HTTPFields.notStored(format.mediaType)
                fields[.vary] = "Accept"
                let text = format.text(families)
                var response = Response(status: .ok, fields: fields, body: .bytes(text))
                finish(&response)
                responder(outcome.response(inPlaceOf: response))
            }
        }
    }
}
