import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes

/// The part that all publishes have in common; ``PendingPublish`` carries one out.
extension FeedAPI {
    /// Asks for the body of a publish, if it has one, and begins it.
    func beginPublish(_ request: PublishRequest, _ action: PublishAction) -> Reply {
        guard request.takesBody else {
            return .later { responder in
                PendingPublish(self, request, action, responder).lookUp()
            }
        }
        let requester = request.requester
        // Told before the body is sent, where it can be.
        guard service.work.publishes(.small).admits(request.flow) else {
            return .response(builder.response(.publishesOverload, for: requester))
        }
        return .body(limit: configuration.bodyByteLimit) { refusal in
            self.builder.response(Problem(refusal), for: requester)
        } then: { body in
            .later { PendingPublish(self, request, action, $0).receive(body) }
        }
    }

    /// `503` for a publish that would need too much memory; the operator is told of it.
    func refusal(_ shortage: MemoryShortage) -> Problem {
        service.work.refusals.noteShortage()
        return Problem(shortage)
    }

    /// Gives a new version what the publish has found out anyway, before anybody can see it.
    func prepare(_ publication: Publication) {
        guard let previous = publication.previous else { return }
        cache.prepare(publication.current, after: previous.token, publication.changes)
        prepareFormats(publication)
    }

    /// Reads a body; what is wrong with it becomes a problem.
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

    /// Makes what comes of a patch; what is wrong with it becomes a problem.
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
    /// Checks what a publish would remove against the feed's guard.
    ///
    /// - Throws: `409` for too much.
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
    /// `503` for a publish when too many of them wait.
    static var publishesOverload: Problem {
        overloaded("too many publishes are waiting")
    }
}

/// The action of a publish when its turn has come.
enum PublishAction: Sendable {
    /// Makes the feed's new state of its current version.
    typealias Transform = @Sendable (Version?) throws(Problem) -> Snapshot

    /// Changes the feed.
    ///
    /// - `read` makes the change of the content of the body. It throws for whatever does not depend
    ///   on the feed.
    /// - `response` says what was changed.
    case change(
        read: @Sendable (_ content: [UInt8]) throws(Problem) -> Transform,
        response: @Sendable (Publication) -> Response
    )

    /// Deletes the feed.
    case removal

    /// Forgets an older version of the feed.
    case forgetting(Token)

    /// Has the feed's source fetched.
    case refresh(any SourceDirectory)
}
