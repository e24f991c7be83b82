import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization

/// `GET /pull`: many feeds in one request.
extension FeedAPI {
    func readPull(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        try checkMayReadAny(request.caller)
        let wait = try WaitPreference(request)
        let read = PullRead(
            selection: try FeedSelection(request),
            caller: request.caller,
            parts: ReadParts(request),
            wait: wait,
            isQuery: request.names != nil,
            origin: wait == nil ? nil : request.head.value(.origin)
        )
        let pull = pull(read)
        guard let wait, pull.isStill(read.parts) else { return respond(pull, read) }
        let topics = read.selection.entries.compactMap(\.feed).map(service.topics.topic(of:))
        let time = time(ofWait: wait.seconds, request.caller)
        let seen = SeenPull(pull, by: self)
        return .wait(
            LongPoll(for: topics, time: time, byteCount: read.selection.byteCount) {
                [newest = service.newest] isLast in
                (newest.api ?? self).attempt(read, seen, isLast: isLast)
            }
        )
    }

    /// Refuses a caller without a key if no feed is open: `401`.
    func checkMayReadAny(_ caller: Access.Caller) throws(Problem) {
        if case .anyone = caller, access.open.isEmpty {
            throw .unauthorized("reading needs a key here")
        }
    }

    private func attempt(_ read: PullRead, _ seen: SeenPull, isLast: Bool) -> Reply? {
        var read = read
        read.parts.requester = read.parts.requester.renewed(read.origin, by: builder.cors)
        do throws(Problem) {
            read.caller = try access.renewed(read.caller, isLast: isLast)
            if !isLast, seen.isCurrent(for: read, self) { return nil }
            let pull = pull(read)
            if !isLast, pull.isStill(read.parts) {
                seen.note(pull, by: self)
                return nil
            }
            return respond(pull, read)
        } catch {
            return .response(builder.response(error, for: read.parts.requester))
        }
    }

    private func pull(_ read: PullRead) -> Pull {
        let selection = read.selection
        var (parts, hint, tag): ([PullPart?], Int?, PullTag) = ([], nil, PullTag())
        parts.reserveCapacity(selection.entries.count)
        let now = store.seconds
        for entry in selection.entries {
            guard let version = visible(entry.feed, to: read.caller) else {
                tag.add(entry.name.utf8.span, nil)
                parts.append(nil)
                continue
            }
            tag.add(entry.name.utf8.span, version.token)
            let responses = cache.responses(for: version)
            let next = responses.hint(at: now) { builder.polling.hint(version) }
            hint = min(next, hint ?? next)
            parts.append(PullPart(version: version, responses: responses, since: entry.since))
        }
        return Pull(
            entries: selection.entries,
            parts: parts,
            presentation: selection.presentation,
            hint: hint,
            tag: tag.tag(selection.view)
        )
    }
}

/// The response to a pull.
extension FeedAPI {
    /// Answers a pull by its conditions, or with the documents of its feeds.
    func respond(_ pull: Pull, _ read: PullRead) -> Reply {
        let parts = read.parts
        switch parts.condition.outcome(pull.tag) {
        case .failed(let condition):
            return .response(builder.response(.failed(condition, pull.tag), for: parts.requester))
        case .notModified(let coding):
            let response = builder.notModified(pull.tag, coding, read.mark)
            return .cached(response, ownFields(pull, read))
        case .send: break
        }
        if parts.requester.isHead, let coding = foreseenCoding(pull, parts.coding) {
            return .response(head(pull, coding, read))
        }
        return withDocuments(pull, read)
    }

