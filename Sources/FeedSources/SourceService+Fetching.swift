import FeedFormats
import FeedModel
import FeedStore
import HTTPClient
import HTTPTypes
import Synchronization

/// The steps of a try: request, redirects, document, publish.
extension SourceService {
    func begin(_ known: SourceTable.Task) {
        var task = known
        // If the feed was restored or lost, the source has to send the whole document again.
        if current(task.settings.feed) != task.state.token { task.state.forgetDocument() }
        // If the settings for reading have changed, so it has, too: it must not say “not modified”.
        let key = " \(task.settings.readingKey)"
        if task.state.digest.map({ !$0.hasSuffix(key) }) ?? false { task.state.forgetDocument() }
        switch task.settings.location {
        case .web:
            var fetch = SourceFetch(task.settings, task.state, now: wall())
            follow(fetch.begin(), fetch, task)
        case .file(let path):
            reader.submit { [self, task] in
                do throws(SourceFailure) {
                    let bytes = try SourceFile.read(path, task.settings)
                    take(SourceFetch.Document(file: path, bytes), task.state, task)
                } catch {
                    end(task, task.state, .failure(error))
                }
            }
        }
    }

    /// Sends a request. A request to another host waits for its turn there: each host has a queue
    /// and pauses of its own.
    private func follow(
        _ request: HTTPClient.Request,
        _ fetch: SourceFetch,
        _ known: SourceTable.Task
    ) {
        var task = known
        let host = URLHost.host(of: request.url)
        if host == task.host { return send(request, fetch, task) }
        let start = ContinuousClock.now
        let isTurn = state.withLock {
            $0.move(&task, to: host) { [weak self] task in
                var fetch = fetch
                fetch.resume(after: .now - start)
                self?.arrive(request, fetch, task)
            }
        }
        giveTurns()
        // The host before may be asked for another source now.
        worker.submit { [weak self] in self?.tick() }
        if isTurn { arrive(request, fetch, task) }
    }

    /// Sends the first request to a host that a source redirects to.
    private func arrive(
        _ request: HTTPClient.Request,
        _ fetch: SourceFetch,
        _ task: SourceTable.Task
    ) {
        let now = wall()
        guard let pause = state.withLock({ $0.pause(of: task.host, now: now) }) else {
            return send(request, fetch, task)
        }
        var state = fetch.state
        state.pausedUntil = pause
        // This is submitted, not called: the end of the try may begin another one that comes here.
        worker.submit { [weak self, state] in
            self?.end(task, state, .failure(.paused(503, seconds: pause - now)))
        }
    }

    /// Resumes the requests that waited for hosts which are free now.
    func giveTurns() {
        // They are submitted, not called: one turn may lead to the next.
        for turn in state.withLock({ $0.takeTurns() }) { worker.submit(turn) }
    }

    private func send(
        _ request: HTTPClient.Request,
        _ fetch: SourceFetch,
        _ task: SourceTable.Task
    ) {
        let receiver = FetchReceiver { [weak self] result in
            guard let self else { return }
            // Off the client's thread, where all other requests wait.
            worker.submit { self.receive(result, fetch, task) }
        }
        client.start(request, receiver)
    }

    private func receive(
        _ result: Result<HTTPClient.Response, HTTPClientError>,
        _ fetch: SourceFetch,
        _ task: SourceTable.Task
    ) {
        var (fetch, task) = (fetch, task)
        let step = fetch.take(result)
        task.rest = fetch.rest
        switch step {
        case .follow(let request): follow(request, fetch, task)
        case .unchanged:
            fetch.succeeded()
            end(task, fetch.state, .success(nil))
        case .failed(let failure): end(task, fetch.state, .failure(failure))
        case .document(let document):
            fetch.succeeded()
            // Off the thread that every request needs.
            reader.submit { [self, task, state = fetch.state] in take(document, state, task) }
        }
    }

