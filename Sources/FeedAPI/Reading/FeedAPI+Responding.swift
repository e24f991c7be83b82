import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// Responds to all reads of a version of one feed: from the cache, with a `304` or `412`, or with a
/// document that is made now or on a thread.
extension FeedAPI {
    /// Answers a read of one feed.
    func respond(_ read: borrowing FeedRead, _ context: borrowing VersionRead) -> Reply {
        let version = context.version
        let key = ResponseKey(
            kind: ResponseKey.Kind(
                since: read.since,
                read.presentation,
                now: version.token,
                asksForOld: read.version != nil
            ),
            view: read.presentation.view,
            coding: read.coding,
            appliedPreference: read.version == nil ? read.wait?.applied : nil
        )
        // The old version is not looked up before the cache: a cached response with this key is
        // right. Only responses about past versions may be cached longer than the old version is
        // remembered.
        if read.version == nil, let found = found(key, context) { return found }
        let choice = choice(key, of: version, since: read.since, in: context.responses)
        return respond(choice, context)
    }

    /// Answers with a document that depends on a single version.
    func respond(
        _ kind: ResponseKey.Kind,
        _ version: Version,
        _ request: borrowing RoutedRequest
    ) -> Reply {
        let context = VersionRead(version, request, self)
        let key = ResponseKey(kind: kind, coding: request.codings.choice)
        return found(key, context)
            ?? makeResponse(DocumentChoice(key, of: version, in: context.responses), context)
    }

    /// Answers with a document, or with the `304` or `412` that the request's conditions lead to.
    func respond(_ choice: DocumentChoice, _ context: borrowing VersionRead) -> Reply {
        found(choice.key, context) ?? makeResponse(choice, context)
    }

    /// Returns a response that needs no document to be made: `304`, `412`, or a cached response;
    /// `nil` if there is none.
    private func found(_ key: ResponseKey, _ context: borrowing VersionRead) -> Reply? {
        switch context.outcome {
        case .send:
            guard let response = context.responses[key] else { return nil }
            return .cached(response, ownFields(context))
        case .notModified(let coding):
            let response = notModified(context, key, in: coding)
            return .cached(response, ownFields(context))
        case .failed(let condition):
            let tag = CachingTraits(key.kind, to: context.version.token).tag(of: context.version)
            return .response(Problem.failed(condition, tag).response)
        }
    }

    /// Makes a document that is not cached, and answers with it.
    private func makeResponse(
        _ choice: DocumentChoice,
        _ context: borrowing VersionRead
    ) -> Reply {
        if let response = madeAtOnce(choice) { return .cached(response, ownFields(context)) }
        return .later { [self, context = copy context] responder in
            let waiter = VersionResponses.Waiter(isWanted: responder.isWanted) { response in
                guard let response else { return responder(FeedAPI.overloadedByReads) }
                responder(Response(response, self.ownFields(context)))
            }
            make(choice, for: context.client, waiter)
        }
    }

    /// Returns the `304` for a document in a coding, without the header lines that depend on the
    /// request; from the cache if it has one.
    private func notModified(
        _ context: borrowing VersionRead,
        _ document: ResponseKey,
        in coding: ContentCoding
    ) -> Payload {
        let traits = CachingTraits(document.kind, to: context.version.token)
        let key = ResponseKey(
            kind: .notModified(traits),
            coding: CodingChoice(coding),
            appliedPreference: document.appliedPreference
        )
        // The responses for feed readers are not cached: clients can ask for any number of pages,
        // each with another tag.
        if traits.stamp == nil, let found = context.responses[key] { return found }
        var response = Response(status: .notModified)
        addValidators(
            to: &response.fields,
            context.version,
            in: coding,
            traits,
            key.appliedPreference
        )
        cors.add(to: &response)
        let made = Payload(response, coding: coding, openField: FeedAPI.refreshAfter)
        if traits.stamp == nil { context.responses.keep(made, key) }
        return made
    }

    /// Returns the fields that depend on the time.
    func ownFields(_ context: borrowing VersionRead) -> Response.OwnFields {
        let version = context.version
        let hint = context.responses.hint(at: store.seconds) { store.pollingHint(version) }
        return Response.OwnFields(number: hint)
    }

    /// Answers with a response that is made on a thread.
    func reply(
        _ size: WorkSize,
        _ client: ClientID,
        _ make: @escaping @Sendable () -> Response
    ) -> Reply {
        .later { responder in
            self.onThread(size, client, responder) { responder(make()) }
        }
    }

    /// Does work on a thread for reads, or refuses the request.
    ///
    /// - Parameter byteCount: The bytes of memory that the work takes while it waits and runs.
    func onThread(
        _ size: WorkSize,
        _ client: ClientID,
        _ responder: Responder,
        holding byteCount: Int = 0,
        run: @escaping @Sendable () -> Void
    ) {
        let pool = service.work.reads(size)
        let work = QueuedWork(
            client: client,
            time: pool.now,
            byteCount: byteCount,
            isWanted: responder.isWanted,
            run: run,
            refuse: { responder(FeedAPI.overloadedByReads) }
        )
        pool.submit(work)
    }

    /// The response to a read that was refused because too many others wait.
    static var overloadedByReads: Response {
        Problem.overloaded("too many answers are being made").response
    }
}
