import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import Synchronization

/// A stream of the changes of very many feeds, each change as an event (docs/PROTOCOL.md, "Very
/// many feeds").
///
/// The stream scans all feeds once, in the order of their names, and then reads the ``ChangeLog``.
/// It stores only which version the reader has of each feed; no events are queued.
final class FollowStream: ResponseStream {
    private struct State {
        var feeds: FollowedFeeds
        /// Names that no feed can have, and that are still to be reported as missing.
        var impossible: [String]
        /// The scan of all feeds; `nil` once it is complete.
        var scan: FollowScan? = FollowScan()
        /// The number of feeds that the scan has found.
        var count = 0
        /// Feeds that the scan skipped, because the upstream must be asked about them first.
        var silent: [FeedName] = []
        /// The number of the first change in the log that was not read.
        var position: Int
        var isReady = false
        /// Changes that were read and not yet handled, in reverse order.
        var changes: [FeedName] = []
        var session: StreamSession
    }

    let topics: [Topic]
    let byteCount: Int
    let time: Duration?
    private let reader: ChangeLog.Reader
    private let freshness: StreamFreshness?
    private let patterns: FollowedPatterns
    /// Whether the stream shows the feeds that the caller may follow, rather than all that it may
    /// read.
    private let isLarge: Bool
    private let events: EventMaker
    /// The state, which only the connection's loop uses; the mutex is for `Sendable`.
    private let state: Mutex<State?>

    /// Makes the stream of a request.
    init(
        _ request: FollowRequest,
        _ presentation: Presentation,
        _ caller: Access.Caller,
        _ requester: Requester,
        _ api: FeedAPI,
        _ coding: CodingChoice
    ) {
        reader = api.service.changes.read()
        let feeds = request.feeds
        freshness = api.service.freshness == nil ? nil : StreamFreshness(feeds, api)
        topics = [api.service.changes.topic] + (freshness.map { [$0.topic] } ?? [])
        patterns = FollowedPatterns(request.patterns)
        isLarge = request.isLarge
        let isGzip = coding.coding == .gzip
        events = EventMaker(presentation, isGzip ? .gzipEventStart : .eventStart, requester)
        time = api.access.timeLeft(of: caller)
        let found = request.patterns.isEmpty ? 0 : api.store.feedCount
        let named = feeds.reduce(0) { $0 + $1.name.rawValue.utf8.count }
        byteCount = FollowedFeeds.stride * (feeds.count + found) + named + 1000
        let state = State(
            feeds: FollowedFeeds(feeds),
            impossible: request.impossible,
            position: reader.start,
            session: StreamSession(caller, api.service.newest, isGzip: isGzip)
        )
        self.state = Mutex(state)
    }

    func next(_ waker: StreamWaker) -> StreamPart {
        // The state is moved out, so that no lock is held during calls of the store, and nothing is
        // copied.
        guard var state = self.state.withLock({ $0.take() }) else { return .end }
        let part = next(&state, waker)
        var changed: State? = consume state
        self.state.withLock { swap(&$0, &changed) }
        return part
    }

    private func next(_ state: inout State, _ waker: StreamWaker) -> StreamPart {
        guard let api = configuration(&state) else { return .end }
        if let beginning = state.session.beginning() { return .bytes(beginning) }
        if let name = state.impossible.popLast() {
            return .bytes(state.session.coding.coded(FollowStream.missing(name)))
        }
        turn: for _ in 0..<patterns.namesPerTurn {
            let name: FeedName
            switch nextName(&state, api) {
            case .feed(let next): name = next
            case .later: break turn
            case .end: return isReadyNow(&state, api) ?? .pending
            }
            switch look(at: name, &state, api, waker) {
            case .nothing: passed(&state)
            case .awaited: return .pending
            case .part(let part):
                passed(&state)
                return part
            }
        }
        return .askAgain
    }

    func idlePart() -> [UInt8] { state.withLock { $0?.session.idlePart() ?? [] } }

    func ending() -> [UInt8] { state.withLock { $0?.session.ending() ?? [] } }

    func closed() {
        events.end()
    }

    /// The most changes read from the log at once.
    private static let changesPerRead = 1024

