import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import Synchronization

/// The changes of very many feeds, each as an event when it comes (docs/PROTOCOL.md, "Very many
/// feeds").
///
/// It looks at all feeds once, in the order of their names, and then reads along in the
/// ``ChangeLog``. Of each feed it keeps what the reader has, and nothing else; nothing is queued.
final class FollowStream: ResponseStream {
    private struct State {
        var feeds: FollowedFeeds
        /// Names that no feed can have; the reader is to be told so.
        var impossible: [String]
        /// The look at all feeds; `nil` once it is over.
        var scan: FollowScan? = FollowScan()
        /// The number of feeds that the look at all feeds has found.
        var count = 0
        /// Feeds that the look passed over, since the upstream has to be asked about them first.
        var silent: [FeedName] = []
        /// The first change that it has not seen.
        var position: Int
        var isReady = false
        /// Changes that were read and not yet looked at, in reverse.
        var changes: [FeedName] = []
        var session: StreamSession
    }

    let topics: [Topic]
    let byteCount: Int
    let time: Duration?
    private let reader: ChangeLog.Reader
    private let freshness: StreamFreshness?
    private let patterns: FollowedPatterns
    /// Whether only what the caller may follow is there for it, rather than what it may read.
    private let isLarge: Bool
    private let events: EventMaker
    /// Touched on the connection's loop alone.
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
        // Taken out, so that no lock is held while the store is asked; moved, so that nothing is
        // copied to be changed.
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

    /// Changes that are read at once.
    private static let changesPerRead = 1024

    /// The newest configuration; when the caller's rights are others by it, all feeds are looked at
    /// again.
    ///
    /// - Returns: `nil` when the server or the caller's key is gone, or its right to follow at all:
    ///   it is then refused when it asks again, rather than told that all feeds are gone.
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
    /// The result of a look at one feed.
    private enum Look {
        case nothing
        /// Its document is being made.
        case awaited
        case part(StreamPart)
    }

    /// The feed to look at; the end: there is none at the moment, or all were looked at.
    private func nextName(_ state: inout State, _ api: FeedAPI) -> FollowScan.Step {
        if let step = state.scan?.next(state.feeds, patterns, api.store) { return step }
        if let freshness { state.changes += freshness.takeSettled() }
        if let name = state.changes.last { return .feed(name) }
        let limit = FollowStream.changesPerRead
        guard let names = reader.log.names(from: state.position, limit: limit) else {
            // Too far behind to know what changed.
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

    /// Ends the look at all feeds, and says so the first time, when those that had to be asked
    /// about are told, too.
    private func isReadyNow(_ state: inout State, _ api: FeedAPI) -> StreamPart? {
        guard api.service.upstream?.knowsAllFeeds != false else { return nil }
        let isAtEnd = state.scan != nil
        if isAtEnd {
            state.scan = nil
            state.feeds.trim()
        }
        guard !state.isReady, freshness?.isOpen != true else {
            // What changed meanwhile comes next.
            return isAtEnd ? .bytes([]) : nil
        }
        state.isReady = true
        let count =
            state.count + state.silent.count { visible($0, state.session.caller, api) != nil }
        state.silent = []
        let event = "event: ready\ndata: {\"kind\":\"ready\",\"feeds\":\(count)}\n\n"
        return .bytes(state.session.coding.coded(Array(event.utf8)))
    }

    /// Finds what brings the reader up to date with one feed.
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
        // What a look at all feeds finds was held against the patterns.
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

    /// The event of a feed that is not there.
    private static func missing(_ name: String) -> [UInt8] {
        Array("event: missing\ndata: ".utf8) + PullBody.missing(name) + Array("\nid: \n\n".utf8)
    }
}
