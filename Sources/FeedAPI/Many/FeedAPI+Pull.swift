import Dispatch
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// `GET /pull`: many feeds in one request.
extension FeedAPI {
    func readPull(_ call: Call) throws(Problem) -> Reception {
        try checkMayReadAny(call.caller)
        let read = PullRead(
            selection: try FeedSelection(call.query),
            caller: call.caller,
            parts: ReadParts(call)
        )
        let hold = try Hold(call)
        let pull = pull(read)
        guard let hold else {
            let answer = reception(pull, read.parts)
            let hint = pull.hint(composer.pacing)
            let standing = PullStanding(pull, of: read.selection, hint: hint, in: store)
            remember(answer, to: call.head, standing)
            return answer
        }
        guard pull.isStill(read.parts) else { return reception(pull, read.parts).marked(hold) }
        let topics = read.selection.entries.compactMap(\.feed).map(topics.topic(of:))
        return .wait(
            Wait(for: topics, time: time(of: hold), byteCount: read.selection.byteCount) {
                [live] isLast in
                (live.api ?? self).attempt(read, hold, isLast: isLast)
            }
        )
    }

    /// Refuses who could see nothing for want of a key.
    func checkMayReadAny(_ caller: Access.Caller) throws(Problem) {
        if case .anyone = caller, access.open.isEmpty {
            throw .unauthorized("reading needs a key here")
        }
    }

    private func attempt(_ read: PullRead, _ hold: Hold, isLast: Bool) -> Reception? {
        do throws(Problem) {
            var read = read
            read.caller = try access.renewed(read.caller)
            let pull = pull(read)
            if !isLast, pull.isStill(read.parts) { return nil }
            return reception(pull, read.parts).marked(hold)
        } catch {
            return .answer(composer.response(error, origin: read.parts.origin))
        }
    }

    private func pull(_ read: PullRead) -> Pull {
        let view = read.selection.view
        let answers = read.selection.entries.map { entry in
            visible(entry.feed, to: read.caller).map { answer($0, since: entry.since, view) }
        }
        return Pull(names: read.selection.entries.map(\.name), answers: answers, view: view)
    }

    private func reception(_ pull: Pull, _ parts: ReadParts) -> Reception {
        let tag = pull.tag
        let condition = parts.condition.outcome(tag)
        switch condition {
        case .failed:
            return .answer(composer.response(.otherVersion(tag), origin: parts.origin))
        case .notModified(let coding):
            return .answer(composer.notModified(pull, coding, parts))
        case .send, .notModifiedAsSent: break
        }
        let form: AnswerKey.Form = parts.coding.coding == .gzip ? .gzipPart : .response
        let finish: @Sendable ([Made?]) -> Response = { [composer] documents in
            let (response, coding) = composer.response(pull, documents, form, parts)
            guard case .notModifiedAsSent = condition else { return response }
            return composer.notModified(pull, coding, parts)
        }
        let found = pull.answers.map { $0.flatMap { made($0, form) } }
        let isComplete = zip(pull.answers, found).allSatisfy { $0 == nil || $1 != nil }
        let byteCount = found.reduce(0) { $0 + ($1?.response.body.count ?? 0) }
        if isComplete, byteCount <= FeedAPI.quickByteCount { return .answer(finish(found)) }
        // Whoever only joins those that wait for the same documents costs little more.
        let isFree = zip(pull.answers, found).allSatisfy { answer, made in
            guard let answer, made == nil else { return true }
            return isSmall(answer, form) || isBeingMade(answer, form)
        }
        let ticket = isFree ? nil : waitingReads.enter()
        guard isFree || ticket != nil else { return .answer(overloadedByReads(parts.origin)) }
        return gathered(pull, form, ticket, finish)
    }

    /// Has the documents made that are not there yet; `ticket` is given back after that.
    private func gathered(
        _ pull: Pull,
        _ form: AnswerKey.Form,
        _ ticket: Admission.Ticket?,
        _ finish: @escaping @Sendable ([Made?]) -> Response
    ) -> Reception {
        let queue = workQueue
        return .later { responder in
            let gathering = Gathering(pull.answers.count) { documents in
                queue.async {
                    responder(finish(documents))
                    withExtendedLifetime(ticket) {}
                }
            }
            for (index, answer) in pull.answers.enumerated() {
                guard let answer else {
                    gathering.put(nil, at: index)
                    continue
                }
                self.make(answer, form) { gathering.put($0, at: index) }
            }
        }
    }

    /// Bytes that may be put together on an event loop.
    private static let quickByteCount = 256 << 10
}

/// A pull, taken apart, so that it can be answered more than once.
private struct PullRead: Sendable {
    let selection: FeedSelection
    var caller: Access.Caller
    let parts: ReadParts
}

extension Composer {
    /// `200` with the documents; a feed without one is missing.
    fileprivate func response(
        _ pull: Pull,
        _ documents: [Made?],
        _ form: AnswerKey.Form,
        _ parts: ReadParts
    ) -> (Response, ContentCoding) {
        var body: [UInt8]
        var coding = ContentCoding.identity
        if form == .gzipPart {
            body = pull.gzipDocument(documents.map { $0?.part })
            coding = .gzip
        } else {
            (body, coding) = Composer.coded(
                pull.document(documents.map { $0?.response.body }),
                parts.coding
            )
        }
        var fields = fields(pull, coding, parts)
        fields[.contentType] = "application/json"
        fields[.acceptRanges] = "none"
        if coding != .identity { fields[.contentEncoding] = coding.name }
        return (Response(status: .ok, fields: fields, body: .bytes(body)), coding)
    }

    fileprivate func notModified(
        _ pull: Pull,
        _ coding: ContentCoding,
        _ parts: ReadParts
    ) -> Response {
        Response(status: .notModified, fields: fields(pull, coding, parts))
    }

    private func fields(_ pull: Pull, _ coding: ContentCoding, _ parts: ReadParts) -> HTTPFields {
        var fields: HTTPFields = [
            .eTag: pull.tag.text(coding), .cacheControl: "no-cache",
            .vary: "Accept-Encoding, Prefer, Authorization",
        ]
        fields[.refreshAfter] = pull.hint(pacing).map(String.init)
        cors.add(to: &fields, for: parts.origin)
        return fields
    }
}
