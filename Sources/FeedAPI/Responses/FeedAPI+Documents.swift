import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// Documents as parts of something larger: of a pull, of a stream.
extension FeedAPI {
    /// The current version of a feed, when the caller may read it.
    func visible(_ feed: FeedName?, to caller: Access.Caller) -> Version? {
        guard let feed, access.mayRead(feed, caller) else { return nil }
        return store.current(feed)
    }

    /// Chooses the document that brings a client from `since` to `version`.
    func choice(_ version: Version, since: Token?, _ presentation: Presentation) -> DocumentChoice {
        // Most clients have the current version, which need not be looked for.
        let old =
            since == version.token ? version : since.flatMap { store.version($0, of: version.feed) }
        return DocumentChoice(FeedQuery(since: since, presentation), old: old, version: version)
    }

    /// A document in a form, when it is there already.
    func found(_ choice: DocumentChoice, _ form: ResponseKey.Form) -> Payload? {
        cache.responses(for: choice.version).response(choice.kind, choice.view, form)
    }

    /// Makes the document in a form, if that is quickly done.
    func madeAtOnce(_ choice: DocumentChoice, _ form: ResponseKey.Form) -> Payload? {
        guard isInstant(choice, form) else { return nil }
        let responses = cache.responses(for: choice.version)
        let document = alwaysWanted { builder.make(choice, form, with: responses, while: $0) }
        responses.keep(document, ResponseKey(choice, form))
        return document
    }

    /// The document that brings a stream's reader to `version`, when it is there already.
    func found(
        _ version: Version,
        since: Token?,
        _ presentation: borrowing Presentation,
        _ form: ResponseKey.Form
    ) -> Payload? {
        // Without a look for the old version: what is kept already is right without it.
        let kind = ResponseKey.Kind(since: since, presentation, now: version.token)
        return cache.responses(for: version).response(kind, presentation.view, form)
    }

    /// Has a document made, once for all who wait for it.
    ///
    /// - Parameters:
    ///   - choice: Which document.
    ///   - form: The form of the document.
    ///   - requester: The client that asks.
    ///   - waiter: Is told of it when it is made.
    func make(
        _ choice: DocumentChoice,
        _ form: ResponseKey.Form,
        for requester: Requester,
        _ waiter: VersionResponses.Waiter
    ) {
        let pool = service.work.reads(WorkSize(byteCount: choice.cost(isCoded: form.isCoded)))
        job(choice, form, for: requester, waiter)?.submit(to: pool)
    }

    /// The job in which a document is to be made; `nil`: it is there, or one waits already.
    func job(
        _ choice: DocumentChoice,
        _ form: ResponseKey.Form,
        for requester: Requester,
        _ waiter: VersionResponses.Waiter
    ) -> VersionResponses.Job? {
        let responses = cache.responses(for: choice.version)
        return responses.join(ResponseKey(choice, form), for: requester, waiter) {
            [builder] isWanted in
            builder.make(choice, form, with: responses, while: isWanted)
        }
    }

    /// Whether making the document is a matter of microseconds.
    func isInstant(_ choice: DocumentChoice, _ form: ResponseKey.Form) -> Bool {
        choice.isInstant(isCoded: form.isCoded, with: cache.responses(for: choice.version))
    }
}
