package import HTTPServer
package import HTTPTypes
import HTTPWire

/// The answers of another handler to what is outside of the API's paths.
extension FeedAPI {
    /// Its files are for pages of this server alone, its errors for all, as everybody's errors are.
    func outside(_ request: Request, _ handler: any RequestHandler) -> Reply {
        switch handler.receive(request) {
        case .response(let response): return .response(opened(response, to: request.head))
        case .later(let begin):
            let head = request.head
            return .later { responder in begin(responder.mapping { self.opened($0, to: head) }) }
        case let other: return other
        }
    }

    /// An error with what pages of other origins are told.
    private func opened(_ response: Response, to head: RequestHead) -> Response {
        guard response.payload == nil, response.status.code >= 400 else { return response }
        var response = response
        let requester = Requester(listedOrigin: builder.cors.listedOrigin(head))
        builder.cors.add(to: &response.fields, for: requester)
        return response
    }
}

/// For those who answer the paths that are not the API's.
extension FeedAPI {
    /// A problem document for a path below which there are only files.
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
