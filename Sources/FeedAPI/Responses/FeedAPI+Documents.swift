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

    /// Chooses the document of a response that is not cached; `since` is the version that the
    /// client has.
    func choice(
        _ key: ResponseKey,
        of version: Version,
        since: Token?,
        in responses: VersionResponses
    ) -> DocumentChoice {
        // Most clients have the current version, which needs no look-up.
        let old =
            since == version.token ? version : since.flatMap { store.version($0, of: version.feed) }
        return DocumentChoice(key, of: version, since: old, in: responses)
    }

    /// Finds the document that brings a client from the version `since` to `version`, or makes it
    /// if that takes only microseconds.
    func document(
        _ version: Version,
        since: Token?,
        _ presentation: Presentation,
        _ form: ResponseKey.Form,
        in coding: ContentCoding,
        if mayMake: (DocumentChoice) -> Bool = { _ in true }
    ) -> SoughtDocument {
        // The old version is not looked up before the cache: a cached response with this key is
        // right, whether or not that version is still remembered.
        let key = ResponseKey(since: since, presentation, now: version.token, form, in: coding)
        let responses = cache.responses(for: version)
        if let found = responses[key] { return .made(found) }
        let choice = choice(key, of: version, since: since, in: responses)
        if choice.key != key, let found = responses[choice.key] { return .made(found) }
        if mayMake(choice), let made = madeAtOnce(choice) { return .made(made) }
        return .unmade(choice)
    }

    /// Makes a response or a part of one, and caches it, if that takes only microseconds; `nil` if
    /// it has to be made on a thread.
    func madeAtOnce(_ choice: DocumentChoice) -> Payload? {
        guard choice.isInstant else { return nil }
        let made = make(choice, while: { true })
        if let made { choice.responses.keep(made, choice.key) }
        return made
    }

    /// Has a response or a part of one made on a thread, once for all requests that wait for it.
    ///
    /// - Parameter waiter: Called once, when the response is made, or when the work is refused
    ///   because too much other work waits.
    func make(
        _ choice: DocumentChoice,
        for client: ClientID,
        _ waiter: VersionResponses.Waiter
    ) {
        guard let job = job(choice, for: client, waiter) else { return }
        service.work.reads(WorkSize(byteCount: choice.cost)).submit(job)
    }

    /// Returns the job that makes the response; `nil` if the response is cached or being made, or
    /// has enough jobs.
    func job(
        _ choice: DocumentChoice,
        for client: ClientID,
        _ waiter: VersionResponses.Waiter
    ) -> QueuedWork? {
        let now = configuration.clock()
        return choice.responses.join(choice.key, for: client, at: now, waiter) { isWanted in
            self.make(choice, while: isWanted)
        }
    }
}

/// A document in a form, as a pull or a stream needs it.
enum SoughtDocument {
    /// The document was cached, or is made.
    case made(Payload)
    /// The document has to be made on a thread.
    case unmade(DocumentChoice)
}
