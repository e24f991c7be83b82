import HTTPServer
import HTTPTypes
import HTTPWire

/// `/websub/{id}`: where hubs push what sources have (docs/SOURCES.md, "Pushes").
///
/// The address is the right: it cannot be guessed, and without it there is nothing here.
extension FeedAPI {
    /// `GET`: a hub asks whether it was asked (W3C WebSub §5.3).
    func verifyPush(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        let query = request.query
        let challenge = query.value(named: "hub.challenge") ?? ""
        let isAsked = configuration.sources?.verifyPush(
            request.head.text(request.route.feed),
            SourceHubQuestion(
                mode: query.value(named: "hub.mode") ?? "",
                topic: query.value(named: "hub.topic") ?? "",
                leaseSeconds: query.value(named: "hub.lease_seconds").flatMap { Int($0) },
                reason: query.value(named: "hub.reason")
            )
        )
        guard isAsked == true, challenge.utf8.count <= FeedAPI.challengeByteLimit else {
            throw .notFound("there is no such subscription")
        }
        let fields: HTTPFields = [
            .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
        ]
        let body = Array(challenge.utf8)
        return .response(Response(status: .ok, fields: fields, body: .bytes(body)))
    }

    private static let challengeByteLimit = 4096

    /// `POST`: a hub pushes what a source has.
    ///
    /// A push that is unsigned or wrongly signed is ignored, and its sender is not told (W3C WebSub
    /// §7.1).
    func receivePush(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        let id = request.head.text(request.route.feed)
        guard let sources = configuration.sources, sources.isSubscriber(id) else {
            throw .notFound("there is no such subscription")
        }
        let signature = request.head.value(named: "X-Hub-Signature")
        let requester = request.requester
        let limit = min(configuration.bodyByteLimit, FeedAPI.pushByteLimit)
        return .body(limit: limit) { refusal in
            self.builder.response(Problem(refusal), for: requester)
        } then: { body in
            .later { responder in
                let size = WorkSize(byteCount: 4 * body.byteCount)
                self.onThread(size, nil, requester, responder, holding: body.byteCount) {
                    let content = (try? body.content()) ?? []
                    sources.receivePush(id, content, signature: signature)
                    let fields: HTTPFields = [.cacheControl: "no-store"]
                    responder(Response(status: .accepted, fields: fields))
                }
            }
        }
    }

    /// Bytes of what is pushed.
    private static let pushByteLimit = 10 << 20
}
