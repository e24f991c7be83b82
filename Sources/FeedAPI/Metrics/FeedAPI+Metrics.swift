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
        var fields = operatorFields(format.mediaType, request)
        fields.addVary("Accept")
        return .later { [fields] responder in
            source.collect { families in
                let body = Response.Body.bytes(format.text(families))
                responder(Response(status: .ok, fields: fields, body: body))
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

    /// Returns the fields of a `200` for the operator, who needs no key on a listener of its own.
    func operatorFields(_ mediaType: String, _ request: borrowing RoutedRequest) -> HTTPFields {
        var fields = HTTPFields.notStored(mediaType)
        if request.operatorMetrics == nil { fields[.vary] = "Authorization" }
        return fields
    }
}