    /// Returns the newest configuration; if it changes the caller's rights, all feeds are scanned
    /// again.
    ///
    /// - Returns: `nil` if the server is gone, or if the caller's key or its right to follow is
    ///   gone: the caller's next request is then refused, which is better than reporting all feeds
    ///   as missing.
    private func configuration(_ state: inout State) -> FeedAPI? {
        switch state.session.renew() {
        case .over: return nil
        case .same(let api), .other(let api, before: nil): return api
        case .other(let api, let before?):
            let caller = state.session.caller
            guard !isLarge || caller.mayFollowAny else { return nil }
            if !api.access.grants(caller, theSameAs: before.api.access, granted: before.caller) {
                state.scan = FollowScan()
            }
            return api
        }
    }
}

/// The search for the next part to send.
extension FollowStream {
    /// The result of checking one feed.
    private enum Look {
        case nothing
        /// The event's document is being made.
        case awaited
        case part(StreamPart)
    }

    /// Returns the next feed to check; `end` if there is none now, or the scan is complete.
    private func nextName(_ state: inout State, _ api: FeedAPI) -> FollowScan.Step {
        if let step = state.scan?.next(state.feeds, patterns, api.store) { return step }
        if let freshness { state.changes += freshness.takeSettled() }
        if let name = state.changes.last { return .feed(name) }
        let limit = FollowStream.changesPerRead
        guard let names = reader.log.names(from: state.position, limit: limit) else {
            // The log does not have all changes since the last read.
            state.position = reader.log.end
            state.scan = FollowScan()
            return state.scan?.next(state.feeds, patterns, api.store) ?? .end
        }
        state.position += names.count
        state.changes = names.reversed()
        return state.changes.last.map { .feed($0) } ?? .end
    }

    private func passed(_ state: inout State) {
        if state.scan == nil { _ = state.changes.popLast() } else { state.scan?.passed() }
    }

    /// Ends the scan, and returns the event `ready` once: after the first scan, and when the
    /// upstream has answered all questions.
    private func isReadyNow(_ state: inout State, _ api: FeedAPI) -> StreamPart? {
        guard api.service.upstream?.knowsAllFeeds != false else { return nil }
        let isAtEnd = state.scan != nil
        if isAtEnd {
            state.scan = nil
            state.feeds.trim()
        }
        guard !state.isReady, freshness?.isOpen != true else {
            // Changes that were logged during the scan come next.
            return isAtEnd ? .bytes([]) : nil
        }
        state.isReady = true
        let count =
            state.count + state.silent.count { visible($0, state.session.caller, api) != nil }
        state.silent = []
        let event = "event: ready\ndata: {\"kind\":\"ready\",\"feeds\":\(count)}\n\n"
        return .bytes(state.session.coding.coded(Array(event.utf8)))
    }

    /// Returns the event that brings the reader up to date with one feed, if one is needed.
    private func look(
        at name: FeedName,
        _ state: inout State,
        _ api: FeedAPI,
        _ waker: StreamWaker
    ) -> Look {
        if let freshness, freshness.include(name) {
            if state.scan != nil, !state.isReady { state.silent.append(name) }
            return .nothing
        }
        let held = state.feeds[name]
        // Names that the scan finds were compared with the patterns there.
        guard held != nil || state.scan != nil || patterns.include(name) else { return .nothing }
        guard let version = visible(name, state.session.caller, api) else {
            guard let held, !held.isNothing, api.service.upstream?.knowsAllFeeds != false else {
                return .nothing
            }
            state.feeds.sent(nil, of: name)
            return .part(.bytes(state.session.coding.coded(FollowStream.missing(name.rawValue))))
        }
        if held?.token != version.token {
            guard let made = events.event(version, since: held?.token, api, waker) else {
                return .awaited
            }
            state.feeds.sent(version.token, of: version.feed)
            if state.scan != nil { state.count += 1 }
            state.session.coding.add(made)
            let end = Array("id: \(version.feed)@\(version.token)\n\n".utf8)
            return .part(.shared(made, state.session.coding.coded(end)))
        }
        if state.scan != nil { state.count += 1 }
        return .nothing
    }

    private func visible(_ name: FeedName, _ caller: Access.Caller, _ api: FeedAPI) -> Version? {
        let bytes = name.rawValue.utf8.span
        if isLarge {
            guard case .key(let key) = caller, key.mayFollow(bytes),
                api.access.mayRead(bytes, caller)
            else { return nil }
        } else {
            guard api.access.mayRead(bytes, caller) else { return nil }
        }
        return api.store.current(name)
    }

    /// Returns the event for a feed that does not exist.
    private static func missing(_ name: String) -> [UInt8] {
        Array("event: missing\ndata: ".utf8) + PullBody.missing(name) + Array("\nid: \n\n".utf8)
    }
}
