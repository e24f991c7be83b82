import FeedDiff
public import FeedModel
import Foundation

extension Feed {
    /// Takes what is kept on disk, where nothing is held yet; the time grows with the feed.
    public func load() {
        guard !hasReadCache else { return }
        hasReadCache = true
        guard copy.token == nil, let cache = service.cache,
            let kept = service.gate.use(in: generation, { cache.read(cacheKey) }) ?? nil
        else { return }
        take(kept)
        SpareMemory.giveBack(after: copy.snapshot.itemByteCount)
    }

    /// Takes what was read of the disk.
    func take(_ kept: CachedFeed) {
        file = kept.file
        copy = kept.copy
        views.update { $0 = kept.copy.view }
        freshness = kept.copy.missingSince.map { .gone(since: $0) } ?? .cached(asOf: kept.date)
        publish()
    }

    /// Returns the copy that is held, after the copy on disk was read.
    func loaded() -> FeedCopy {
        load()
        return copy
    }

    /// Returns the document of an answer about this feed; `304` says that the version that was
    /// asked with, `since`, is current.
    func served(_ result: FeedResult, since: Token?) throws -> ServedDocument {
        guard result.status == 304, let since else { return try result.served(name) }
        let check = ServedDocument.Check(of: copy.snapshot)
        let checks = ViewChecks(count: check.count, order: check.order, total: copy.total)
        let document = DocumentEncoder(feed: name).unchanged(token: since, now: checks)
        return result.noted(try ServedDocument(parsing: document))
    }

