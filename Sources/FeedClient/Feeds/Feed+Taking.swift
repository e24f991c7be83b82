import FeedDiff
public import FeedModel
import Foundation

extension Feed {
    /// Reads the feed from the cache, unless it has content already.
    ///
    /// The time is linear in the feed's length.
    public func load() { load(nil) }

    /// Takes over the feed from the cache, unless the feed has content already; `kept` is what was
    /// read there before, if anything.
    func load(_ kept: CachedFeed.Content?) {
        guard !update.isLoaded else { return }
        update.isLoaded = true
        guard copy.token == nil, let cached, cached.isOpen, let kept = kept ?? cached.read()
        else { return }
        cached.file = kept.file
        take(kept.copy)
        update.freshness =
            copy.missingSince.map { .gone(since: $0) } ?? .cached(asOf: kept.date)
        publish()
    }

    private func take(_ copy: FeedCopy) {
        update.copy = copy
        views.update { $0 = copy.view }
    }

    /// Returns the current copy, after reading the cache.
    func loaded() -> FeedCopy {
        load()
        return copy
    }

    /// Returns the document of a response about this feed.
    ///
    /// A `304` becomes the document which says that the version of the request, `since`, is
    /// current.
    func served(_ result: FeedResult, since: Token?) throws -> ServedDocument {
        guard result.status == 304, let since else { return try result.served(name) }
        // The document states no counts of sections.
        let now = ViewedSnapshot(snapshot: copy.snapshot, total: copy.total)
        let document = DocumentEncoder(feed: name).unchanged(token: since, now: now)
        return result.noted(try ServedDocument(parsing: document))
    }

    /// Applies a document of the server.
    ///
    /// If the document does not fit the copy, the feed is fetched again.
    ///
    /// - Parameters:
    ///   - asked: The view of the request; `nil`: the current view.
    ///   - since: The version of the request; `nil`: none, or the document is an event.
    /// - Returns: The event; `nil`: the view has changed since the request, so that the document
    ///   does not count.
    /// - Throws: ``FeedServiceError``, and `CancellationError`.
    func take(
        _ document: ServedDocument,
        through asked: FeedView? = nil,
        since: Token? = nil
    ) async throws -> FeedEvent? {
        try await waitForRows()
        guard (asked ?? view) == view else { return nil }
        // If the document answers a request about the current version, asking once more would not
        // help.
        let isAnswer = since != nil && since == copy.token
        do {
            if isAnswer, case .unchanged = document.content, document.token != since {
                throw FeedMismatch(reason: "another version is current", isOfVersions: true)
            }
            return try apply(document)
        } catch let mismatch as FeedMismatch {
            let isHeld = mismatch.isOfVersions && !isAnswer
            var event = try await recover(since: isHeld ? copy.token : nil)
            event?.isRecovery = true
            return event
        }
    }

    /// Applies a `304` to a request for several feeds, which says that none of them has changed.
    ///
    /// - Returns: The event; `nil`: the view of the request is not the current one, so that the
    ///   response does not count.
    func confirm(by result: FeedResult, through asked: FeedView) async throws -> FeedEvent? {
        try await waitForRows()
        guard asked == view else { return nil }
        // Another request may have loaded a feed that was missing when this one was sent, so the
        // document is about the version that is held now.
        let token = copy.token
        return try apply(token == nil ? .missing(name) : served(result, since: token))
    }

    /// Fetches the changes since a version, and if those do not fit either, the snapshot.
    private func recover(since token: Token?) async throws -> FeedEvent? {
        let view = view
        let request = service.requests.changes(
            of: name,
            since: token,
            view: view,
            asChanges: showsChanges
        )
        let result = try await service.send(request)
        if result.isRefusedForNow { throw RefusedForNow(result) }
        let document = try served(result, since: token)
        try await waitForRows()
        guard view == self.view else { return nil }
        do {
            return try apply(document)
        } catch let mismatch as FeedMismatch {
            guard token == nil else { return try await recover(since: nil) }
            throw FeedServiceError.unexpected("the snapshot is wrong: \(mismatch.reason)")
        }
    }

    /// Applies a document that fits the copy, and writes the result to the cache.
    ///
    /// - Parameter greater: The new view of a snapshot with more rows; `nil`: the current view.
    /// - Throws: ``FeedMismatch``; the copy is then unchanged.
    @discardableResult
    func apply(_ document: ServedDocument, through greater: FeedView? = nil) throws -> FeedEvent {
        let old = copy
        var next = copy
        if let greater { next.view = greater }
        let change = try next.take(document)
        if greater != nil, case .unchanged = change {
            throw FeedMismatch(reason: "it is of a version before the one that is held")
        }
        take(next)
        update.freshness =
            copy.missingSince.map { .gone(since: $0) }
            ?? (copy.isMissing ? .missing : .current(asOf: Date()))
        noteThatItWorks()
        countUnseen(change, since: old)
        cached?.keep(document, change, since: old, to: copy)
        publish()
        return FeedEvent(
            feed: self,
            change: change,
            counts: RefreshCounts(change, from: old.snapshot),
            copy: copy,
            document: document
        )
    }