    /// Answers with the documents of the feeds; documents that are not cached are made first.
    private func withDocuments(_ pull: Pull, _ read: PullRead) -> Reply {
        let coding = read.parts.coding
        if pull.mayBeShort, !coding.isForced, let body = plainBody(pull),
            body.plainByteCount < PullBody.codedMinimum
        {
            return .response(completed(pull, body, read))
        }
        let isPlain = coding.coding == .identity || !coding.isForced && !pull.hasNews
        let form: ResponseKey.Form = isPlain ? .response : .gzipPart
        // Many small documents together are much work, so the steps of all of them are limited.
        var stepsLeft = FeedAPI.stepsAtOnce
        var body = PullBody(feedCount: pull.entries.count, isCoded: form.isCoded)
        var missing: [Int] = []
        for index in pull.parts.indices {
            let document = document(at: index, of: pull, form, &stepsLeft)
            if document == nil, pull.parts[index] != nil { missing.append(index) }
            body.add(pull.entries[index].name, document)
        }
        guard !missing.isEmpty else { return .response(completed(pull, body, read)) }
        let requester = read.parts.requester
        return .later { responder in
            let join = Join(body.feeds.map(\.document), missing: missing.count) { documents in
                guard let documents else { return responder(self.overloadedByReads(requester)) }
                responder(self.completed(pull, pull.body(documents, form), read))
            }
            self.make(missing, of: pull, as: form, for: requester, join, responder)
        }
    }

    /// Has some documents of a pull made, as work of its client.
    private func make(
        _ missing: [Int],
        of pull: Pull,
        as form: ResponseKey.Form,
        for requester: Requester,
        _ join: Join,
        _ responder: Responder
    ) {
        var jobs = PullJobs(of: requester.client, on: service.work)
        for index in missing {
            guard let choice = pull.parts[index].map({ choice($0, pull) }) else { continue }
            let waiter = VersionResponses.Waiter { presumesLeft in
                !join.isRefused && responder.isWanted(presumesLeft: presumesLeft)
            } finish: {
                join.put($0, at: index)
            }
            guard let job = job(choice, form, for: requester, waiter) else { continue }
            jobs.append(job, cost: choice.cost(isCoded: form.isCoded))
        }
        jobs.submit()
    }

    /// Returns the coding of the body; `nil` if it depends on the length of the documents.
    private func foreseenCoding(_ pull: Pull, _ accepted: CodingChoice) -> ContentCoding? {
        if accepted.coding == .identity || accepted.isForced { return accepted.coding }
        if !pull.hasNews { return .identity }
        let isLong = pull.parts.contains { $0.map { choice($0, pull).isSurelyLong } ?? false }
        return isLong ? accepted.coding : nil
    }

    /// Returns the body without a coding, if all documents are cached or quickly made.
    private func plainBody(_ pull: Pull) -> PullBody? {
        var body = PullBody(feedCount: pull.entries.count, isCoded: false)
        var stepsLeft = FeedAPI.stepsAtOnce
        for index in pull.parts.indices {
            let document = document(at: index, of: pull, .response, &stepsLeft)
            guard document != nil || pull.parts[index] == nil else { return nil }
            body.add(pull.entries[index].name, document)
        }
        return body
    }

    /// Returns the document of a feed if it is cached, or if it can be made within the remaining
    /// steps; `nil` also for a feed that does not exist.
    private func document(
        at index: Int,
        of pull: Pull,
        _ form: ResponseKey.Form,
        _ stepsLeft: inout Int
    ) -> Payload? {
        guard let part = pull.parts[index] else { return nil }
        if let found = part.found(pull.presentation, form) { return found }
        let choice = choice(part, pull)
        if let found = found(choice, form) { return found }
        // The work of looking up a document grows with the sections in the view, too.
        let sections = part.version.snapshot.sections.count + (choice.view.sections?.count ?? 0)
        stepsLeft -= part.version.count + sections + 20
        return stepsLeft >= 0 ? madeAtOnce(choice, form) : nil
    }

    private func choice(_ part: PullPart, _ pull: Pull) -> DocumentChoice {
        choice(part.version, since: part.since, pull.presentation)
    }

    /// Returns the response with this body, or without a coding if compression gains nothing.
    private func completed(_ pull: Pull, _ body: PullBody, _ read: PullRead) -> Response {
        var body = body
        let isPlain = !read.parts.coding.isForced && body.isPlain
        let coding = isPlain ? .identity : read.parts.coding.coding
        if isPlain, body.isCoded, let plain = plainBody(pull) { body = plain }
        guard body.documentByteCount >= FeedAPI.copiedPullByteCount else {
            let response = builder.pull(pull.tag, coding, read.mark, body.bytes(coding))
            return .cached(response, ownFields(pull, read))
        }
        var response = head(pull, coding, read)
        // The pieces are shared by all clients that get the same documents.
        response.body = .parts(body.pieces(coding).map { .bytes($0) })
        return response
    }

