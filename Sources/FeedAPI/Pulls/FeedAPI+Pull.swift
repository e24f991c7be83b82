import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization

/// Answers pulls: requests for many feeds at once.
extension FeedAPI {
    /// `GET /pull`: a document or the changes of each feed in the query.
    func readPull(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        try checkMayReadAny(request.caller)
        let wait = try WaitPreference(request)
        let selection = try FeedSelection(request)
        let parts = ReadParts(request, waits: wait != nil)
        // Caches do not compare the names in the body of a QUERY.
        let isQuery = request.lookUps?.names != nil
        let applied = wait?.applied ?? (isQuery ? WaitPreference.Applied(preferred: nil) : nil)
        let pull = pull(selection, parts, applied)
        guard let wait, pull.isUnchanged else { return respond(pull) }
        let topics = selection.entries.compactMap(\.feed).map(service.topics.topic(of:))
        let byteCount = selection.byteCount
        return waiting(for: topics, wait, parts, byteCount: byteCount) { api, parts, isLast in
            let pull = api.pull(selection, parts, applied)
            return !isLast && pull.isUnchanged ? nil : api.respond(pull)
        }
    }

    /// Refuses a caller without a key if every feed needs a key: `401`.
    func checkMayReadAny(_ caller: AccessKey?) throws(Problem) {
        if caller == nil, access.open.isEmpty {
            throw .unauthorized("reading needs a key here")
        }
    }

    /// Looks up the current versions of the feeds that the caller may read.
    private func pull(
        _ selection: FeedSelection,
        _ parts: ReadParts,
        _ applied: WaitPreference.Applied?
    ) -> Pull {
        var versions: [Version?] = []
        var (hint, tag): (Int?, PullTag) = (nil, PullTag())
        versions.reserveCapacity(selection.entries.count)
        let now = store.seconds
        for entry in selection.entries {
            guard let version = visible(entry.feed, to: parts.caller) else {
                tag.add(entry.name.utf8.span, nil)
                versions.append(nil)
                continue
            }
            tag.add(entry.name.utf8.span, version.token)
            let responses = cache.responses(for: version)
            let next = responses.hint(at: now) { store.pollingHint(version) }
            hint = min(next, hint ?? next)
            versions.append(version)
        }
        return Pull(
            selection: selection,
            parts: parts,
            applied: applied,
            versions: versions,
            hint: hint,
            tag: tag.tag(selection.view)
        )
    }
}

/// Responds to a pull whose versions are known.
extension FeedAPI {
    /// Answers a pull by its conditions, or with the documents of its feeds.
    func respond(_ pull: Pull) -> Reply {
        let parts = pull.parts
        switch parts.condition.outcome(pull.tag) {
        case .failed(let condition):
            return .response(response(.failed(condition, pull.tag), for: parts.requester))
        case .notModified(let coding):
            return .cached(payload(of: pull, .notModified, in: coding, nil), ownFields(pull))
        case .send: break
        }
        if parts.requester.isHead, let coding = foreseenCoding(pull, parts.coding) {
            return .response(head(pull, coding))
        }
        return withDocuments(pull)
    }

    /// Answers with the documents of the feeds; documents that are not cached are made first.
    private func withDocuments(_ pull: Pull) -> Reply {
        let accepted = pull.parts.coding
        if pull.mayBeShort, !accepted.isForced, let body = plainBody(pull),
            body.plainByteCount < PullBody.codedMinimum
        {
            return .response(completed(pull, body))
        }
        let coding = accepted.isForced || pull.hasNews ? accepted.coding : .identity
        let (documents, missing) = documents(of: pull, in: coding)
        guard !missing.isEmpty else {
            let body = PullBody(pull.entries, documents, isCoded: coding != .identity)
            return .response(completed(pull, body))
        }
        return .later { responder in
            self.make(missing, beside: documents, of: pull, in: coding, responder)
        }
    }

    /// Finds the documents of a pull that are cached, and makes those that are quickly made.
    ///
    /// - Parameters:
    ///   - pull: The pull.
    ///   - coding: The coding of the documents.
    /// - Returns: The documents, `nil` where a document or a feed is missing, and the missing
    ///   documents with their indices.
    private func documents(
        of pull: Pull,
        in coding: ContentCoding
    ) -> (found: [Payload?], missing: [(index: Int, choice: DocumentChoice)]) {
        let (presentation, isPlain) = (pull.selection.presentation, coding == .identity)
        let form: ResponseKey.Form = isPlain ? .response : .document
        // Many small documents together are much work, so the steps of all of them are limited.
        var stepsLeft = FeedAPI.stepsAtOnce
        var found: [Payload?] = []
        var missing: [(index: Int, choice: DocumentChoice)] = []
        found.reserveCapacity(pull.entries.count)
        for (index, version) in pull.versions.enumerated() {
            guard let version else {
                found.append(nil)
                continue
            }
            let since = pull.entries[index].since
            let sought = document(version, since: since, presentation, form, in: coding) {
                // The work of looking up a document grows with the sections in the view, too.
                let sections = version.snapshot.sections.count + ($0.key.view.sections?.count ?? 0)
                stepsLeft -= version.count + sections + 20
                return stepsLeft >= 0
            }
            switch sought {
            case .made(let document): found.append(document)
            case .unmade(let choice):
                found.append(nil)
                missing.append((index, choice))
            }
        }
        return (found, missing)
    }

