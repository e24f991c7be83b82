import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes

/// The checks and errors that publishes by requests and by sources have in common.
extension FeedAPI {
    /// Returns the `503` for a publish that would need too much memory, and reports it to the
    /// operator.
    func refusal(_ shortage: MemoryShortage) -> Problem {
        service.work.refusals.noteShortage()
        return Problem(shortage)
    }

    /// Adds to a new version what the publish knows about it (its changes, the checks of its
    /// pages), before readers can see it.
    func prepare(_ publication: Publication) {
        guard publication.isChanged, let previous = publication.previous else { return }
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

    /// Refuses a feed with more items than a feed may have: `422`.
    func check(itemCount: Int) throws(Problem) {
        let limit = configuration.itemLimit
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
