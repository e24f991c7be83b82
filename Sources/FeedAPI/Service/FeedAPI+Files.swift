package import HTTPServer
package import HTTPTypes
import HTTPWire

/// The answers of another handler to what is outside of the API's paths.
extension FeedAPI {
    /// Its files are for pages of this server alone, its errors for all, as everybody's errors are.
    func outside(_ request: Request, _ handler: any RequestHandler) -> Disposition {
        switch handler.receive(request) {
        case .now(let response): return .now(opened(response, to: request.head))
        case .later(let begin):
            let head = request.head
            return .later { responder in begin(responder.mapping { self.opened($0, to: head) }) }
        case let other: return other
        }
    }

    /// An error with what pages of other origins are told.
    private func opened(_ final: FinalResponse, to head: RequestHead) -> FinalResponse {
        guard case .response(var response) = final, response.status.code >= 400 else {
            return final
        }
        let requester = Requester(listedOrigin: builder.cors.listedOrigin(head))
        builder.cors.add(to: &response.fields, for: requester)
        return .response(response)
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