    /// Takes over a copy with further rows, and appends these, as insertions, to the cache.
    func grow(to grown: FeedCopy, by rows: Changes) {
        let old = copy
        take(grown)
        noteThatItWorks()
        cached?.keep(rows, since: old, to: copy)
    }

    /// Adds the items that were inserted above the first visible row to ``unseenAbove``, and
    /// removes the items that are gone.
    private func countUnseen(_ change: FeedChange, since old: FeedCopy) {
        guard let reader else { return }
        var fresh: [ExactString] = []
        switch change {
        case .unchanged: return
        case .gone: break
        case .changes(let changes): fresh = changes.insertedItems.map(\.item.id)
        case .replaced:
            // Before the first copy there was no row above which items could be inserted.
            guard old.token != nil || old.missingSince != nil else { return }
            let changes = Changes(
                from: ViewedSnapshot(snapshot: old.snapshot),
                to: ViewedSnapshot(snapshot: copy.snapshot)
            )
            fresh = changes.insertedItems.map(\.item.id)
        }
        self.reader = old.snapshot.item(nearest: reader, stayingIn: copy.snapshot)
        keepUnseen(of: unseenAbove.union(fresh))
    }

    /// Sets ``unseenAbove`` to those of the given items that exist and are above the first visible
    /// row.
    private func keepUnseen(of ids: Set<ExactString>) {
        guard !ids.isEmpty else { return }
        // For many items, an index costs less than a search for each.
        let snapshot = copy.snapshot.indexed()
        let readerRow = reader.flatMap { snapshot.position(ofItem: $0) }
        update.unseenAbove = ids.filter { id in
            guard let readerRow, let position = snapshot.position(ofItem: id) else { return false }
            return position < readerRow
        }
    }

    /// Sets the first row that the user sees; ``unseenAbove`` has the items that are inserted above
    /// it.
    ///
    /// - Parameter id: The item's id; `nil` at the top of the list.
    public func readerIs(at id: ExactString?) {
        reader = id
        let before = unseenAbove
        keepUnseen(of: before)
        if unseenAbove != before { publish() }
    }
}

extension Feed {
    /// Sets the state.
    ///
    /// The state stays ``State/live`` while any follower receives changes.
    ///
    /// - Parameter follower: The follower whose state this is; `nil`: a single request.
    func followed(_ state: State, by follower: UUID? = nil) {
        if let follower {
            if state == .live {
                liveFollowers.insert(follower)
            } else {
                liveFollowers.remove(follower)
            }
        }
        let state = liveFollowers.isEmpty ? state : .live
        guard self.state != state else { return }
        update.state = state
        publish()
    }

    /// Records that a follower sends a request, which shows as ``State/refreshing`` while the feed
    /// has no content.
    func isAwaited() {
        load()
        if copy.token == nil, !copy.isMissing, state == .idle { followed(.refreshing) }
    }

    /// Records that a follower has stopped.
    func stoppedFollowing(by follower: UUID) {
        liveFollowers.remove(follower)
        guard liveFollowers.isEmpty else { return }
        if state == .live || state == .refreshing && refreshing == nil { followed(.idle) }
    }

    /// Records the failure of a request.
    ///
    /// A cancellation is not a failure.
    func failed(_ error: any Error, by follower: UUID? = nil) {
        if let follower { liveFollowers.remove(follower) }
        let isLive = !liveFollowers.isEmpty
        if !(error is CancellationError) {
            let problem = error as? FeedServiceError ?? .unexpected("\(error)")
            update.problem = problem
            if !isLive { fail(problem) }
        } else if !isLive {
            update.state = .idle
        }
        publish()
    }

    /// Sets the state after a failure: the content may be out of date.
    private func fail(_ problem: FeedServiceError) {
        if case .unreachable = problem {
            update.state = .offline
        } else {
            update.state = .failed
        }
        if case .current(let date) = freshness { update.freshness = .cached(asOf: date) }
    }

    /// Records that the event stream is alive but had no changes, so that the content is current.
    func heard() {
        if copy.isOutdated(at: Date()) { _ = try? apply(.missing(name)) }
        guard copy.token != nil, case .current(let date) = freshness else { return }
        let now = Date()
        guard now.timeIntervalSince(date) >= 10 else { return }
        update.freshness = .current(asOf: now)
        cached?.confirm(copy)
        publish()
    }

    /// Clears the problem and the state of a failure, since a request succeeded.
    func noteThatItWorks() {
        update.problem = nil
        if state == .offline || state == .failed { update.state = .idle }
    }
}