    /// Returns the `200` without its content.
    private func head(_ pull: Pull, _ coding: ContentCoding, _ read: PullRead) -> Response {
        var response = builder.pull(pull.tag, coding, read.mark, nil)
            .response(ownFields(pull, read))
        response.body = .unsent
        return response
    }

    private func ownFields(_ pull: Pull, _ read: PullRead) -> Response.OwnFields {
        Response.OwnFields(lines: read.parts.requester.originLines, number: pull.hint)
    }

    /// The most items and sections to read for one pull on an event loop.
    private static let stepsAtOnce = 1000

    /// The bytes of documents below which a pull is copied into one array; larger pulls are sent in
    /// pieces.
    static let copiedPullByteCount = 64 << 10
}

/// The jobs that make the documents of several feeds for one client.
///
/// All jobs of a pull are one piece of waiting work at a time: small documents are made together,
/// up to the limit of small work, and the rest is queued again behind other clients' work.
struct PullJobs: Sendable {
    private struct Piece: Sendable {
        var jobs: [VersionResponses.Job]
        var cost: Int
    }

    private let client: ClientID
    private let work: WorkScheduler
    /// The pieces of work, the next one last.
    private var pieces: [Piece] = []

    init(of client: ClientID, on work: WorkScheduler) {
        self.client = client
        self.work = work
    }

    /// Adds a job.
    ///
    /// - Parameters:
    ///   - job: The job, which makes a document.
    ///   - cost: The approximate number of bytes to read and write for it, as ``WorkSize`` counts
    ///     them.
    mutating func append(_ job: VersionResponses.Job, cost: Int) {
        if let last = pieces.indices.last, pieces[last].cost + cost <= WorkSize.limit {
            pieces[last].jobs.append(job)
            pieces[last].cost += cost
        } else {
            pieces.append(Piece(jobs: [job], cost: cost))
        }
    }

    /// Queues the next piece; the rest follows when it is done.
    func submit() {
        guard let next = pieces.last else { return }
        let pool = work.reads(WorkSize(byteCount: next.cost))
        let work = QueuedWork(
            client: client,
            time: pool.now,
            isWanted: isWanted,
            run: {
                for job in next.jobs {
                    if job.isWanted(true) { job.run() } else { job.refuse() }
                }
                var rest = self
                rest.pieces.removeLast()
                rest.submit()
            },
            refuse: refuse
        )
        pool.submit(work)
    }

    private func isWanted(_ presumesLeft: Bool) -> Bool {
        pieces.contains { piece in piece.jobs.contains { $0.isWanted(presumesLeft) } }
    }

    private func refuse() {
        for piece in pieces {
            for job in piece.jobs { job.refuse() }
        }
    }
}

/// Collects documents that are made separately, and passes all of them on when the last one is
/// complete.
final class Join: Sendable {
    private struct State {
        var found: [Payload?]
        var missing: Int
        var isRefused = false
    }

    private let state: Mutex<State>
    private let complete: @Sendable ([Payload?]?) -> Void

    /// - Parameters:
    ///   - found: The documents that exist already; `nil` for each missing one.
    ///   - missing: The number of missing documents, at least one.
    ///   - complete: Called once, with all documents, when the last one is complete; with `nil` if
    ///     one was refused.
    init(
        _ found: [Payload?],
        missing: Int,
        complete: @escaping @Sendable ([Payload?]?) -> Void
    ) {
        state = Mutex(State(found: found, missing: missing))
        self.complete = complete
    }

    /// Whether a document was refused, so that the others are not needed any more.
    var isRefused: Bool { state.withLock(\.isRefused) }

    /// Sets the document at `index`, once for each missing one; `nil` if it was refused.
    func put(_ made: Payload?, at index: Int) {
        let (isComplete, found) = state.withLock { state -> (Bool, [Payload?]?) in
            state.found[index] = made
            state.missing -= 1
            if made == nil { state.isRefused = true }
            return (state.missing == 0, state.isRefused ? nil : state.found)
        }
        if isComplete { complete(found) }
    }
}
