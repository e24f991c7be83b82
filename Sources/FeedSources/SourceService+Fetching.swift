import FeedAPI
import FeedFormats
import FeedModel
import FeedStore
import HTTPClient
import Synchronization

/// Fetches a source, from the first request to the publish.
extension SourceService {
    /// Fetches a source, publishes what its document says, and records the outcome.
    ///
    /// A fetch that is cancelled ends without an outcome.
    ///
    /// - Parameter begun: The attempt, which the table counts as begun and whose host is taken.
    func fetch(_ begun: SourceTable.Attempt) async {
        var attempt = begun
        // If the feed was restored or lost, the source has to send the whole document again.
        if store.current(attempt.settings.feed)?.token.description != attempt.state.token {
            attempt.state.forgetDocument()
        }
        // If the settings for reading have changed, the source has to send the document again, too:
        // “not modified” would leave the feed as the old settings made it.
        if attempt.state.digest.map({ !$0.hasSuffix(attempt.settings.readingKey) }) ?? false {
            attempt.state.forgetDocument()
        }
        var state = attempt.state
        let outcome: Outcome
        do throws(SourceFailure) {
            outcome = .success(try await publication(&attempt, &state))
        } catch {
            outcome = .failure(error)
        }
        if Task.isCancelled {
            table.withLock { $0.abandon(attempt) }
        } else {
            let (now, random) = (wall(), Double.random(in: 0..<1))
            let (waiting, isNews) = table.withLock { table in
                table.end(attempt, state, outcome, now: now, random: random)
            }
            let notes = state.notes == attempt.state.notes ? [] : state.notes ?? []
            report(attempt.settings.feed, outcome, isNews, notes)
            for waiter in waiting { waiter(outcome) }
        }
        tick()
    }

    /// The most times that a source's document is asked for in one attempt.
    private static let requestLimit = 5

    /// Asks for a source's document, and publishes what it says; again, a few times, if another
    /// version of the feed was published meanwhile.
    ///
    /// A document that was asked for before another server published may be older than what that
    /// one found: this server may have stood still, or not lead any more.
    ///
    /// - Parameters:
    ///   - attempt: The attempt; it leaves with the host that answered last.
    ///   - state: The source's state after the attempt, whether or not it fails.
    /// - Returns: The publication; `nil`: the document is the same as before, or older.
    private func publication(
        _ attempt: inout SourceTable.Attempt,
        _ state: inout SourceState
    ) async throws(SourceFailure) -> Publication? {
        for _ in 1..<SourceService.requestLimit {
            do throws(SourceFailure) {
                return try await currentPublication(&attempt, &state)
            } catch {
                guard error == .refused(.late) else { throw error }
                attempt.state.forgetDocument()
                state = attempt.state
                // A host that wants no requests for a while is asked in a later attempt.
                guard attempt.rest == 0, !Task.isCancelled else { throw error }
            }
        }
        return try await currentPublication(&attempt, &state)
    }

    /// Asks for a source's document once, reads it, and publishes the feed that it makes.
    ///
    /// The parameters and the result are those of ``publication(_:_:)``.
    ///
    /// - Throws: ``SourceRefusal/late`` as a failure if another version of the feed was published
    ///   meanwhile.
    private func currentPublication(
        _ attempt: inout SourceTable.Attempt,
        _ state: inout SourceState
    ) async throws(SourceFailure) -> Publication? {
        let settings = attempt.settings
        guard table.withLock({ $0.isWanted(attempt) }) else { throw .removed }
        guard let document = try await document(&attempt, &state) else { return nil }
        let now = wall()
        // The result of reading depends on the settings, too.
        let digest = document.content.digest + settings.readingKey
        if digest == attempt.state.digest { return nil }
        let size = WorkSize(byteCount: 16 * document.content.bytes.count)
        guard let feed = try await read(document, size, for: attempt, &state, now: now) else {
            return nil
        }
        // An empty document is often a mistake, so it is believed only when it comes twice.
        let mayRemoveAny = table.withLock { [attempt] in $0.mayRemoveAny(attempt) }
        let isDoubted = feed.isEmpty && attempt.state.isEmptied != true && !mayRemoveAny
        state.isEmptied = feed.isEmpty ? true : nil
        if isDoubted { (state.eTag, state.lastModified) = (nil, nil) }
        state.digest = isDoubted ? nil : digest
        // The feed may have another source by now, or none.
        guard !Task.isCancelled, table.withLock({ [attempt] in $0.isWanted(attempt) }) else {
            throw .removed
        }
        let content = SourceContent(feed, settings, believesEmpty: !isDoubted, now: now)
        return try await publish(content, size, for: attempt, &state, now: now)
    }

