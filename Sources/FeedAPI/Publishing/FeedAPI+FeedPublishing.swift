import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import Synchronization

/// Publishing a whole feed.
extension FeedAPI {
    /// `PUT /feeds/{feed}`: replaces it.
    func putFeed(_ name: String, _ routed: borrowing RoutedRequest) throws(Problem) -> Disposition {
        let request = try PublishRequest(
            routed,
            access,
            feed: name,
            accepting: BodyType.feeds,
            needsFeed: false
        )
        let (store, limit) = (store, configuration.itemLimit)
        return publish(request) { body throws(Problem) in
            let known = store.current(request.feed)?.snapshot
            return try FeedAPI.replacement(body, limit: limit, known: known)
        } report: { publication in
            FeedAPI.report(publication, request)
        }
    }

    /// `PATCH /feeds/{feed}`: edits, or a JSON Patch.
    func patchFeed(_ name: String, _ routed: borrowing RoutedRequest) throws(Problem) -> Disposition
    {
        let request = try PublishRequest(
            routed,
            access,
            feed: name,
            accepting: BodyType.feedPatches
        )
        let limit = configuration.itemLimit
        return publish(request) { body throws(Problem) in
            request.type == .jsonPatch
                ? try FeedAPI.jsonPatch(body, limit: limit) : try FeedAPI.edits(body, limit: limit)
        } report: { publication in
            FeedAPI.report(publication, request)
        }
    }

    /// `DELETE /feeds/{feed}`.
    func deleteFeed(_ name: String, _ routed: borrowing RoutedRequest) throws(Problem)
        -> Disposition
    {
        let request = try PublishRequest(routed, access, feed: name, accepting: [])
        if request.isDryRun {
            return publish(request) { _ throws(Problem) in
                Snapshot()
            } report: { publication in
                PublishedDocument.removal(publication)
            }
        }
        return later(request) { fingerprint, answer in
            self.remove(request, fingerprint, since: self.configuration.clock(), answer)
        }
    }

    private func remove(
        _ request: PublishRequest,
        _ fingerprint: IdempotencyMemory.Digest?,
        since start: Duration,
        _ answer: @escaping @Sendable (Response) -> Void
    ) {
        let removed = Response(status: .noContent)
        let previous = SeenToken()
        store.remove(
            request.feed,
            answer: request.kept(fingerprint, at: store.clock.wall()).map { $0(removed) }
        ) { version throws(Problem) in
            try request.check(version, at: self.store.wallSeconds)
            previous.token = version.token
        } completion: { outcome in
            if case .late = outcome {
                return self.again(request, [], fingerprint, since: start, answer) {
                    self.remove(request, fingerprint, since: start, answer)
                }
            }
            if case .done(true) = outcome { self.note(request.record.removed(previous.token)) }
            self.tell(outcome, { $0 ? removed : Problem.noFeed.response }, answer)
        }
    }
}

extension FeedAPI {
    /// The answer to a publish of a feed.
    private static func report(_ publication: Publication, _ request: PublishRequest) -> Response {
        PublishedDocument.response(
            publication,
            isDryRun: request.isDryRun,
            isNew: publication.previous == nil
        )
    }

    static func replacement(
        _ body: [UInt8],
        limit: Int,
        known: Snapshot?
    ) throws(Problem) -> Transform {
        do {
            let document = try FeedDocument(parsing: body, itemLimit: limit, known: known)
            let snapshot = try Collation.snapshot(document)
            return { _ throws(Problem) in snapshot }
        } catch {
            return try refusal(error, in: body)
        }
    }

    /// Refuses a document, when its turn comes: that there are too many items is no matter of form,
    /// and a lost race is told before it.
    static func refusal(
        _ error: DocumentError,
        in body: [UInt8]
    ) throws(Problem) -> Transform {
        let problem = Problem(error, in: body)
        guard error.kind == .tooManyItems else { throw problem }
        return { _ throws(Problem) in throw problem }
    }

