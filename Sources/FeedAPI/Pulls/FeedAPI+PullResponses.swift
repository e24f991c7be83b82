import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// The response to a pull.
extension FeedAPI {
    /// The response with what the feeds have to say; documents that are not there are made first.
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
        if parts.requester.isHead, let coding = pull.foreseenCoding(parts.coding) {
            return .response(head(pull, coding, read))
        }
        return withDocuments(pull, read)
    }

    /// The answer with the feeds' documents; those that are not there are made first.
    private func withDocuments(_ pull: Pull, _ read: PullRead) -> Reply {
        if let body = plainBody(pull, read.parts.coding) {
            return .response(completed(pull, body, read))
        }
        let form: ResponseKey.Form =
            read.parts.coding.coding == .identity ? .response : .gzipPart
        // Many that are small are large together.
        var stepsLeft = FeedAPI.stepsAtOnce
        let found = pull.choices.map { choice -> Payload? in
            guard let choice else { return nil }
            if let found = self.found(choice, form) { return found }
            return madeAtOnce(choice, form, &stepsLeft)
        }
        let missing = pull.choices.indices.filter { pull.choices[$0] != nil && found[$0] == nil }
        guard !missing.isEmpty else {
            return .response(completed(pull, pull.body(found, form), read))
        }
        let requester = read.parts.requester
        return .later { responder in
            let join = Join(found, missing: missing.count) { documents in
                guard let documents else { return responder(self.overloadedByReads(requester)) }
                responder(self.completed(pull, pull.body(documents, form), read))
            }
            self.make(missing, of: pull, as: form, for: requester, join, responder)
        }
    }

    /// Has documents of a pull made, by turns of its client.
    private func make(
        _ missing: [Int],
        of pull: Pull,
        as form: ResponseKey.Form,
        for requester: Requester,
        _ join: Join,
        _ responder: Responder
    ) {
        var jobs = PullJobs(of: requester.client, on: work)
        for index in missing {
            guard let choice = pull.choices[index] else { continue }
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

    /// Returns the body without a coding, if the documents gain nothing by compression, and are
    /// there or quickly made.
    private func plainBody(_ pull: Pull, _ wish: CodingChoice) -> PullBody? {
        guard pull.foreseenCoding(wish) != wish.coding else { return nil }
        guard pull.hasNews else { return plainBody(pull, below: .max) }
        let minimum = PullBody.codedMinimum
        if pull.choices.contains(where: { $0?.isSnapshot(longerThan: minimum) == true }) {
            return nil
        }
        return plainBody(pull, below: minimum)
    }

    /// Returns the body without a coding, if it has fewer bytes than `limit`, and the documents are
    /// there or quickly made.
    private func plainBody(_ pull: Pull, below limit: Int) -> PullBody? {
        var body = PullBody(feedCount: pull.entries.count, isCoded: false)
        var stepsLeft = FeedAPI.stepsAtOnce
        for (entry, choice) in zip(pull.entries, pull.choices) {
            var document: Payload?
            if let choice {
                document = found(choice, .response) ?? madeAtOnce(choice, .response, &stepsLeft)
                guard document != nil else { return nil }
            }
            body.add(entry.name, document)
            guard body.plainByteCount < limit else { return nil }
        }
        return body
    }

    /// Makes a document, if that and what was made before it are quickly done.
    private func madeAtOnce(
        _ choice: DocumentChoice,
        _ form: ResponseKey.Form,
        _ stepsLeft: inout Int
    ) -> Payload? {
        // The sections that are asked for are what it is known by as well.
        let sections = choice.version.snapshot.sections.count + (choice.view.sections?.count ?? 0)
        stepsLeft -= choice.version.count + sections + 20
        return stepsLeft >= 0 ? madeAtOnce(choice, form) : nil
    }

    /// Returns the answer with this body, or with the same documents without a coding, if they gain
    /// nothing by it.
    private func completed(_ pull: Pull, _ body: PullBody, _ read: PullRead) -> Response {
        var body = body
        let isPlain = !read.parts.coding.isForced && body.isPlain
        let coding = isPlain ? .identity : read.parts.coding.coding
        if isPlain, body.isCoded, let plain = plainBody(pull, below: .max) { body = plain }
        guard body.documentByteCount >= FeedAPI.copiedPullByteCount else {
            let response = builder.pull(pull.tag, coding, read.mark, body.bytes(coding))
            return .cached(response, ownFields(pull, read))
        }
        var response = head(pull, coding, read)
        // What they are made of is shared with all who ask for the same.
        response.body = .parts(body.pieces(coding).map { .bytes($0) })
        return response
    }

    /// `200` without its content.
    private func head(_ pull: Pull, _ coding: ContentCoding, _ read: PullRead) -> Response {
        var response = builder.pull(pull.tag, coding, read.mark, nil)
            .response(ownFields(pull, read))
        response.body = .unsent
        return response
    }

    private func ownFields(_ pull: Pull, _ read: PullRead) -> Response.OwnFields {
        let now = store.seconds
        let hints = pull.choices.lazy.compactMap(\.self).map { choice in
            self.cache.responses(for: choice.version).hint(at: now) {
                self.builder.polling.hint(choice.version)
            }
        }
        return Response.OwnFields(
            lines: read.parts.requester.originLines,
            number: hints.min()
        )
    }

    /// Items and sections that are looked at on the loop for one request.
    private static let stepsAtOnce = 1000

    /// Up to so many bytes the documents are copied; more are sent from where they are.
    static let copiedPullByteCount = 64 << 10
}