    /// Asks for a source's document: from host to host, or on the disk; `nil`: the server says that
    /// it is the same as before.
    private func document(
        _ attempt: inout SourceTable.Attempt,
        _ state: inout SourceState
    ) async throws(SourceFailure) -> SourceFetch.Document? {
        let settings = attempt.settings
        switch settings.location {
        case .file(let path):
            attempt.replaced = store.current(settings.feed)?.token
            return try await compute(.large) { () throws(SourceFailure) in
                SourceFetch.Document(file: try SourceFile.read(path, settings))
            }
        case .web:
            var fetch = SourceFetch(settings, state, now: wall())
            defer { state = fetch.state }
            var request = fetch.begin()
            var response: HTTPClient.Response?
            while response == nil {
                try await takeTurn(for: request, &attempt, &fetch)
                attempt.replaced = store.current(settings.feed)?.token
                let step = fetch.take(await client.result(of: request))
                attempt.rest = fetch.rest
                switch step {
                case .follow(let next): request = next
                case .unchanged: return nil
                case .failed(let failure): throw failure
                case .received(let received): response = received
                }
            }
            guard let response else { return nil }
            let size = WorkSize(byteCount: 4 * response.body.count)
            let content = try await compute(size) { () throws(SourceFailure) in
                try SourceFetch.Content(decoding: response, limit: settings.byteLimit)
            }
            return fetch.document(response, content)
        }
    }

    /// Reads a document; `nil`: its feed is older than the one that was read before.
    private func read(
        _ document: SourceFetch.Document,
        _ size: WorkSize,
        for attempt: SourceTable.Attempt,
        _ state: inout SourceState,
        now: Int
    ) async throws(SourceFailure) -> SourceFeed? {
        let settings = attempt.settings
        let feed: SourceFeed
        do throws(SourceFailure) {
            feed = try await compute(size) { () throws(SourceFailure) in
                try document.read(by: settings)
            }
        } catch {
            // With the validators of a document that is no feed, the answer to the next request
            // could be `304`, and the feed would never come: the state before is restored.
            let goneSince = state.goneSince
            state = attempt.state
            state.goneSince = goneSince
            throw error
        }
        let newest = max(document.lastModified ?? 0, (feed.updated?.milliseconds ?? 0) / 1000)
        if state.isStale(newest, now: now), !table.withLock({ $0.mayRemoveAny(attempt) }) {
            state = attempt.state
            return nil
        }
        // A document that is believed is the newest, though its time went back.
        if newest > 0 { state.newest = min(newest, now) }
        state.takeNote(of: feed, document, now: now)
        return feed
    }

    /// Publishes a document's content as the attempt's feed, whose version must still be the one
    /// that it had when the document was asked for.
    private func publish(
        _ content: SourceContent,
        _ size: WorkSize,
        for attempt: SourceTable.Attempt,
        _ state: inout SourceState,
        now: Int
    ) async throws(SourceFailure) -> Publication {
        // A refresh may have joined the fetch meanwhile.
        let removesAny = table.withLock { $0.mayRemoveAny(attempt) }
        let allowance = removesAny ? .any : state.allowance(now: now)
        do throws(SourceRefusal) {
            guard let api = api.withLock(\.self) else {
                throw .failed(SourceFailure.stopped.description)
            }
            let publication = try await api.publishSource(
                to: attempt.settings.feed,
                size,
                document: content.document,
                allowance: allowance,
                mayReplace: { [replaced = attempt.replaced] in $0 == replaced },
                make: content.make
            )
            (state.refusedCount, state.refusedSince) = (nil, nil)
            state.token = publication.current.token.description
            if publication.isChanged { state.changed = now }
            return publication
        } catch {
            // The document is read again with the next try.
            (state.eTag, state.lastModified, state.digest) = (nil, nil, attempt.state.digest)
            if case .guarded = error {
                state.refusedCount = (state.refusedCount ?? 0) + 1
                state.refusedSince = state.refusedSince ?? now
            }
            throw .refused(error)
        }
    }

