import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes

/// Publishes whole feeds.
extension FeedAPI {
    /// `PUT /feeds/{feed}`: replaces the feed.
    func putFeed(_ routed: borrowing RoutedRequest) throws(Problem) -> Reply {
        let request = try PublishRequest(
            routed,
            access,
            accepting: BodyType.feeds,
            needsFeed: false
        )
        let (store, limit) = (store, configuration.itemLimit)
        return beginPublish(
            request,
            .change { body throws(Problem) in
                let known = store.current(request.feed)?.snapshot
                return try FeedAPI.replacement(body, limit: limit, known: known)
            }
        )
    }

    /// `PATCH /feeds/{feed}`: applies edits or a JSON Patch.
    func patchFeed(_ routed: borrowing RoutedRequest) throws(Problem) -> Reply {
        let request = try PublishRequest(
            routed,
            access,
            accepting: BodyType.feedPatches
        )
        let limit = configuration.itemLimit
        return beginPublish(
            request,
            .change { body throws(Problem) in
                request.type == .jsonPatch
                    ? try FeedAPI.jsonPatch(body, limit: limit) : try FeedAPI.edits(body)
            }
        )
    }

    /// `DELETE /feeds/{feed}`: deletes the feed.
    func deleteFeed(_ routed: borrowing RoutedRequest) throws(Problem) -> Reply {
        let request = try PublishRequest(
            routed,
            access,
            accepting: [],
            knowing: [.dryRun]
        )
        return beginPublish(
            request,
            .change { _ throws(Problem) in
                { _ throws(Problem) in request.isDryRun ? Snapshot() : nil }
            }
        )
    }
}

extension FeedAPI {
    /// Returns the transform that replaces a feed by the document in a body, JSON in UTF-8.
    ///
    /// - Parameter limit: The most items of a feed.
    static func replacement(
        _ body: [UInt8],
        limit: Int,
        known: Snapshot?
    ) throws(Problem) -> Publish.Transform {
        do {
            let snapshot = try Snapshot(publishing: body, itemLimit: limit, known: known)
                .collated(after: nil)
            return { _ throws(Problem) in snapshot }
        } catch {
            return try transform(refusing: error, in: body)
        }
    }

    /// Returns a transform that throws the error, for a body with too many items; throws any other
    /// error at once.
    ///
    /// A transform runs after the request's conditions were checked, so a failed condition takes
    /// precedence over too many items.
    static func transform(
        refusing error: DocumentError,
        in body: [UInt8]
    ) throws(Problem) -> Publish.Transform {
        let problem = Problem(error, in: body)
        guard error.kind == .tooManyItems else { throw problem }
        return { _ throws(Problem) in throw problem }
    }

    /// Reads a value from a body.
    ///
    /// - Throws: `400` with the position of the fault in the body.
    static func reading<Value>(
        _ body: [UInt8],
        _ read: () throws(DocumentError) -> Value
    ) throws(Problem) -> Value {
        do {
            return try read()
        } catch {
            throw Problem(error, in: body)
        }
    }

    /// Makes the result of a patch.
    ///
    /// - Throws: `422` for an invalid result.
    static func patching<Value>(
        _ make: () throws(DocumentError) -> Value
    ) throws(Problem) -> Value {
        do {
            return try make()
        } catch {
            throw Problem(error, isResult: true)
        }
    }

    private static func edits(_ body: [UInt8]) throws(Problem) -> Publish.Transform {
        let edits = try reading(body) { () throws(DocumentError) in try Edit.list(parsing: body) }
        let byteLimit = touchedByteLimit(body)
        return { current throws(Problem) in
            try FeedAPI.apply(edits, to: current, rewriting: byteLimit) {
                Problem(edit: $0, in: body)
            }
        }
    }

    /// Returns the most bytes of the feed that edits may rewrite or a patch may parse: 16 MiB plus
    /// 256 times the length of the body, at most 256 MiB.
    ///
    /// The limit grows with the body, so that a small body cannot cause much work.
    private static func touchedByteLimit(_ body: [UInt8]) -> Int {
        min(16 << 20 + 256 * body.count, 256 << 20)
    }

    /// Returns a feed's content after some edits.
    ///
    /// - Parameter current: The feed's version; `nil` counts as an empty feed.
    /// - Throws: `422` beyond the limits and for an invalid result, or the error of `refusal`.
    static func apply(
        _ edits: [Edit],
        to current: Version?,
        rewriting byteLimit: Int = 256 << 20,
        refusal: (EditFailure) -> Problem
    ) throws(Problem) -> Snapshot {
        let snapshot = current?.snapshot ?? Snapshot()
        let edited: Snapshot
        do throws(EditFailure) {
            let edits = try snapshot.applicable(edits)
            edited = try snapshot.applying(edits, byteLimit: byteLimit)
        } catch {
            if error.kind == .tooManyMembers || error.kind == .tooMuchWork {
                throw Problem(.limit, .unprocessableContent, error.reason)
            }
            throw refusal(error)
        }
        return try patching { () throws(DocumentError) in
            try edited.collated(after: snapshot)
        }
    }

    private static func jsonPatch(_ body: [UInt8], limit: Int) throws(Problem)
        -> Publish.Transform
    {
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
                if let patched { return try patched.collated(after: snapshot) }
                return try Snapshot(publishing: document, itemLimit: limit).collated(after: nil)
            }
        }
    }
}

extension Problem {
    /// Makes the error for a JSON Patch (RFC 6902): `400` if it is malformed, `409` if an operation
    /// failed, `422` if it is too much work.
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

    /// Makes the `409` that names the edit that failed.
    fileprivate init(edit failure: EditFailure, in body: [UInt8]) {
        let path = "edits[\(failure.index)]"
        self.init(.editFailed, .conflict, "\(path): \(failure.reason)")
        edit = failure.index
        locate(path, in: body)
    }
}
