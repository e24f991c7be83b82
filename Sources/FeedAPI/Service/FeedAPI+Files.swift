package import HTTPServer
package import HTTPTypes
import HTTPWire

/// Passes requests for paths that are not the API's to another handler, which serves files.
extension FeedAPI {
    /// Returns the other handler's reply; errors get the CORS fields, and files do not.
    func outside(_ request: Request, _ handler: any RequestHandler) -> Reply {
        switch handler.receive(request) {
        case .response(let response): return .response(addingCORS(response, to: request.head))
        case .later(let begin):
            let head = request.head
            return .later { responder in
                begin(responder.mapping { self.addingCORS($0, to: head) })
            }
        case let other: return other
        }
    }

    /// Returns an error with the CORS fields for the request's origin, and any other response
    /// unchanged.
    private func addingCORS(_ response: Response, to head: RequestHead) -> Response {
        guard response.payload == nil, response.status.code >= 400 else { return response }
        var response = response
        let requester = Requester(listedOrigin: cors.listedOrigin(head))
        cors.add(to: &response.fields, for: requester)
        return response
    }
}

/// Makes the error responses of the handler that serves files.
extension FeedAPI {
    /// Makes the error response for a path below which there are only files.
    package static func fileProblem(_ status: HTTPResponse.Status, _ detail: String) -> Response {
        let kind: ProblemKind =
            switch status {
            case .methodNotAllowed: .method
            case .notFound: .notFound
            case .notImplemented: .notImplemented
            case .preconditionFailed: .precondition
            case .rangeNotSatisfiable: .range
            case .requestTimeout: .timeout
            case .serviceUnavailable: .overloaded
            default: .malformed
            }
        return Problem(kind, status, detail).response
    }
}
