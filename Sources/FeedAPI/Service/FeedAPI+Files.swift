package import HTTPServer
package import HTTPTypes

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
