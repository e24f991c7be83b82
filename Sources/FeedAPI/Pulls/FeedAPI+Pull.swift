import FeedModel
import FeedStore
import Gzip
import HTTPServer
import HTTPTypes
import HTTPWire
import Platform
import Synchronization

/// Answers pulls: requests for many feeds at once.
extension FeedAPI {
    /// `GET /pull`: a document or the changes of each feed in the query.
    func readPull(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        try checkMayReadAny(request.caller)
        let wait = try WaitPreference(request)
        let selection = try FeedSelection(request)
        let parts = ReadParts(request)
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
            return .response(Problem.failed(condition, pull.tag).response)
        case .notModified(let coding):
            return .cached(payload(of: pull, .notModified, in: coding, nil), ownFields(pull))
        case .send: break
        }
        let coding = parts.coding.isForced || pull.hasNews ? parts.coding.coding : .identity
        let (documents, missing) = documents(of: pull, in: coding)
        guard !missing.isEmpty else {
            return .response(completed(pull, documents, in: coding))
        }
        return .later { responder in
            self.make(missing, beside: documents, of: pull, in: coding, responder)
        }
    }

    /// Finds the documents of a pull that are cached, and makes those that are quickly made.
    ///
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
    /// - Parameter found: The documents of all feeds; `nil` where a document or a feed is missing.
    private func make(
        _ missing: [(index: Int, choice: DocumentChoice)],
        beside found: [Payload?],
        of pull: Pull,
        in coding: ContentCoding,
        _ responder: Responder
    ) {
        let (client, indices) = (pull.parts.client, missing.map(\.index))
        let isRefused = Atomic(false)
        let answers = AwaitedAnswers<Payload?>(count: missing.count) { made in
            if isRefused.load(ordering: .relaxed) { return responder(FeedAPI.overloadedByReads) }
            var documents = found
            for (index, document) in zip(indices, made) { documents[index] = document ?? nil }
            responder(self.completed(pull, documents, in: coding))
        }
        let jobs = missing.map(\.choice).enumerated().compactMap { number, choice -> Job? in
            let waiter = VersionResponses.Waiter { presumesLeft in
                !isRefused.load(ordering: .relaxed)
                    && responder.isWanted(presumesLeft: presumesLeft)
            } finish: { document in
                if document == nil { isRefused.store(true, ordering: .relaxed) }
                answers.take(document, at: number)
            }
            return job(choice, for: client, waiter).map { ($0, choice.cost) }
        }
        submit(jobs[...], of: client)
    }

    /// A document's work, with its cost in bytes.
    private typealias Job = (work: QueuedWork, cost: Int)

    /// Queues the first jobs of a client's pull, as many as together are small work; the others
    /// follow when these are done.
    ///
    /// So a pull has only one piece of waiting work at a time, and its next jobs wait behind other
    /// clients' work.
    private func submit(_ jobs: ArraySlice<Job>, of client: ClientID) {
        guard let first = jobs.first else { return }
        let pool = service.work.reads(WorkSize(byteCount: first.cost))
        let work = QueuedWork(
            client: client,
            time: pool.now,
            isWanted: { presumesLeft in jobs.contains { $0.work.isWanted(presumesLeft) } },
            run: {
                var (rest, cost) = (jobs, 0)
                repeat {
                    let next = rest.removeFirst()
                    cost += next.cost
                    next.work.runIfWanted(true)
                } while rest.first.map { cost + $0.cost <= WorkSize.limit } ?? false
                self.submit(rest, of: client)
            },
            refuse: { for job in jobs { job.work.refuse() } }
        )
        pool.submit(work)
    }

    /// Returns the `200` with documents, which are sent without a coding if compression gains
    /// nothing.
    private func completed(
        _ pull: Pull,
        _ documents: [Payload?],
        in coding: ContentCoding
    ) -> Response {
        let body = PullBody(pull.entries, documents, in: coding)
        guard coding != .identity, !pull.parts.coding.isForced, !body.isWorthCoding else {
            return response(to: pull, in: coding, body.body)
        }
        var plain = self.documents(of: pull, in: .identity).found
        for (index, document) in documents.enumerated() where plain[index] == nil {
            plain[index] = document.map { Payload(content: $0.part?.content ?? $0.body) }
        }
        let plainBody = PullBody(pull.entries, plain, in: .identity)
        return response(to: pull, in: .identity, plainBody.body)
    }

    /// Returns the `200` with a body in a coding.
    private func response(
        to pull: Pull,
        in coding: ContentCoding,
        _ body: Response.Body
    ) -> Response {
        if case .bytes(let content) = body {
            return Response(payload(of: pull, .ok, in: coding, content), ownFields(pull))
        }
        var response = payload(of: pull, .ok, in: coding, nil).response(ownFields(pull))
        response.body = body
        return response
    }

    /// Returns the fields that depend on the time.
    private func ownFields(_ pull: Pull) -> Response.OwnFields {
        Response.OwnFields(number: pull.hint)
    }

    /// The most items and sections to read for one pull on an event loop.
    private static let stepsAtOnce = 1000
}
