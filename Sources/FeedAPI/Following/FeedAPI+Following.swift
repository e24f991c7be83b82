import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// Answers reads whose body names the feeds: `POST /events`, a stream of the changes of very many
/// feeds, and `QUERY` of `/events` and `/pull` (RFC 10008).
extension FeedAPI {
    /// Receives the body of such a read, and answers it with a stream or with documents.
    ///
    /// - Parameter isPull: Whether the request is for the documents now rather than for a stream.
    /// - Throws: `401` without a key if every feed needs a key, `400` for a malformed query, `415`
    ///   for a body of another media type.
    func followFeeds(
        _ request: borrowing RoutedRequest,
        isPull: Bool
    ) throws(Problem) -> Reply {
        try checkMayReadAny(request.caller)
        var query: Request?
        if case .query = request.method {
            try BodyType.checkQuery(request.head)
            query = Request(head: request.head, peer: request.peer)
        } else {
            _ = try BodyType(request, accepted: BodyType.documents)
        }
        let presentation = try Presentation(request.query)
        let (caller, client) = (request.caller, request.client)
        let coding = request.codings.choice
        let limit =
            caller?.mayFollowAny == true && !isPull
            ? configuration.bodyByteLimit : FeedSelection.smallByteLimit
        return .body(limit: limit) { refusal in
            Problem(refusal).response
        } then: { [query] body in
            if let query, body.byteCount <= FeedSelection.smallByteLimit,
                let reply = self.read(query, isPull: isPull, body)
            {
                return reply
            }
            return .later { responder in
                let size = body.isCoded ? .large : WorkSize(byteCount: 16 * body.byteCount)
                self.onThread(size, client, responder, holding: body.byteCount) {
                    responder(self.followed(body, presentation, caller, for: client, in: coding))
                }
            }
        }
    }

    /// Answers a `QUERY` like a `GET` with the names in its body.
    ///
    /// - Returns: `nil` for a body that a thread must parse because it is long once it is decoded,
    ///   and for a stream that a `GET` cannot ask for, with patterns or with more names. A pull of
    ///   these is `400`.
    private func read(
        _ query: Request,
        isPull: Bool,
        _ body: ReceivedBody
    ) -> Reply? {
        do throws(Problem) {
            guard let content = try FeedAPI.smallContent(of: body) else { return nil }
            let asked = try FeedSelection(parsing: content, Presentation())
            guard !asked.isLarge else {
                guard isPull else { return nil }
                let reason = "a pull has at most \(FeedSelection.limit) feeds, and no \"match\""
                throw .malformed(reason)
            }
            return (service.newestAPI ?? self).answer(query, LookUps(names: asked.entries))
        } catch {
            return .response(error.response)
        }
    }

    private func followed(
        _ body: ReceivedBody,
        _ presentation: Presentation,
        _ caller: AccessKey?,
        for client: ClientID,
        in coding: CodingChoice
    ) -> Response {
        do throws(Problem) {
            let asked = try FeedSelection(parsing: try FeedAPI.content(of: body), presentation)
            if asked.isLarge { try checkMayFollow(caller) }
            let stream = FollowStream(asked, caller, for: client, of: self, in: coding.coding)
            return streaming(stream, coding)
        } catch {
            return error.response
        }
    }

    /// Returns the content of a body, decoded if it is compressed; `nil` if a compressed body has
    /// more than ``FeedSelection/smallByteLimit`` bytes of content, which a thread must decode.
    private static func smallContent(of body: ReceivedBody) throws(Problem) -> [UInt8]? {
        guard case .coded(let bytes, let byteLimit) = body,
            byteLimit > FeedSelection.smallByteLimit
        else { return try content(of: body) }
        do {
            return try ReceivedBody.coded(bytes, byteLimit: FeedSelection.smallByteLimit).content()
        } catch {
            if case .tooLarge = error { return nil }
            throw Problem(error)
        }
    }

    private static func content(of body: ReceivedBody) throws(Problem) -> [UInt8] {
        do {
            return try body.content() ?? []
        } catch {
            throw Problem(error)
        }
    }

    private func checkMayFollow(_ caller: AccessKey?) throws(Problem) {
        guard let key = caller else {
            throw .unauthorized("following so many feeds needs a key")
        }
        guard key.mayFollowAny else {
            let reason =
                "this key may not follow more than \(FeedSelection.limit) feeds, or patterns"
            throw Problem(.key, .forbidden, reason)
        }
    }
}
