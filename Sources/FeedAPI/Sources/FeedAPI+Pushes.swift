import FeedModel
import HTTPServer
import HTTPTypes
import HTTPWire

/// Receives requests of WebSub hubs to `/websub/{id}`, the address to which hubs push the changes
/// of sources (docs/SOURCES.md, "Pushes").
///
/// The id in the path is the only credential, because it cannot be guessed; any other id is `404`.
extension FeedAPI {
    /// `GET`: a hub verifies that the server asked for a subscription (W3C WebSub §5.3).
    func verifyPush(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        let query = request.query
        let challenge = query.value(named: "hub.challenge") ?? ""
        let isAsked = configuration.sources?.verifyPush(
            request.head.text(request.route.feed),
            SourceHubQuestion(
                mode: query.value(named: "hub.mode") ?? "",
                topic: query.value(named: "hub.topic") ?? "",
                leaseSeconds: query.value(named: "hub.lease_seconds")
                    .flatMap { Int(digits: $0.utf8) },
                reason: query.value(named: "hub.reason").map {
                    String($0.unicodeScalars.prefix(FeedAPI.reasonLimit))
                }
            )
        )
        guard isAsked == true, challenge.utf8.count <= FeedAPI.challengeByteLimit else {
            throw .notFound("there is no such subscription")
        }
        let fields = HTTPFields.notStored("text/plain; charset=utf-8")
        return .response(Response(status: .ok, fields: fields, body: .bytes(Array(challenge.utf8))))
    }

    /// The most characters (Unicode scalar values) of a hub's reason that are passed on.
    private static let reasonLimit = 200

    /// The most bytes of a hub's challenge, which the response repeats.
    private static let challengeByteLimit = 4096

    /// `POST`: a hub pushes the content of a source.
    ///
    /// A push that is unsigned or wrongly signed is ignored, and gets the same response as any
    /// other push (W3C WebSub §7.1).
    func receivePush(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        let id = request.head.text(request.route.feed)
        guard let sources = configuration.sources, sources.isSubscriber(id) else {
            throw .notFound("there is no such subscription")
        }
        let signature = request.head.value(named: "X-Hub-Signature")
        let client = request.client
        let limit = min(configuration.bodyByteLimit, FeedAPI.pushByteLimit)
        return .body(limit: limit) { refusal in
            Problem(refusal).response
        } then: { body in
            .later { responder in
                let size = WorkSize(byteCount: 4 * body.byteCount)
                self.onThread(size, client, responder, holding: body.byteCount) {
                    let content = (try? body.content()) ?? []
                    sources.receivePush(id, content, signature: signature)
                    let fields: HTTPFields = [.cacheControl: "no-store"]
                    responder(Response(status: .accepted, fields: fields))
                }
            }
        }
    }

    /// The most bytes of a push.
    private static let pushByteLimit = 10 << 20
}