    /// Reads and publishes a document, unless it is the same as before, or older.
    private func take(
        _ document: SourceFetch.Document,
        _ new: SourceState,
        _ task: SourceTable.Task
    ) {
        let now = wall()
        var state = new
        // The result of reading depends on the settings, too.
        let digest = document.digest + " \(task.settings.readingKey)"
        if digest == task.state.digest { return end(task, state, .success(nil)) }
        let read: SourceFeed
        do throws(FeedFormatError) {
            read = try document.read(by: task.settings)
        } catch {
            // The validators of a document that is no feed must not keep the feed away.
            var old = task.state
            old.goneSince = state.goneSince
            return end(task, old, .failure(.format(error)))
        }
        let newest = max(document.lastModified ?? 0, (read.updated?.milliseconds ?? 0) / 1000)
        if state.isStale(newest, now: now) { return end(task, task.state, .success(nil)) }
        state.newest = max(state.newest, min(newest, now))
        state.takeNote(of: read, document, now: now)
        // An empty document is often a mistake, so it is believed only when it comes twice.
        let isEmpty = read.isEmpty
        let mayRemoveAny = self.state.withLock { $0.mayRemoveAny(task) }
        let isNew = isEmpty && task.state.isEmptied != true && !mayRemoveAny
        state.isEmptied = isEmpty ? true : nil
        if isNew { (state.eTag, state.lastModified) = (nil, nil) }
        state.digest = isNew ? nil : digest
        submit(
            SourceContent(read, task.settings, believesEmpty: !isNew, now: now),
            state,
            task,
            now: now
        )
    }

    private func submit(
        _ content: SourceContent,
        _ new: SourceState,
        _ task: SourceTable.Task,
        now: Int
    ) {
        // If the feed has another source by now, or none, the document is not published.
        guard state.withLock({ $0.isSource(task) }) else {
            return end(task, new, .failure(.removed))
        }
        let mayRemoveAny = state.withLock { $0.mayRemoveAny(task) }
        let allowance = mayRemoveAny ? .any : new.allowance(now: now)
        publish(task.settings.feed, content, allowance) { [self] result in
            var state = new
            switch result {
            case .success(let publication):
                (state.refusedCount, state.refusedSince) = (nil, nil)
                state.token = publication.current.token.description
                if publication.isChanged { state.changed = now }
                end(task, state, .success(publication))
            case .failure(let failure):
                if case .guarded = failure {
                    state.refusedCount = (state.refusedCount ?? 0) + 1
                    state.refusedSince = state.refusedSince ?? now
                }
                // The document is read again with the next try.
                (state.eTag, state.lastModified, state.digest) = (nil, nil, task.state.digest)
                end(task, state, .failure(failure))
            }
        }
    }
}

extension SourceState {
    fileprivate mutating func forgetDocument() {
        (eTag, lastModified, digest, newest) = (nil, nil, nil, 0)
    }

    /// Records what a document says of its hub, its topic and its rhythm, and what is odd about it.
    fileprivate mutating func takeNote(
        of read: SourceFeed,
        _ document: SourceFetch.Document,
        now: Int
    ) {
        let links = document.links
        func kept(_ address: String?) -> String? {
            address.flatMap { WebAddress.isWeb($0) && $0.utf8.count <= 2048 ? $0 : nil }
        }
        hub = kept((links?.hub ?? read.hub).map(WebAddress.withASCIIHost))
        topic = kept(links?.topic ?? read.selfAddress ?? document.address)
        notes = read.notes.isEmpty ? nil : read.notes.prefix(5).map { String($0.prefix(200)) }
        asked = [read.interval, document.freshness].compactMap(\.self).max()
        rhythm = SourceSchedule.rhythm(
            read.entries.compactMap { ($0.published ?? $0.updated).map { $0.milliseconds / 1000 } },
            now: now
        )
    }

    /// The seconds after a change in which an older document is not believed: caches of a network
    /// serve old and new documents in turn.
    private static let staleTime = 3600

    /// Whether a document is older than one that was seen a short while ago.
    fileprivate func isStale(_ time: Int, now: Int) -> Bool {
        time > 0 && time < newest && now - changed < SourceState.staleTime
    }
}

extension SourceSettings {
    /// The settings that a document's content depends on beside its bytes.
    fileprivate var readingKey: String {
        "\(title ?? "") \(keeping) \(isSanitizing) \(String(describing: mapping))"
            + (condition.map { " \($0)" } ?? "")
    }
}
