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
        let (caller, origin) = (request.caller, request.origin)
        let coding = request.head.codingChoice
        let limit =
            caller.mayFollowAny ? configuration.bodyByteLimit : FollowRequest.smallByteLimit
        return .body(limit: limit) { refusal in
            self.builder.response(Problem(refusal), origin: origin)
        } then: { body, responder in
            let pool = self.work.reads(
                body.isCoded ? .large : WorkSize(byteCount: 16 * body.byteCount)
            )
            let work = QueuedWork(
                flow: WorkFlow(client: origin.client, feed: nil),
                time: pool.now,
                byteCount: body.byteCount,
                isWanted: responder.isWanted,
                run: {
                    responder(self.followed(body, presentation, caller, origin, coding))
                },
                refuse: { responder(self.overloadedByReads(origin)) }
            )
            pool.submit(work)
        }
    }

    private func followed(
        _ body: ReceivedBody,
        _ presentation: Presentation,
        _ caller: Access.Caller,
        _ origin: RequestOrigin,
        _ coding: CodingChoice
    ) -> Response {
        do throws(Problem) {
            let asked = try FollowRequest(parsing: try FeedAPI.content(of: body))
            if asked.isLarge { try checkMayFollow(caller) }
            let stream = FollowStream(asked, presentation, caller, origin, self, coding)
            return streaming(stream, coding, origin)
        } catch {
            return builder.response(error, origin: origin)
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
