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
            known: known
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
            if !isStill { read.known = known }
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
}

extension ReadCondition.Outcome {
    /// Whether the document is sent.
    fileprivate var isNews: Bool { if case .send = self { true } else { false } }
}
