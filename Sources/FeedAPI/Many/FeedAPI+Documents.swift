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

    /// What brings someone who has `since` to `version`.
    func choice(
        _ version: Version,
        since: Token?,
        _ presentation: Presentation
    ) -> DocumentChoice {
        let old = since.flatMap { store.version($0, of: version.feed) }
        return DocumentChoice(FeedQuery(since: since, presentation), old: old, version: version)
    }

    /// A document in a form, when it is there already.
    func found(_ choice: DocumentChoice, _ form: ResponseKey.Form) -> CachedDocument? {
        cache.responses(for: choice.version)[ResponseKey(choice, form)]
    }

    /// Finds the document in a form, or has it made once for all who ask; `finish` is called at
    /// once or on the queue for work.
    func make(
        _ choice: DocumentChoice,
        _ form: ResponseKey.Form,
        finish: @escaping @Sendable (CachedDocument) -> Void
    ) {
        let responses = cache.responses(for: choice.version)
        let key = ResponseKey(choice, form)
        if let made = responses[key] ?? madeAtOnce(choice, form) {
            finish(made)
            return
        }
        responses.response(key, on: workQueue) { [builder] in
            builder.make(choice, form, with: responses)
        } finish: {
            finish($0)
        }
    }

    /// Makes the document in a form, if that is quickly done.
    func madeAtOnce(_ choice: DocumentChoice, _ form: ResponseKey.Form) -> CachedDocument? {
        guard isSmall(choice, form) else { return nil }
        return made(choice, form, cache.responses(for: choice.version))
    }

    private func made(
        _ choice: DocumentChoice,
        _ form: ResponseKey.Form,
        _ responses: VersionResponses
    ) -> CachedDocument {
        let document = builder.make(choice, form, with: responses)
        responses.keep(document, ResponseKey(choice, form))
        return document
    }

    /// The document that brings a stream's reader to `version`, when it is there already.
    func found(
        _ version: Version,
        since: Token?,
        _ presentation: Presentation,
        _ form: ResponseKey.Form
    ) -> CachedDocument? {
        let query = FeedQuery(since: since, presentation)
        // Without a look for the old version: what is kept already is right without it.
        let kind = DocumentChoice.kind(query, now: version.token)
        return cache.responses(for: version)[
            ResponseKey(kind: kind, view: presentation.view, form: form)
        ]
    }

    /// Has a document made on the queue for streams, once for all who wait for it; `finish` is
    /// called for each of them.
    func makeEvent(
        _ choice: DocumentChoice,
        _ form: ResponseKey.Form,
        finish: @escaping @Sendable (CachedDocument) -> Void
    ) {
        let responses = cache.responses(for: choice.version)
        responses.response(ResponseKey(choice, form), on: streamQueue) { [builder] in
            builder.make(choice, form, with: responses)
        } finish: {
            finish($0)
        }
    }

    /// Whether others wait for the document already.
    func isBeingMade(_ choice: DocumentChoice, _ form: ResponseKey.Form) -> Bool {
        cache.responses(for: choice.version).isBeingMade(ResponseKey(choice, form))
    }

    /// Whether making the document is a matter of microseconds.
    func isSmall(_ choice: DocumentChoice, _ form: ResponseKey.Form) -> Bool {
        let isCoded = form == .gzipPart || form == .gzipEvent
        return cache.responses(for: choice.version).isSmall(isCoded: isCoded)
            && choice.isSmall(isCoded: isCoded)
    }
}

extension ResponseKey {
    fileprivate init(_ choice: DocumentChoice, _ form: Form) {
        self.init(kind: choice.kind, view: choice.view, form: form)
    }
}

extension ResponseBuilder {
    /// Makes a document in a form; the plain one is taken from `responses`, if it is there.
    fileprivate func make(
        _ choice: DocumentChoice,
        _ form: ResponseKey.Form,
        with responses: VersionResponses
    ) -> CachedDocument {
        let key = ResponseKey(choice, .response)
        let plain = responses[key] ?? make(choice, key, with: responses)
        switch form {
        case .response: return plain
        case .event: return CachedDocument(content: ResponseBuilder.event(plain.response.body))
        case .gzipPart, .gzipEvent:
            let body = plain.response.body
            counters.addCompression()
            return CachedDocument(
                part: form == .gzipPart ? body : ResponseBuilder.event(body)
            )
        }
    }

    /// An event with a document, which has no line end in it, without its id and the empty line
    /// behind it (HTML Standard, “Server-sent events”).
    private static func event(_ document: [UInt8]) -> [UInt8] {
        let kind = document.dropFirst(#"{"kind":""#.utf8.count).prefix { $0 != UInt8(ascii: "\"") }
        return Array("event: ".utf8) + kind + Array("\ndata: ".utf8) + document
            + [UInt8(ascii: "\n")]
    }
}

extension CachedDocument {
    /// Content without a head.
    fileprivate init(content: [UInt8], part: GzipPart? = nil) {
        response = CachedResponse(Response(status: .ok, body: .bytes(content)))
        coding = .identity
        self.part = part
    }

    fileprivate init(part content: [UInt8]) {
        let part = GzipPart(content)
        self.init(content: part.blocks, part: part)
    }
}
