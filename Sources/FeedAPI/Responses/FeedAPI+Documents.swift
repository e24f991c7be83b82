import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// Finds or makes responses with documents, and the documents that are parts of pulls and of event
/// streams, each in a form: plain or compressed, alone or as an event.
extension FeedAPI {
    /// Returns the current version of a feed; `nil` if there is none, or the caller may not read
    /// it.
    func visible(_ feed: FeedName?, to caller: AccessKey?) -> Version? {
        guard let feed, access.mayRead(feed, caller) else { return nil }
        return store.current(feed)
    }

    /// Chooses the document that brings a client from the version `since` to `version`.
    func choice(_ version: Version, since: Token?, _ presentation: Presentation) -> DocumentChoice {
        // Most clients have the current version, which needs no look-up.
        let old =
            since == version.token ? version : since.flatMap { store.version($0, of: version.feed) }
        let kind = ResponseKey.Kind(since: since, presentation, now: version.token)
        return DocumentChoice(kind, presentation.view, of: version, since: old)
    }

    /// Returns the document that brings a client from the version `since` to `version` in a form,
    /// if it is cached.
    func found(
        _ version: Version,
        since: Token?,
        _ presentation: Presentation,
        _ form: ResponseKey.Form
    ) -> Payload? {
        // The old version is not looked up before the cache: a cached response with this key is
        // right, whether or not that version is still remembered.
        let kind = ResponseKey.Kind(since: since, presentation, now: version.token)
        let key = ResponseKey(kind: kind, view: presentation.view, form: form)
        return cache.responses(for: version)[key]
    }

    /// Makes a response or a part of one, and caches it, if that takes only microseconds.
    ///
    /// - Parameters:
    ///   - choice: The document.
    ///   - key: The key of the response.
    ///   - responses: The cached responses about the choice's version.
    /// - Returns: The response; `nil` if it has to be made on a thread.
    func madeAtOnce(
        _ choice: DocumentChoice,
        _ key: ResponseKey,
        in responses: VersionResponses
    ) -> Payload? {
        guard choice.isInstant(isCoded: key.isCoded) else { return nil }
        let made = builder.make(choice, key, with: responses, while: { true })
        if let made { responses.keep(made, key) }
        return made
    }

    /// Has a response or a part of one made on a thread, once for all requests that wait for it.
    ///
    /// - Parameters:
    ///   - choice: The document.
    ///   - key: The key of the response.
    ///   - responses: The cached responses about the choice's version; the new one is added.
    ///   - requester: The client that asks.
    ///   - waiter: Called once, when the response is made, or when the work is refused because too
    ///     much other work waits.
    func make(
        _ choice: DocumentChoice,
        _ key: ResponseKey,
        in responses: VersionResponses,
        for requester: Requester,
        _ waiter: VersionResponses.Waiter
    ) {
        let pool = service.work.reads(WorkSize(byteCount: choice.cost(isCoded: key.isCoded)))
        job(choice, key, in: responses, for: requester, waiter)?.submit(to: pool)
    }

    /// Returns the job that makes the response; `nil` if it is cached, or if the client has such a
    /// job already.
    func job(
        _ choice: DocumentChoice,
        _ key: ResponseKey,
        in responses: VersionResponses,
        for requester: Requester,
        _ waiter: VersionResponses.Waiter
    ) -> VersionResponses.Job? {
        responses.join(key, for: requester, waiter) { [builder] isWanted in
            builder.make(choice, key, with: responses, while: isWanted)
        }
    }
}