    private static func edits(_ body: [UInt8], limit: Int) throws(Problem) -> Transform {
        let edits = try reading(body) { () throws(DocumentError) in try Edit.list(parsing: body) }
        let byteLimit = touchedByteLimit(body)
        return { current throws(Problem) in
            try FeedAPI.apply(edits, to: current, limit: limit, rewriting: byteLimit) {
                Problem(edit: $0, in: body)
            }
        }
    }

    /// The bytes that edits may rewrite, or a patch take apart, grow with what was sent: little
    /// must not cause much.
    private static func touchedByteLimit(_ body: [UInt8]) -> Int {
        min(16 << 20 + 256 * body.count, 256 << 20)
    }

    /// Applies edits to a feed that is there.
    static func apply(
        _ edits: [Edit],
        to current: Version?,
        limit: Int,
        rewriting byteLimit: Int = 256 << 20,
        refusal: (EditFailure) -> Problem
    ) throws(Problem) -> Snapshot {
        let snapshot = current?.snapshot ?? Snapshot()
        let edited: Snapshot
        do throws(EditFailure) {
            let edits = try Collation.edits(edits, for: snapshot)
            edited = try snapshot.applying(edits, itemLimit: limit, byteLimit: byteLimit)
        } catch {
            if error.kind == .tooManyItems || error.kind == .tooMuchWork {
                throw Problem(.limit, .unprocessableContent, error.reason)
            }
            throw refusal(error)
        }
        return try patching { () throws(DocumentError) in
            try Collation.placed(edited, after: snapshot)
        }
    }

    private static func jsonPatch(_ body: [UInt8], limit: Int) throws(Problem) -> Transform {
        let patch: JSONPatch
        do {
            patch = try JSONPatch(parsing: body)
        } catch {
            throw Problem(error, in: body)
        }
        return { current throws(Problem) in
            let snapshot = current?.snapshot ?? Snapshot()
            let patched: Snapshot?
            var document = JSONValue.null
            do throws(JSONPatch.Failure) {
                patched = try patch.applied(to: snapshot, byteLimit: touchedByteLimit(body))
                if patched == nil { document = try patch.applied(to: snapshot.tree) }
            } catch {
                throw Problem(error, in: body)
            }
            return try patching { () throws(DocumentError) in
                if let patched { return try Collation.placed(patched, after: snapshot) }
                return try Collation.snapshot(FeedDocument(document, itemLimit: limit))
            }
        }
    }
}

extension Problem {
    fileprivate init(_ failure: JSONPatch.Failure, in body: [UInt8]) {
        switch failure {
        case .malformed(let error): self.init(error, in: body)
        case .failed(let index, let reason):
            self.init(.editFailed, .conflict, "operation \(index): \(reason)")
            edit = index
            locate("[\(index)]", in: body)
        case .tooMuchWork(let index):
            self.init(
                .limit,
                .unprocessableContent,
                "the operations before number \(index) are as much work as a patch may be"
            )
            edit = index
        case .tooMuchRead(let index, let byteLimit):
            self.init(
                .limit,
                .unprocessableContent,
                "operation \(index) is about more of the feed than the \(byteLimit) bytes that a"
                    + " patch of \(body.count) bytes may take apart"
            )
            edit = index
            locate("[\(index)]", in: body)
        }
    }

    /// `409` that says which edit failed.
    fileprivate init(edit failure: EditFailure, in body: [UInt8]) {
        let path = "edits[\(failure.index)]"
        self.init(.editFailed, .conflict, "\(path): \(failure.reason)")
        edit = failure.index
        locate(path, in: body)
    }
}

/// The version that a feed had when it was deleted.
private final class SeenToken: Sendable {
    private let seen = Mutex<Token?>(nil)

    var token: Token? {
        get { seen.withLock(\.self) }
        set { seen.withLock { $0 = newValue } }
    }
}
