import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes

/// The steps that all publishes have in common; ``PendingPublish`` carries a publish out.
extension FeedAPI {
    /// Receives the body of a publish, if it has one, and starts the publish.
    func beginPublish(_ request: PublishRequest, _ action: PublishAction) -> Reply {
        guard request.takesBody else {
            return .later { responder in
                PendingPublish(self, request, action, responder).lookUp()
            }
        }
        let requester = request.requester
        // An overload is reported before the body is sent, if possible.
        guard service.work.publishes(.small).admits(requester.client) else {
            return .response(builder.response(.publishesOverload, for: requester))
        }
        return .body(limit: configuration.bodyByteLimit) { refusal in
            self.builder.response(Problem(refusal), for: requester)
        } then: { body in
            .later { PendingPublish(self, request, action, $0).receive(body) }
        }
    }

    /// Returns the `503` for a publish that would need too much memory, and reports it to the
    /// operator.
    func refusal(_ shortage: MemoryShortage) -> Problem {
        service.work.refusals.noteShortage()
        return Problem(shortage)
    }

    /// Adds to a new version what the publish knows about it (its changes, the checks of its
    /// pages), before readers can see it.
    func prepare(_ publication: Publication) {
        guard let previous = publication.previous else { return }
        cache.prepare(publication.current, after: previous.token, publication.changes)
        prepareFormats(publication)
    }

    /// Reads a value from a body; an error becomes a problem (`400`).
    static func reading<Value>(
        _ body: [UInt8],
        _ read: () throws(DocumentError) -> Value
    ) throws(Problem) -> Value {
        do {
            return try read()
        } catch {
            throw Problem(error, in: body)
        }
    }

    /// Makes the result of a patch; an error becomes a problem (`422`).
    static func patching<Value>(
        _ make: () throws(DocumentError) -> Value
    ) throws(Problem) -> Value {
        do {
            return try make()
        } catch {
            throw Problem(error, isResult: true)
        }
    }

    static func check(_ itemCount: Int, limit: Int) throws(Problem) {
        guard itemCount > limit else { return }
        throw Problem(.limit, .unprocessableContent, "\(itemCount) items, a feed may have \(limit)")
    }
}

extension FeedAPI {
    /// Checks the removals of a publish against the feed's guard.
    ///
    /// - Throws: `409` for too many removals.
    func check(
        _ publication: Publication,
        _ allowance: RemovalGuard.Allowance
    ) throws(Problem) {
        guard let rule = configuration.guards[publication.current.feed] else { return }
        do {
            try rule.check(publication, allowance)
        } catch {
            throw Problem(error)
        }
    }
}

extension Problem {
    /// `503` for a publish when too many publishes wait.
    static var publishesOverload: Problem {
        overloaded("too many publishes are waiting")
    }
}

/// The action of a publish, carried out in its turn.
enum PublishAction: Sendable {
    /// Makes the feed's new state from its current version.
    typealias Transform = @Sendable (Version?) throws(Problem) -> Snapshot

    /// Changes the feed.
    ///
    /// - `read` makes the change from the content of the body. It throws for errors that do not
    ///   depend on the feed.
    /// - `response` makes the response.
    case change(
        read: @Sendable (_ content: [UInt8]) throws(Problem) -> Transform,
        response: @Sendable (Publication) -> Response
    )

    /// Deletes the feed.
    case removal

    /// Removes an older version of the feed.
    case forgetting(Token)

    /// Has the feed's source fetched.
    case refresh(any SourceDirectory)
}