    /// Has the missing documents of a pull made on threads, and then responds.
    ///
    /// Once the work for a document is refused because too much work waits, the other documents are
    /// not needed any more, and the response is an error.
    ///
    /// - Parameters:
    ///   - missing: The missing documents with their indices.
    ///   - found: The documents of all feeds; `nil` where a document or a feed is missing.
    ///   - pull: The pull.
    ///   - coding: The coding of the documents.
    ///   - responder: Receives the response.
    private func make(
        _ missing: [(index: Int, choice: DocumentChoice)],
        beside found: [Payload?],
        of pull: Pull,
        in coding: ContentCoding,
        _ responder: Responder
    ) {
        let requester = pull.parts.requester
        let state = Mutex((documents: found, missing: missing.count, isRefused: false))
        let put: @Sendable (Payload?, Int) -> Void = { document, index in
            let done = state.withLock { state -> (documents: [Payload?], isRefused: Bool)? in
                state.documents[index] = document
                state.missing -= 1
                if document == nil { state.isRefused = true }
                return state.missing == 0 ? (state.documents, state.isRefused) : nil
            }
            guard let done else { return }
            if done.isRefused { return responder(self.overloadedByReads(requester)) }
            let body = PullBody(pull.entries, done.documents, isCoded: coding != .identity)
            responder(self.completed(pull, body))
        }
        var pieces: [Piece] = []
        for (index, choice) in missing {
            let waiter = VersionResponses.Waiter { presumesLeft in
                !state.withLock(\.isRefused) && responder.isWanted(presumesLeft: presumesLeft)
            } finish: {
                put($0, index)
            }
            guard let job = job(choice, for: requester, waiter) else { continue }
            FeedAPI.add(job, choice.cost, to: &pieces)
        }
        submit(pieces[...], of: requester.client)
    }

    /// Jobs that a thread does together, with their cost in bytes.
    private typealias Piece = (jobs: [QueuedWork], cost: Int)

    /// Adds a job to the last piece, or begins another one where that would be more than small
    /// work.
    private static func add(_ job: QueuedWork, _ cost: Int, to pieces: inout [Piece]) {
        if let last = pieces.indices.last, pieces[last].cost + cost <= WorkSize.limit {
            pieces[last].jobs.append(job)
            pieces[last].cost += cost
        } else {
            pieces.append(([job], cost))
        }
    }

    /// Queues the first of some pieces of a client's work; the next piece follows when it is done.
    ///
    /// So a pull has only one piece of waiting work at a time. Small documents are made together,
    /// up to the limit of small work; the next piece waits behind other clients' work.
    private func submit(_ pieces: ArraySlice<Piece>, of client: ClientID) {
        guard let next = pieces.first else { return }
        let pool = service.work.reads(WorkSize(byteCount: next.cost))
        let work = QueuedWork(
            client: client,
            time: pool.now,
            isWanted: { presumesLeft in
                pieces.contains { piece in piece.jobs.contains { $0.isWanted(presumesLeft) } }
            },
            run: {
                for job in next.jobs {
                    if job.isWanted(true) { job.run() } else { job.refuse() }
                }
                self.submit(pieces.dropFirst(), of: client)
            },
            refuse: { for piece in pieces { for job in piece.jobs { job.refuse() } } }
        )
        pool.submit(work)
    }

    /// Returns the coding that the response to a GET would have, without making its body; `nil` if
    /// the coding depends on the length of the documents.
    private func foreseenCoding(_ pull: Pull, _ accepted: CodingChoice) -> ContentCoding? {
        if accepted.coding == .identity || accepted.isForced { return accepted.coding }
        if !pull.hasNews { return .identity }
        let isLong = zip(pull.entries, pull.versions).contains { entry, version in
            guard let version else { return false }
            let (since, presentation) = (entry.since, pull.selection.presentation)
            let key = ResponseKey(since: since, presentation, now: version.token, .response)
            let responses = cache.responses(for: version)
            return choice(key, of: version, since: since, in: responses).isSurelyLong
        }
        return isLong ? accepted.coding : nil
    }

    /// Returns the body without a coding; `nil` unless all documents are cached or quickly made.
    private func plainBody(_ pull: Pull) -> PullBody? {
        let (documents, missing) = documents(of: pull, in: .identity)
        return missing.isEmpty ? PullBody(pull.entries, documents, isCoded: false) : nil
    }

    /// Returns the `200` with a body, which is sent without a coding if compression gains nothing.
    private func completed(_ pull: Pull, _ body: PullBody) -> Response {
        var body = body
        let accepted = pull.parts.coding
        let isPlain = !accepted.isForced && body.isPlain
        let coding = isPlain ? .identity : accepted.coding
        if isPlain, body.isCoded, let plain = plainBody(pull) { body = plain }
        guard body.documentByteCount >= FeedAPI.copiedPullByteCount else {
            let response = payload(of: pull, .ok, in: coding, body.bytes(coding))
            return Response(response, ownFields(pull))
        }
        var response = head(pull, coding)
        // The pieces are shared by all clients that get the same documents.
        response.body = .parts(body.pieces(coding).map { .bytes($0) })
        return response
    }

    /// Returns the `200` without its content, as `HEAD` is answered.
    private func head(_ pull: Pull, _ coding: ContentCoding) -> Response {
        var response = payload(of: pull, .ok, in: coding, nil).response(ownFields(pull))
        response.body = .unsent
        return response
    }

    /// Returns the fields that depend on the time and the requester.
    private func ownFields(_ pull: Pull) -> Response.OwnFields {
        Response.OwnFields(lines: pull.parts.requester.originLines, number: pull.hint)
    }

    /// The most items and sections to read for one pull on an event loop.
    private static let stepsAtOnce = 1000

    /// The bytes of documents below which a pull is copied into one array; larger pulls are sent in
    /// pieces.
    static let copiedPullByteCount = 64 << 10
}
