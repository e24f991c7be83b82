import Dispatch
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// `GET /pull`: many feeds in one request.
extension FeedAPI {
    func readPull(_ request: borrowing RoutedRequest) throws(Problem) -> Disposition {
        try checkMayReadAny(request.caller)
        let poll = try WaitPreference(request)
        let known = poll == nil ? KnownPull(request, self) : nil
        if let known,
            let answer = found(
                known,
                request.head.codingChoice,
                request.origin,
                nil,
                { request.head.readOutcome($0) }
            )
        {
            return answer.disposition
        }
        let read = PullRead(
            selection: try FeedSelection(request.query),
            caller: request.caller,
            parts: ReadParts(request),
            poll: poll,
            digest: known?.digest
        )
        let pull = pull(read)
        guard let poll, pull.isStill(read.parts) else { return respond(pull, read) }
        let topics = read.selection.entries.compactMap(\.feed).map(topics.topic(of:))
        let time = time(ofPoll: poll.seconds, request.caller)
        let seen = SeenPull(pull, by: self)
        return .longPoll(
            LongPoll(for: topics, time: time, byteCount: read.selection.byteCount) {
                [current = currentConfiguration] isLast in
                (current.api ?? self).attempt(read, seen, isLast: isLast)
            }
        )
    }

    /// The answer that was made when the same was asked for at the same versions.
    private func found(
        _ known: KnownPull,
        _ coding: CodingChoice,
        _ origin: RequestOrigin,
        _ mark: WaitPreference.Mark?,
        _ outcome: (Tag) -> ReadCondition.Outcome
    ) -> FinalResponse? {
        let key = ResponseKey(
            kind: .pull(known.digest, isNotModified: false),
            coding: coding,
            poll: mark
        )
        guard let document = known.responses[key], let tag = document.tag else { return nil }
        let completion = CachedResponse.Completion(
            lines: builder.cors.lines(for: origin),
            number: known.hint
        )
        let matched: ContentCoding
        switch outcome(tag) {
        case .send: return .cached(document.response, completion)
        case .failed: return nil
        case .notModified(let match): matched = match.coding(asSent: document.coding)
        }
        let short = ResponseKey(
            kind: .pull(known.digest, isNotModified: true),
            coding: CodingChoice(matched),
            poll: mark
        )
        return known.responses[short].map { .cached($0.response, completion) }
    }

    /// Refuses who could see nothing for want of a key.
    func checkMayReadAny(_ caller: Access.Caller) throws(Problem) {
        if case .anyone = caller, access.open.isEmpty {
            throw .unauthorized("reading needs a key here")
        }
    }

    private func attempt(_ read: PullRead, _ seen: SeenPull, isLast: Bool) -> Disposition? {
        do throws(Problem) {
            var read = read
            read.caller = try access.renewed(read.caller, isLast: isLast)
            if !isLast, seen.isCurrent(for: read, self) { return nil }
            // What is kept for those who waited is always news.
            let parts = read.parts
            let known = KnownPull(read.selection, read.caller, self)
            if let known,
                let answer = found(
                    known,
                    parts.coding,
                    parts.origin,
                    read.poll?.mark,
                    {
                        parts.condition.outcome($0).isNews ? .send : .failed(.match)
                    }
                )
            {
                return answer.disposition
            }
            let pull = pull(read)
            let isStill = pull.isStill(parts)
            if !isLast, isStill {
                seen.note(pull, by: self)
                return nil
            }
            if !isStill { read.digest = known?.digest }
            return respond(pull, read)
        } catch {
            return .answer(builder.response(error, origin: read.parts.origin))
        }
    }

    private func pull(_ read: PullRead) -> Pull {
        let selection = read.selection
        let choices = selection.entries.map { entry in
            visible(entry.feed, to: read.caller).map {
                choice($0, since: entry.since, selection.presentation)
            }
        }
        return Pull(selection.entries, choices: choices, view: selection.view)
    }

    private func respond(_ pull: Pull, _ read: PullRead) -> Disposition {
        let parts = read.parts
        let outcome = parts.condition.outcome(pull.tag)
        switch outcome {
        case .failed(let condition):
            return .answer(
                builder.response(.failed(condition, pull.tag), origin: parts.origin)
            )
        case .notModified(let match):
            if let coding = match.coding(for: parts.coding) {
                return notModified(pull, coding, read).disposition
            }
        case .send: break
        }
        if let answer = withoutDocuments(pull, read, outcome) { return answer.disposition }
        return withDocuments(pull, read, outcome)
    }

