import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import Synchronization

/// A stream of the changes of very many feeds, each change as an event (docs/PROTOCOL.md, "Very
/// many feeds").
///
/// The stream scans all feeds once, and then reads the ``ChangeLog``.
/// It stores only which version the reader has of each feed; no events are queued.
final class FollowStream: ResponseStream {
    private struct State {
        var feeds: FollowedFeeds
        /// Names that no feed can have, and that are still to be reported as missing.
        var impossible: [String]
        /// The scan of all feeds; `nil` once it is complete.
        var scan: FollowScan? = FollowScan()
        /// The number of the first change in the log that was not read.
        var position: Int
        /// Whether the event `ready` was sent.
        var isReady = false
        /// Changes that were read and not yet handled, in reverse order.
        var changes: [FeedName] = []
        var session: StreamSession
    }

    let topics: [Topic]
    let byteCount: Int
    let time: Duration?
    private let log: ChangeLog
    private let freshness: StreamFreshness?
    private let patterns: [FeedPattern]
    /// The most names that one call of ``next(_:)`` compares with the patterns.
    private let namesPerTurn: Int
    /// Whether the stream shows the feeds that the caller has the right to follow, rather than all
    /// that it may read: the request has patterns or many names.
    private let isLarge: Bool
    /// The state, which only the connection's loop uses; the mutex is for `Sendable`.
    private let state: Mutex<State>

    /// Makes the stream of a request.
    init(
        _ request: FeedSelection,
        _ caller: AccessKey?,
        for client: ClientID,
        of api: FeedAPI,
        in coding: ContentCoding
    ) {
        log = api.service.changes
        // Changes from here on come after the scan.
        let position = log.end
        let feeds = request.feeds
        freshness = StreamFreshness(feeds, api)
        topics = [log.topic] + (freshness.map { [$0.topic] } ?? [])
        patterns = request.patterns
        namesPerTurn = patterns.namesPerTurn
        isLarge = request.isLarge
        time = api.access.timeLeft(of: caller)
        let found = request.patterns.isEmpty ? 0 : api.store.feedCount
        let named = feeds.reduce(0) { $0 + $1.name.rawValue.utf8.count }
        byteCount = FollowedFeeds.stride * (feeds.count + found) + named + 1000
        let state = State(
            feeds: FollowedFeeds(feeds),
            impossible: request.impossible,
            position: position,
            session: StreamSession(
                caller,
                of: api,
                request.presentation,
                .eventStart,
                in: coding,
                for: client
            )
        )
        self.state = Mutex(state)
    }

    func next(_ waker: StreamWaker) -> StreamPart { state.withLock { next(&$0, waker) } }

    private func next(_ state: inout State, _ waker: StreamWaker) -> StreamPart {
        guard let api = configuration(&state) else { return .end }
        if let beginning = state.session.beginning() { return .bytes(beginning) }
        if let name = state.impossible.popLast() {
            return .bytes(state.session.missing(name, end: FollowStream.missingEnd))
        }
        for _ in 0..<namesPerTurn {
            guard let name = nextName(&state, api) else {
                guard state.scan?.isAtEnd != false else { break }
                return finishScan(&state, api) ?? .pending
            }
            let part = part(about: name, &state, api, waker)
            if case .pending? = part { return .pending }
            passed(&state)
            if let part { return part }
        }
        return .askAgain
    }

    func idlePart() -> [UInt8] { state.withLock { $0.session.idlePart() } }

    func ending() -> [UInt8] { state.withLock { $0.session.ending() } }

    func closed() { state.withLock { $0.session.end() } }

    private static let changesPerRead = 1024

    /// Returns the newest configuration; if it changes the caller's rights, all feeds are scanned
    /// again.
    ///
    /// - Returns: `nil` if the server is gone, or if the caller's key or its right to follow is
    ///   gone: the caller's next request is then refused, which is better than reporting all feeds
    ///   as missing.
    private func configuration(_ state: inout State) -> FeedAPI? {
        guard let (api, before) = state.session.renew() else { return nil }
        guard let before else { return api }
        let caller = state.session.caller
        guard !isLarge || caller?.mayFollowAny == true else { return nil }
        if !api.access.grants(caller, theSameAs: before.api.access, granted: before.caller) {
            state.scan = FollowScan()
        }
        return api
    }
}

/// Searches for the next part to send.
extension FollowStream {
    /// Returns the next feed to check; `nil` if there is none now, or if the scan goes on in the
    /// next call of ``next(_:)``.
    private func nextName(_ state: inout State, _ api: FeedAPI) -> FeedName? {
        if state.scan == nil {
            if let freshness { state.changes += freshness.takeAnswered() }
            if let name = state.changes.last { return name }
            let limit = FollowStream.changesPerRead
            if let names = log.names(from: state.position, limit: limit) {
                state.position += names.count
                state.changes = names.reversed()
                return state.changes.last
            }
            // The log does not have all changes since the last read.
            state.position = log.end
            state.scan = FollowScan()
        }
        return state.scan?.next(state.feeds, patterns, atMost: namesPerTurn, api.store)
    }

    /// Moves on to the next feed.
    private func passed(_ state: inout State) {
        if state.scan == nil { _ = state.changes.popLast() } else { state.scan?.passed() }
    }

    /// Ends a scan that is complete, and returns the event `ready` once: after the first scan, when
    /// the upstream has answered all questions.
    ///
    /// - Returns: An empty part after any other scan, so that the stream goes on with the log;
    ///   `nil` if no scan was ended and no event is due.
    private func finishScan(_ state: inout State, _ api: FeedAPI) -> StreamPart? {
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
        let count = state.feeds.sentCount
        let event = "event: ready\ndata: {\"kind\":\"ready\",\"feeds\":\(count)}\n\n"
        return .bytes(state.session.coded(Array(event.utf8)))
    }

    /// Returns the event that brings the reader up to date with one feed; `nil` if no event is
    /// needed, and `.pending` while its document is being made.
    private func part(
        about name: FeedName,
        _ state: inout State,
        _ api: FeedAPI,
        _ waker: StreamWaker
    ) -> StreamPart? {
        if let freshness, freshness.isAsking(about: name) { return nil }
        let held = state.feeds[name]
        // Names that the scan finds were compared with the patterns there.
        guard held != nil || state.scan != nil || patterns.names(name.rawValue.utf8.span) else {
            return nil
        }
        guard let version = visible(name, state.session.caller, api) else {
            guard held?.token != nil, api.service.upstream?.knowsAllFeeds != false else {
                return nil
            }
            state.feeds.sent(nil, of: name)
            return .bytes(state.session.missing(name.rawValue, end: FollowStream.missingEnd))
        }
        guard held?.token != version.token else { return nil }
        guard let made = state.session.event(version, since: held?.token, api, waker) else {
            return .pending
        }
        state.feeds.sent(version.token, of: version.feed)
        let end = Array("id: \(version.feed)@\(version.token)\n\n".utf8)
        return .shared(made, state.session.coded(end))
    }

    /// Returns the current version of a feed; `nil` if the feed does not exist, or the caller may
    /// not see it in this stream.
    private func visible(_ name: FeedName, _ caller: AccessKey?, _ api: FeedAPI) -> Version? {
        if isLarge, caller?.mayFollow(name.rawValue.utf8.span) != true { return nil }
        return api.visible(name, to: caller)
    }

    /// The end of the event that reports a feed as missing: its id is empty, because the client has
    /// no version of the feed.
    private static let missingEnd = Array("id: \n\n".utf8)
}
