import HTTPServer
import HTTPTypes
import HTTPWire

/// Answers requests for the server's metrics.
extension FeedAPI {
    /// `GET /metrics`: the server's metrics, in the format that Accept asks for.
    ///
    /// - Throws: `401` without a key, `403` for a key without the right `admin`, `404` where the
    ///   operator has a listener.
    func readMetrics(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        let source = try metrics(for: request)
        let format = MetricsText(accept: request.head.value(.accept))
        let complete = completion(of: request)
        return .later { responder in
            source.collect { families in
                var fields = HTTPFields.notStored(format.mediaType)
                fields[.vary] = "Accept"
                let body = Response.Body.bytes(format.text(families))
                responder(complete(Response(status: .ok, fields: fields, body: body)))
            }
        }
    }

    /// Returns the source of the metrics for a request of the operator: on the operator's listener,
    /// or with a key that has the right `admin`.
    ///
    /// - Throws: `404` where the operator has a listener, `401` without a key, `403` for a key
    ///   without the right.
    func metrics(for request: borrowing RoutedRequest) throws(Problem) -> any MetricsSource {
        if let source = request.operatorMetrics { return source }
        guard let source = configuration.metrics else { throw .noMetrics }
        guard let key = request.caller else {
            throw .unauthorized("the server's figures need a key")
        }
        guard key.isAdmin else {
            throw Problem(.key, .forbidden, "this key may not see the server's figures")
        }
        return source
    }

    /// Returns a function that completes a `200` for the operator: names the field with the key,
    /// except on the operator's listener, and evaluates the request's conditions.
    func completion(of request: borrowing RoutedRequest) -> @Sendable (Response) -> Response {
        let outcome = request.head.outcomeWithoutTag
        if request.operatorMetrics != nil { return { outcome.response(inPlaceOf: $0) } }
        return { whole in
            var whole = whole
            whole.fields.addVary("Authorization")
            return outcome.response(inPlaceOf: whole)
        }
    }
}
