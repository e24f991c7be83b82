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
        if let documents = plainDocuments(pull, read.parts.coding) {
            return .response(completed(pull, documents, read))
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
        guard !missing.isEmpty else { return .response(completed(pull, found, read)) }
        let requester = read.parts.requester
        return .later { responder in
            let join = Join(found, missing: missing.count) { documents in
                guard let documents else { return responder(self.overloadedByReads(requester)) }
                responder(self.completed(pull, documents, read))
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

    /// The documents as they are, where all together gain nothing by compression, and are there or
    /// quickly made.
    private func plainDocuments(_ pull: Pull, _ wish: CodingChoice) -> [Payload?]? {
        guard pull.foreseenCoding(wish) != wish.coding else { return nil }
        let limit = pull.hasNews ? PullBody.codedMinimum : .max
        guard let documents = plainDocuments(pull, below: limit) else { return nil }
        return !pull.hasNews || pull.body(documents).isShort ? documents : nil
    }

    /// Returns the documents as they are, if they have fewer bytes than `limit` and are there or
    /// quickly made.
    private func plainDocuments(_ pull: Pull, below limit: Int) -> [Payload?]? {
        var documents: [Payload?] = []
        var byteCount = 0
        var stepsLeft = FeedAPI.stepsAtOnce
        for choice in pull.choices {
            var document: Payload?
            if let choice {
                document = found(choice, .response) ?? madeAtOnce(choice, .response, &stepsLeft)
                guard let document else { return nil }
                byteCount += document.bodyByteCount
                guard byteCount < limit else { return nil }
            }
            documents.append(document)
        }
        return documents
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

    /// The answer made of these documents.
    private func completed(
        _ pull: Pull,
        _ documents: [Payload?],
        _ read: PullRead
    ) -> Response {
        var body = pull.body(documents)
        let isPlain = !read.parts.coding.isForced && body.isPlain
        let coding = isPlain ? .identity : read.parts.coding.coding
        if isPlain, body.isCoded, let documents = plainDocuments(pull, below: .max) {
            body = pull.body(documents)
        }
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
        Response.OwnFields(
            lines: read.parts.requester.originLines,
            number: pull.hint(builder.polling)
        )
    }

    /// Items and sections that are looked at on the loop for one request.
    private static let stepsAtOnce = 1000

    /// Up to so many bytes the documents are copied; more are sent from where they are.
    static let copiedPullByteCount = 64 << 10
}
