import FeedModel
import HTTPServer
import HTTPTypes
import HTTPWire

/// The properties of a request's client that fields of its responses depend on.
struct Asker: Sendable {
    /// The origin of the page that sent the request, if the operator lists it (the Fetch standard,
    /// "CORS protocol"); `nil` for any other origin, and if any origin is allowed.
    var origin: CORS.ListedOrigin?
    /// The client's quota, for RateLimit; `nil` if its requests are not limited.
    var quota: RateLimiter.Quota?
    /// Whether the path may be a file's; files have no fields of the API, and their errors do.
    var asksForFile = false

    /// Returns the quota that a response states; `nil` for a read that succeeds.
    fileprivate func statedQuota(_ status: Int) -> RateLimiter.Quota? {
        guard let quota, quota.isPublish || status >= 400 else { return nil }
        return quota
    }

    /// Returns whether a response of this status, which has the fields that all clients get, needs
    /// no others.
    func addsNothing(to status: Int) -> Bool {
        asksForFile && status < 400 || origin == nil && statedQuota(status) == nil
    }
}

/// Adds the fields that depend on who asks to all responses: those of CORS, Vary and RateLimit.
extension FeedAPI {
    /// Returns a reply whose responses have the fields for their client.
    ///
    /// Responses that wait, or that come after a body, have those of the newest configuration.
    func addressed(_ reply: Reply, to asker: Asker, of head: borrowing RequestHead) -> Reply {
        switch reply {
        case .response(let response): return .response(addressed(response, to: asker))
        case .later: return reply.mapping { self.addressed($0, to: asker) }
        case .wait, .body:
            let origin = head.value(.origin)
            return reply.mapping { response in
                let api = self.service.newestAPI ?? self
                var asker = asker
                asker.origin = origin.flatMap { api.cors.listedOrigin($0.utf8.span) }
                return api.addressed(response, to: asker)
            }
        }
    }

    /// Returns a response with the fields for its client.
    func addressed(_ response: Response, to asker: Asker) -> Response {
        let status = response.status.code
        if asker.asksForFile, status < 400 { return response }
        let quota = asker.statedQuota(status)
        if let payload = response.payload {
            // The payload has the fields that all clients get.
            var (own, fields) = (response.own, HTTPFields())
            own.lines += asker.origin?.lines ?? []
            quota?.add(to: &fields)
            ResponseHeadEncoder.append(fields: fields, to: &own.lines)
            return Response(payload, own)
        }
        var response = response
        if status >= 400, !access.isOpen { response.fields.addVary("Authorization") }
        cors.add(to: &response, for: asker.origin)
        quota?.add(to: &response.fields)
        return response
    }
}