    /// The answer with the feeds' documents; those that are not there are made first.
    private func withDocuments(
        _ pull: Pull,
        _ read: PullRead,
        _ outcome: ReadCondition.Outcome
    ) -> Disposition {
        let parts = read.parts
        let form: ResponseKey.Form = parts.coding.coding == .identity ? .response : .gzipPart
        // Many that are small are large together.
        var itemsLeft = FeedAPI.itemsAtOnce
        let found = pull.choices.map { choice -> CachedDocument? in
            guard let choice else { return nil }
            if let found = self.found(choice, form) { return found }
            itemsLeft -= choice.version.count + 20
            return itemsLeft >= 0 ? madeAtOnce(choice, form) : nil
        }
        let missing = pull.choices.indices.filter { pull.choices[$0] != nil && found[$0] == nil }
        guard !missing.isEmpty else { return finished(pull, found, read, outcome).disposition }
        return .later { responder in
            let join = Join(found, missing: missing.count) { documents in
                guard let documents else {
                    responder(self.overloadedByReads(parts.origin))
                    return
                }
                responder(self.finished(pull, documents, read, outcome))
            }
            for index in missing {
                guard let choice = pull.choices[index] else { continue }
                self.make(
                    choice,
                    form,
                    for: parts.origin,
                    .init(isWanted: responder.isWanted) { join.put($0, at: index) }
                )
            }
        }
    }

    /// The answer where no content is sent: what would cost much is not made then.
    private func withoutDocuments(
        _ pull: Pull,
        _ read: PullRead,
        _ outcome: ReadCondition.Outcome
    ) -> FinalResponse? {
        let isNotModified = if case .notModified = outcome { true } else { false }
        guard isNotModified || read.parts.origin.isHead else { return nil }
        let coding = pull.foreseenCoding(read.parts.coding)
        if coding == nil, pull.choices.allSatisfy({ $0.map(isCheap) ?? true }) { return nil }
        if case .notModified(let match) = outcome {
            return notModified(pull, match.coding(asSent: coding ?? .identity), read)
        }
        var response = builder.head(pull, coding ?? .identity, read)
        if coding == nil { response.fields[.eTag] = nil }
        return own(response, pull, read)
    }

    private func isCheap(_ choice: DocumentChoice) -> Bool {
        isSmall(choice, .gzipPart) || isCheap(choice, cache.responses(for: choice.version))
    }

    /// The answer made of these documents, which is kept if it is small.
    private func finished(
        _ pull: Pull,
        _ documents: [CachedDocument?],
        _ read: PullRead,
        _ outcome: ReadCondition.Outcome
    ) -> FinalResponse {
        let isPlain = !read.parts.coding.isForced && pull.isShort(documents)
        let coding = isPlain ? .identity : read.parts.coding.coding
        if case .notModified(let match) = outcome {
            return notModified(pull, match.coding(asSent: coding), read)
        }
        let parts = pull.parts(documents, coding)
        let byteCount = parts.reduce(0) { $0 + $1.count }
        var response = builder.head(pull, coding, read)
        guard byteCount <= FeedAPI.keptPullByteCount else {
            // What they are made of is shared with all who ask for the same.
            response.body = .parts(parts.map { .bytes($0) })
            return own(response, pull, read)
        }
        response.body = .bytes(Array(parts.joined()))
        let document = CachedDocument(
            response: CachedResponse(response, openField: .refreshAfter),
            coding: coding,
            tag: pull.tag
        )
        keep(document, pull, read, read.parts.coding, isNotModified: false)
        return .cached(document.response, completion(pull, read))
    }

    /// An answer that is kept for nobody else, with what is said to one request alone.
    private func own(_ response: Response, _ pull: Pull, _ read: PullRead) -> FinalResponse {
        var response = response
        response.fields[.refreshAfter] = completion(pull, read).number.map(String.init)
        builder.cors.addListed(to: &response.fields, for: read.parts.origin)
        return .response(response)
    }

    private func notModified(_ pull: Pull, _ coding: ContentCoding, _ read: PullRead)
        -> FinalResponse
    {
        let document = CachedDocument(
            response: builder.notModified(pull, coding, read),
            coding: coding
        )
        keep(document, pull, read, CodingChoice(coding), isNotModified: true)
        return .cached(document.response, completion(pull, read))
    }

    /// Keeps an answer beside the version of the first feed that is there.
    private func keep(
        _ document: CachedDocument,
        _ pull: Pull,
        _ read: PullRead,
        _ coding: CodingChoice,
        isNotModified: Bool
    ) {
        guard let digest = read.digest, let first = pull.choices.lazy.compactMap(\.self).first
        else { return }
        let key = ResponseKey(
            kind: .pull(digest, isNotModified: isNotModified),
            coding: coding,
            poll: read.poll?.mark
        )
        cache.responses(for: first.version).keep(document, key)
    }

    private func completion(_ pull: Pull, _ read: PullRead) -> CachedResponse.Completion {
        CachedResponse.Completion(
            lines: builder.cors.lines(for: read.parts.origin),
            number: pull.hint(builder.polling)
        )
    }

    /// Items of feeds whose documents are made on the loop for one request.
    private static let itemsAtOnce = 1000

    /// Bytes of a pull that is worth keeping.
    private static let keptPullByteCount = 64 << 10
}

extension ReadCondition.Outcome {
    /// Whether the document is sent.
    fileprivate var isNews: Bool { if case .send = self { true } else { false } }
}
