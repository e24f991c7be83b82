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
    func answer(_ version: Version, since: Token?, _ view: FeedView) -> FeedAnswer {
        let old = since.flatMap { store.version($0, of: version.feed) }
        return FeedAnswer(FeedQuery(view: view, since: since), old: old, version: version)
    }

    /// A document in a form, when it is there already.
    func made(_ answer: FeedAnswer, _ form: AnswerKey.Form) -> Made? {
        bakery.answers(for: answer.version).made(AnswerKey(answer, form))
    }

    /// Finds the document in a form, or has it made once for all who ask; `finish` is called at
    /// once or on the queue for work.
    func make(
        _ answer: FeedAnswer,
        _ form: AnswerKey.Form,
        finish: @escaping @Sendable (Made) -> Void
    ) {
        let answers = bakery.answers(for: answer.version)
        let queue = isSmall(answer, form) ? nil : workQueue
        answers.answer(AnswerKey(answer, form), on: queue) { [composer] in
            composer.make(answer, form, with: answers)
        } finish: {
            finish($0)
        }
    }

    /// The document in a form, when that is quickly made.
    ///
    /// - Parameters:
    ///   - answer: The document.
    ///   - form: Its form.
    ///   - finish: Is called on the queue for streams when it is made there; not when somebody
    ///     else has it made already.
    /// - Returns: `nil` while it is being made.
    func event(
        _ answer: FeedAnswer,
        _ form: AnswerKey.Form,
        finish: @escaping @Sendable (Made) -> Void
    ) -> Made? {
        let answers = bakery.answers(for: answer.version)
        let key = AnswerKey(answer, form)
        guard isSmall(answer, form) else {
            answers.begin(
                key,
                on: streamQueue,
                make: { [composer] in
                    composer.make(answer, form, with: answers)
                },
                finish: finish
            )
            return nil
        }
        let made = composer.make(answer, form, with: answers)
        answers.keep(made, key)
        return made
    }

    /// Whether others wait for the document already.
    func isBeingMade(_ answer: FeedAnswer, _ form: AnswerKey.Form) -> Bool {
        bakery.answers(for: answer.version).isBeingMade(AnswerKey(answer, form))
    }

    /// Whether making the document is a matter of microseconds.
    func isSmall(_ answer: FeedAnswer, _ form: AnswerKey.Form) -> Bool {
        let isCoded = form == .gzipPart || form == .gzipEvent
        return bakery.answers(for: answer.version).isSmall(isCoded: isCoded)
            && answer.isSmall(isCoded: isCoded)
    }
}

extension AnswerKey {
    fileprivate init(_ answer: FeedAnswer, _ form: Form) {
        self.init(kind: answer.kind, view: answer.view, form: form)
    }
}

extension Composer {
    /// Makes a document in a form; the plain one is taken from `answers`, or kept there.
    fileprivate func make(
        _ answer: FeedAnswer,
        _ form: AnswerKey.Form,
        with answers: BakedAnswers
    ) -> Made {
        let plain =
            answers.made(AnswerKey(answer, .response))
            ?? make(answer, .identity, origin: nil, with: answers)
        switch form {
        case .response: return plain
        case .event: return Made(content: Composer.event(plain.response.body))
        case .gzipPart, .gzipEvent:
            let body = plain.response.body
            tally.addCompression()
            return Made(part: form == .gzipPart ? body : Composer.event(body))
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

extension Made {
    /// Content without a head.
    fileprivate init(content: [UInt8], part: GzipPart? = nil) {
        response = BakedResponse(Response(status: .ok, body: .bytes(content)))
        coding = .identity
        self.part = part
    }

    fileprivate init(part content: [UInt8]) {
        let part = GzipPart(content)
        self.init(content: part.blocks, part: part)
    }
}
