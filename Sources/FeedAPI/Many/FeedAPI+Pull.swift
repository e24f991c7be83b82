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
        if let known, let answer = found(known, request) { return answer.disposition }
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
        return .longPoll(
            LongPoll(for: topics, time: time, byteCount: read.selection.byteCount) {
                [current = currentConfiguration] isLast in
                (current.api ?? self).attempt(read, isLast: isLast)
            }
        )
    }

    /// The answer that was made when the same was asked for at the same versions.
    private func found(_ known: KnownPull, _ request: borrowing RoutedRequest) -> FinalResponse? {
        let coding = request.head.codingChoice
        let key = ResponseKey(kind: .pull(known.digest, isNotModified: false), coding: coding)
        guard let document = known.responses[key], let tag = document.tag else { return nil }
        let completion = CachedResponse.Completion(
            lines: builder.cors.lines(for: request.origin),
            number: known.hint
        )
        let matched: ContentCoding
        switch request.head.readOutcome(tag) {
        case .send: return .cached(document.response, completion)
        case .failed: return nil
        case .notModified(let match): matched = match.coding(asSent: document.coding)
        }
        let short = ResponseKey(
            kind: .pull(known.digest, isNotModified: true),
            coding: CodingChoice(matched)
        )
        return known.responses[short].map { .cached($0.response, completion) }
    }

    /// Refuses who could see nothing for want of a key.
    func checkMayReadAny(_ caller: Access.Caller) throws(Problem) {
        if case .anyone = caller, access.open.isEmpty {
            throw .unauthorized("reading needs a key here")
        }
    }

    private func attempt(_ read: PullRead, isLast: Bool) -> Disposition? {
        do throws(Problem) {
            var read = read
            read.caller = try access.renewed(read.caller, isLast: isLast)
            let pull = pull(read)
            if !isLast, pull.isStill(read.parts) { return nil }
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
        let form: ResponseKey.Form = parts.coding.coding == .gzip ? .gzipPart : .response
        let finish: @Sendable ([CachedDocument?]) -> FinalResponse = { documents in
            self.finished(pull, documents, form, read, outcome)
        }
        let found = pull.choices.map { choice in
            choice.flatMap { self.found($0, form) ?? madeAtOnce($0, form) }
        }
        let isComplete = zip(pull.choices, found).allSatisfy { $0 == nil || $1 != nil }
        let byteCount = found.reduce(0) { $0 + ($1?.response.body.count ?? 0) }
        if isComplete, byteCount <= FeedAPI.quickByteCount { return finish(found).disposition }
        // Whoever only joins those that wait for the same documents costs little more.
        let isFree = zip(pull.choices, found).allSatisfy { choice, found in
            guard let choice, found == nil else { return true }
            return isBeingMade(choice, form)
        }
        let ticket = isFree ? nil : waitingReads.enter()
        guard isFree || ticket != nil else { return .answer(overloadedByReads(parts.origin)) }
        return gathered(pull, form, ticket, finish)
    }

    /// Has the documents made that are not there yet; `ticket` is given back after that.
    private func gathered(
        _ pull: Pull,
        _ form: ResponseKey.Form,
        _ ticket: Admission.Ticket?,
        _ finish: @escaping @Sendable ([CachedDocument?]) -> FinalResponse
    ) -> Disposition {
        let queue = workQueue
        return .later { responder in
            let join = Join(pull.choices.count) { documents in
                queue.async {
                    responder(finish(documents))
                    withExtendedLifetime(ticket) {}
                }
            }
            for (index, choice) in pull.choices.enumerated() {
                guard let choice else {
                    join.put(nil, at: index)
                    continue
                }
                self.make(choice, form) { join.put($0, at: index) }
            }
        }
    }

    /// The answer made of these documents, which is kept if it is small.
    private func finished(
        _ pull: Pull,
        _ documents: [CachedDocument?],
        _ form: ResponseKey.Form,
        _ read: PullRead,
        _ outcome: ReadCondition.Outcome
    ) -> FinalResponse {
        let document = builder.response(pull, documents, form, read)
        let isKept = document.response.body.count <= FeedAPI.keptPullByteCount
        if isKept { keep(document, pull, read, read.parts.coding, isNotModified: false) }
        if case .notModified(let match) = outcome {
            return notModified(pull, match.coding(asSent: document.coding), read)
        }
        let answer = FinalResponse.cached(document.response, completion(pull, read))
        return isKept ? answer : answer.own
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
        let key = ResponseKey(kind: .pull(digest, isNotModified: isNotModified), coding: coding)
        cache.responses(for: first.version).keep(document, key)
    }

    private func completion(_ pull: Pull, _ read: PullRead) -> CachedResponse.Completion {
        CachedResponse.Completion(
            lines: builder.cors.lines(for: read.parts.origin),
            number: pull.hint(builder.polling)
        )
    }

    /// Bytes of a pull that is worth keeping.
    private static let keptPullByteCount = 64 << 10

    /// Bytes that may be put together on an event loop.
    private static let quickByteCount = 256 << 10
}

/// A pull, taken apart, so that it can be answered more than once.
private struct PullRead: Sendable {
    let selection: FeedSelection
    var caller: Access.Caller
    let parts: ReadParts
    let poll: WaitPreference?
    /// Names it among what is kept; `nil`: it is not.
    let digest: ResponseKey.PullDigest?
}

extension ResponseBuilder {
    /// `200` with the documents; a feed without one is missing.
    fileprivate func response(
        _ pull: Pull,
        _ documents: [CachedDocument?],
        _ form: ResponseKey.Form,
        _ read: PullRead
    ) -> CachedDocument {
        var body: [UInt8]
        var coding = ContentCoding.identity
        if form == .gzipPart {
            body = pull.gzipDocument(documents.map { $0?.part })
            coding = .gzip
        } else {
            (body, coding) = ResponseBuilder.coded(
                pull.document(documents.map { $0?.response.body }),
                read.parts.coding
            )
        }
        var fields = fields(pull, coding, read)
        fields[.contentType] = "application/json"
        fields[.acceptRanges] = "none"
        if coding != .identity { fields[.contentEncoding] = coding.name }
        let response = Response(status: .ok, fields: fields, body: .bytes(body))
        return CachedDocument(
            response: CachedResponse(response, openField: .refreshAfter),
            coding: coding,
            tag: pull.tag
        )
    }

    fileprivate func notModified(
        _ pull: Pull,
        _ coding: ContentCoding,
        _ read: PullRead
    ) -> CachedResponse {
        let response = Response(status: .notModified, fields: fields(pull, coding, read))
        return CachedResponse(response, openField: .refreshAfter)
    }

    private func fields(_ pull: Pull, _ coding: ContentCoding, _ read: PullRead) -> HTTPFields {
        var fields: HTTPFields = [
            .eTag: pull.tag.text(coding), .cacheControl: "no-cache",
            .vary: "Accept-Encoding, Prefer, Authorization",
        ]
        read.poll?.mark.mark(&fields)
        cors.addCommon(to: &fields)
        return fields
    }
}