    /// Takes what the server says; where it does not fit, asks what there is.
    ///
    /// - Parameters:
    ///   - document: The server's document.
    ///   - asked: The view that it was asked for; `nil`: the one that is kept.
    ///   - since: The version that was asked with; `nil`: none, or the document was not asked for.
    /// - Returns: `nil` where another view is kept by now, for which it says nothing.
    /// - Throws: ``FeedServiceError``, and `CancellationError`.
    func take(
        _ document: ServedDocument,
        through asked: FeedView? = nil,
        since: Token? = nil
    ) async throws -> FeedEvent? {
        try await waitForRows()
        guard (asked ?? view) == view else { return nil }
        // An answer about what is held: the same question would get the same one again.
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

    /// Asks for what changed since a version, and where that does not fit either for the snapshot.
    private func recover(since token: Token?) async throws -> FeedEvent? {
        let view = view
        let request = service.requests.news(
            of: name,
            since: token,
            view: view,
            asChanges: showsChanges
        )
        let result = try await service.send(request)
        if let refusal = RefusedRecovery(result) { throw refusal }
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

    /// Takes what fits.
    ///
    /// - Parameters:
    ///   - document: The server's document.
    ///   - greater: The view that a snapshot shows, if that is another than before.
    /// - Returns: The news of the feed.
    /// - Throws: ``FeedMismatch``, with what is held as it was.
    @discardableResult
    func apply(_ document: ServedDocument, through greater: FeedView? = nil) throws -> FeedEvent {
        let old = copy
        var next = copy
        if let greater { next.view = greater }
        let news = try next.take(document)
        if greater != nil, case .nothing = news {
            throw FeedMismatch(reason: "it is of a version before the one that is held")
        }
        copy = next
        views.update { $0 = next.view }
        freshness =
            copy.missingSince.map { .gone(since: $0) }
            ?? (copy.isMissing ? .missing : .current(asOf: Date()))
        noteThatItWorks()
        countUnseen(news, since: old)
        keep(document, news, since: old)
        publish()
        SpareMemory.giveBack(after: document.json.count)
        return FeedEvent(
            feed: self,
            news: news,
            counts: RefreshCounts(news, from: old.snapshot),
            copy: copy,
            document: document
        )
    }

    /// Takes rows that follow those that are held.
    ///
    /// - Parameters:
    ///   - grown: The copy that is held with them.
    ///   - rows: The rows that were inserted.
    func grow(to grown: FeedCopy, by rows: Changes) {
        let old = copy
        copy = grown
        views.update { $0 = grown.view }
        noteThatItWorks()
        guard let cache = service.cache else { return }
        service.gate.use(in: generation) {
            file = cache.append(rows, since: old, to: copy, as: cacheKey, over: file)
            cache.keepBeginning(of: copy, since: old, as: cacheKey, beside: file)
        }
    }

    /// Keeps it on disk.
    private func keep(_ document: ServedDocument, _ news: FeedNews, since old: FeedCopy) {
        guard let cache = service.cache else { return }
        service.gate.use(in: generation) {
            // Content is never taken for open that was read with a key.
            if copy.isPrivate != false { keepState(cache) }
            defer { if copy.isPrivate == false { keepState(cache) } }
            switch news {
            case .nothing:
                if !copy.isMissing { file = cache.confirm(copy, as: cacheKey, over: file) }
                return
            case .gone:
                // What stays on the screen stays on disk.
                if copy.missingSince == nil { file = cache.remove(cacheKey) }
                return
            case .changes:
                file = cache.append(document, since: old, to: copy, as: cacheKey, over: file)
            case .replaced:
                file = cache.write(document, of: copy, as: cacheKey, over: file)
            }
            let last = old.token == nil ? nil : old
            cache.keepBeginning(of: copy, since: last, as: cacheKey, beside: file)
        }
    }

    private func keepState(_ cache: FeedCache) {
        fileState = cache.keepState(of: copy, as: cacheKey, over: fileState)
    }

    /// Notes that what is kept on disk is current still.
    private func confirmKept() {
        guard let cache = service.cache else { return }
        service.gate.use(in: generation) {
            keepState(cache)
            file = cache.confirm(copy, as: cacheKey, over: file)
        }
    }

    /// Adds items that came above the reader to ``unseenAbove``, and takes away those that went.
    private func countUnseen(_ news: FeedNews, since old: FeedCopy) {
        guard let reader else { return }
        var fresh: [ExactString] = []
        switch news {
        case .nothing: return
        case .gone: break
        case .changes(let changes): fresh = changes.insertedItems.map(\.item.id)
        case .replaced:
            // Nothing was there that a first copy could come above.
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

    /// Keeps those of some items in ``unseenAbove`` that are there, and above the reader.
    private func keepUnseen(of ids: Set<ExactString>) {
        guard !ids.isEmpty else { return }
        // Where many are looked for an index costs less than a search for each.
        let snapshot = copy.snapshot.indexed()
        let place = reader.flatMap { snapshot.position(ofItem: $0) }
        unseenAbove = ids.filter { id in
            guard let place, let position = snapshot.position(ofItem: id) else { return false }
            return position < place
        }
    }

    /// Says which row the reader sees first: ``unseenAbove`` has the items that come above it.
    ///
    /// - Parameter id: The item's id; `nil` at the top, where nothing is unseen above.
    public func readerIs(at id: ExactString?) {
        reader = id
        let before = unseenAbove
        keepUnseen(of: before)
        if unseenAbove != before { publish() }
    }
}

extension Feed {
    /// Notes how it stands; while changes arrive by themselves through some follower, it is live.
    ///
    /// - Parameters:
    ///   - state: How it stands.
    ///   - follower: The follower that brought it; `nil`: none, it was only asked for.
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
        self.state = state
        publish()
    }

    /// Notes that a follower asks for it; says so while nothing is held.
    func isAwaited() {
        load()
        if copy.token == nil, !copy.isMissing, state == .idle { followed(.refreshing) }
    }

    /// Notes that a follower has stopped.
    func stoppedFollowing(by follower: UUID) {
        liveFollowers.remove(follower)
        guard liveFollowers.isEmpty else { return }
        if state == .live || state == .refreshing && refreshing == nil { followed(.idle) }
    }

    /// Notes what was wrong; a cancellation is nothing wrong.
    func failed(_ error: any Error, by follower: UUID? = nil) {
        if let follower { liveFollowers.remove(follower) }
        let isLive = !liveFollowers.isEmpty
        if !(error is CancellationError) {
            let problem = error as? FeedServiceError ?? .unexpected("\(error)")
            self.problem = problem
            if !isLive { fail(problem) }
        } else if !isLive {
            state = .idle
        }
        publish()
    }

    /// Notes that what is held may be out of date.
    private func fail(_ problem: FeedServiceError) {
        if case .unreachable = problem { state = .offline } else { state = .failed }
        if case .current(let date) = freshness { freshness = .cached(asOf: date) }
    }

    /// Notes that the server has nothing new.
    ///
    /// - Parameter isPrivate: Whether the answer depended on a key; `nil`: not known.
    /// - Returns: The event that there is no such feed, where that was not known.
    func confirmed(isPrivate: Bool?) -> FeedEvent? {
        guard copy.token != nil else {
            guard !copy.isMissing || copy.isOutdated(at: Date()) else {
                works()
                return nil
            }
            return try? apply(.missing(name))
        }
        if let isPrivate { copy.isPrivate = isPrivate }
        freshness = .current(asOf: Date())
        confirmKept()
        works()
        return nil
    }

    /// Notes that a stream of what changes is there, and has brought nothing.
    func heard() {
        if copy.isOutdated(at: Date()) { _ = try? apply(.missing(name)) }
        guard copy.token != nil, case .current(let date) = freshness else { return }
        let now = Date()
        guard now.timeIntervalSince(date) >= 10 else { return }
        freshness = .current(asOf: now)
        confirmKept()
        publish()
    }

    private func works() {
        noteThatItWorks()
        publish()
    }

    /// Nothing is wrong, so it has not failed either, whatever it becomes next.
    func noteThatItWorks() {
        problem = nil
        if state == .offline || state == .failed { state = .idle }
    }
}