    /// Waits for a request's turn at its host.
    ///
    /// Does nothing if the previous request went to the same host; otherwise the previous host is
    /// released, since each host has its own queue.
    ///
    /// - Throws: ``SourceFailure/paused(_:seconds:)`` if the host wants no requests now.
    private func takeTurn(
        for request: HTTPClient.Request,
        _ attempt: inout SourceTable.Attempt,
        _ fetch: inout SourceFetch
    ) async throws(SourceFailure) {
        let host = URLHost.host(of: request.url)
        guard host != attempt.host else { return }
        let start = ContinuousClock.now
        await withCheckedContinuation { (turn: CheckedContinuation<Void, Never>) in
            let isTurn = table.withLock { $0.move(&attempt, to: host) { turn.resume() } }
            // Other fetches may ask the previous host now.
            tick()
            if isTurn { turn.resume() }
        }
        fetch.resume(after: .now - start)
        let (now, end) = (wall(), table.withLock { $0.hosts.pause(of: host) })
        guard end > now else { return }
        fetch.pause(until: end)
        throw .paused(503, seconds: end - now)
    }

    /// Runs work on the threads of the API for long computations.
    ///
    /// - Throws: The error of the work; ``SourceFailure/stopped`` if the server stops first.
    private func compute<Value: Sendable>(
        _ size: WorkSize,
        _ work: @escaping @Sendable () throws(SourceFailure) -> Value
    ) async throws(SourceFailure) -> Value {
        let result = await api.withLock(\.self)?.inBackground(size) {
            Result(catching: work)
        }
        guard let result else { throw .stopped }
        return try result.get()
    }
}

extension SourceState {
    fileprivate mutating func forgetDocument() {
        (eTag, lastModified, digest, newest) = (nil, nil, nil, 0)
    }

    /// Records a document's hub, topic, update interval, and the ways in which it deviates from its
    /// format.
    fileprivate mutating func takeNote(
        of read: SourceFeed,
        _ document: SourceFetch.Document,
        now: Int
    ) {
        let links = document.links
        func kept(_ address: String?) -> String? {
            address.flatMap(WebAddress.web).flatMap { $0.utf8.count <= 2048 ? $0 : nil }
        }
        hub = kept((links?.hub ?? read.hub).map(WebAddress.withASCIIHost))
        topic = kept(links?.topic ?? read.selfAddress ?? document.address)
        notes = read.notes.isEmpty ? nil : read.notes.prefix(5).map { String($0.prefix(200)) }
        (interval, asked) = (read.interval, document.freshness)
        rhythm = SourceSchedule.rhythm(
            read.entries.compactMap { ($0.published ?? $0.updated).map { $0.milliseconds / 1000 } },
            now: now
        )
    }

    /// The seconds after a change in which an older document is not believed: caches of a network
    /// serve old and new documents in turn.
    private static let staleTime = 3600

    /// Returns whether a document is older than one that was seen a short while ago.
    fileprivate func isStale(_ time: Int, now: Int) -> Bool {
        time > 0 && time < newest && now - changed < SourceState.staleTime
    }
}

extension SourceSettings {
    /// The settings that a document's content depends on beside its bytes, as the end of
    /// ``SourceState/digest``.
    fileprivate var readingKey: String {
        " \(title ?? "") \(keeping) \(isSanitizing) \(String(describing: mapping))"
            + (condition.map { " \($0)" } ?? "")
    }
}
