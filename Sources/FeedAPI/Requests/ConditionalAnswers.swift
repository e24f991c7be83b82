import FeedModel
import HTTPServer
import HTTPTypes
import HTTPWire

/// Evaluates the conditions of reads whose response has neither entity tag nor date (RFC 9110
/// §13.1): `*` matches an existing resource, no other tag matches, and dates are ignored.
extension FeedAPI {
    /// Returns the reply to a read, which may be a `304` or `412` in place of a success without
    /// entity tag.
    func conditional(_ reply: Reply, _ request: borrowing RoutedRequest) -> Reply {
        let outcome = request.head.outcome(Validators(nil), accepting: request.codings)
        if outcome == .send { return reply }
        return reply.mapping { response in
            let isTagged = response.payload != nil || response.fields[.eTag] != nil
            let isSuccess = response.status.kind == .successful
            return isTagged || !isSuccess ? response : outcome.response(inPlaceOf: response)
        }
    }
}

extension Conditions.Outcome {
    /// Returns a response that has no entity tag, or the `304` or `412` in its place.
    ///
    /// - Parameter whole: The response if the conditions let it be sent; the others take some of
    ///   its fields.
    fileprivate func response(inPlaceOf whole: Response) -> Response {
        switch self {
        case .send: return whole
        case .notModified:
            var response = Response(status: .notModified)
            response.fields[.cacheControl] = whole.fields[.cacheControl]
            response.fields[.vary] = whole.fields[.vary]
            return response
        case .failed:
            let reason = "If-Match does not hold: what is here has no entity tag"
            var response = Problem(.precondition, .preconditionFailed, reason).response
            response.fields[.vary] = whole.fields[.vary]
            return response
        }
    }
}

extension Problem {
    /// Makes the `412` for a read whose condition failed; its detail has the current entity tag.
    static func failed(_ condition: Conditions.Failure, _ tag: EntityTag) -> Problem {
        let reason =
            switch condition {
            case .match: "If-Match does not hold"
            case .unmodifiedSince: "If-Unmodified-Since does not hold: the version is later"
            }
        return Problem(
            .precondition,
            .preconditionFailed,
            "\(reason); the entity tag is \(tag.text(.identity))"
        )
    }
}
