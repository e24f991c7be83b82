import HTTPServer
import HTTPTypes
import HTTPWire

/// `GET /metrics`: the server's own figures, for keys with the right `admin`.
extension FeedAPI {
    /// - Throws: `401` without a key, `403` for one without the right.
    func readMetrics(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        guard let source = configuration.metrics else { return notFound(request.requester) }
        try checkAdmin(request.head, from: request.requester.client)
        let (builder, requester) = (builder, request.requester)
        return .metrics(source, request.head) { response in
            response.fields.addVary("Authorization")
            builder.cors.add(to: &response.fields, for: requester)
        }
    }
}

extension Reply {
    /// The figures in the format that a request asks for, or what its conditions make of them.
    ///
    /// - Parameters:
    ///   - source: Where they come from.
    ///   - head: The request's.
    ///   - finish: Adds what else the response says.
    static func metrics(
        _ source: any MetricsSource,
        _ head: RequestHead,
        finish: @escaping @Sendable (inout Response) -> Void
    ) -> Reply {
        let format = MetricsText(accept: head.value(.accept))
        let outcome = head.outcomeWithoutTag
        return .later { responder in
            source.collect { families in
                var response = Response(
                    status: .ok,
                    fields: [
                        .contentType: format.mediaType, .cacheControl: "no-store",
                        .vary: "Accept", .xContentTypeOptions: "nosniff",
                    ],
                    body: .bytes(format.text(families))
                )
                finish(&response)
                responder(outcome.response(inPlaceOf: response))
            }
        }
    }
}
