import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// `POST /events`: changes of very many feeds as they come.
extension FeedAPI {
    func followFeeds(_ request: borrowing RoutedRequest) throws(Problem) -> Disposition {
        try checkMayReadAny(request.caller)
        _ = try BodyType(request, accepted: BodyType.documents)
        let presentation = try Presentation(request.query)
        let (caller, requester) = (request.caller, request.requester)
        let coding = request.head.codingChoice
        let limit =
            caller.mayFollowAny ? configuration.bodyByteLimit : FollowRequest.smallByteLimit
        return .body(limit: limit) { refusal in
            self.builder.response(Problem(refusal), for: requester)
        } then: { body, responder in
            let size = body.isCoded ? .large : WorkSize(byteCount: 16 * body.byteCount)
            self.onThread(size, nil, requester, responder, holding: body.byteCount) {
                responder(self.followed(body, presentation, caller, requester, coding))
            }
        }
    }

    private func followed(
        _ body: ReceivedBody,
        _ presentation: Presentation,
        _ caller: Access.Caller,
        _ requester: Requester,
        _ coding: CodingChoice
    ) -> Response {
        do throws(Problem) {
            let asked = try FollowRequest(parsing: try FeedAPI.content(of: body))
            if asked.isLarge { try checkMayFollow(caller) }
            let stream = FollowStream(asked, presentation, caller, requester, self, coding)
            return streaming(stream, coding, requester)
        } catch {
            return builder.response(error, for: requester)
        }
    }

    private static func content(of body: ReceivedBody) throws(Problem) -> [UInt8] {
        do {
            return try body.content() ?? []
        } catch {
            throw Problem(error)
        }
    }

    private func checkMayFollow(_ caller: Access.Caller) throws(Problem) {
        guard case .key(let key) = caller else {
            throw .unauthorized("following so many feeds needs a key")
        }
        guard key.mayFollowAny else {
            let reason =
                "this key may not follow more than \(FeedSelection.limit) feeds, or patterns"
            throw Problem(.key, .forbidden, reason)
        }
    }
}
