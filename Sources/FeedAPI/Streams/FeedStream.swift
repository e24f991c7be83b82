import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import Synchronization

/// A stream of the changes of some feeds, each change as an event (docs/READING.md, "Streams").
///
/// No events are queued: a slow reader gets one change from its version to the current one when its
/// socket can take more.
final class FeedStream: ResponseStream {
    private struct State {
        /// The feeds, with the versions that the reader has.
        var feeds: [FeedSelection.Entry]
        /// The index of the feed to check first; it rotates, so that a busy feed does not delay the
        /// others.
        var first = 0
        var session: StreamSession
    }

    let topics: [Topic]
    let byteCount: Int
    let time: Duration?
    private let freshness: StreamFreshness?
    /// The state, which only the connection's loop uses; the mutex is for `Sendable`.
    private let state: Mutex<State>

    /// Makes the stream of a request.
    init(
        _ selection: FeedSelection,
        for client: ClientID,
        with caller: AccessKey?,
        of api: FeedAPI,
        in coding: ContentCoding
    ) {
        let stride = MemoryLayout<FeedSelection.Entry>.stride
        byteCount = selection.byteCount + selection.entries.count * stride
        time = api.access.timeLeft(of: caller)
        let asked = selection.feeds
        freshness = StreamFreshness(asked, api)
        topics =
            asked.map { api.service.topics.topic(of: $0.name) }
            + (freshness.map { [$0.topic] } ?? [])
        let session = StreamSession(
            caller,
            of: api,
            selection.presentation,
            selection.entries.count > 1 ? .eventStart : .event,
            in: coding,
            for: client
        )
        state = Mutex(State(feeds: selection.entries, session: session))
    }

    func next(_ waker: StreamWaker) -> StreamPart {
        state.withLock { state in
            guard let (api, _) = state.session.renew() else { return .end }
            if let beginning = state.session.beginning() { return .bytes(beginning) }
            for offset in state.feeds.indices {
                let index = (state.first + offset) % state.feeds.count
                guard let part = part(ofFeedAt: index, &state, api, waker) else { continue }
                state.first = (index + 1) % state.feeds.count
                return part
            }
            return .pending
        }
    }

    func idlePart() -> [UInt8] { state.withLock { $0.session.idlePart() } }

    func ending() -> [UInt8] { state.withLock { $0.session.ending() } }

    func closed() { state.withLock { $0.session.end() } }
}

/// Makes the events of the stream.
extension FeedStream {
    /// Returns the part that brings the reader up to date with one feed.
    ///
    /// - Returns: `nil` if there is nothing to send now: the reader is up to date, the event is
    ///   being made, or the upstream (the server or the database that the feeds come from) must
    ///   answer first.
    private func part(
        ofFeedAt index: Int,
        _ state: inout State,
        _ api: FeedAPI,
        _ waker: StreamWaker
    ) -> StreamPart? {
        let feed = state.feeds[index].feed
        if let freshness, let feed, freshness.isAsking(about: feed) { return nil }
        let version = api.visible(feed, to: state.session.caller)
        let (since, isSent) = (state.feeds[index].since, state.feeds[index].isSent)
        if isSent, since == version?.token { return nil }
        guard let version else {
            // The feed may exist at the upstream, so it is not reported as missing yet.
            if api.service.upstream?.knowsAllFeeds == false { return nil }
            (state.feeds[index].since, state.feeds[index].isSent) = (nil, true)
            let (name, end) = (state.feeds[index].name, eventEnd(state))
            return .bytes(state.session.missing(name, end: end))
        }
        guard let made = state.session.event(version, since: since, api, waker) else { return nil }
        (state.feeds[index].since, state.feeds[index].isSent) = (version.token, true)
        guard state.feeds.count == 1 else {
            return .shared(made, state.session.coded(eventEnd(state)))
        }
        return .shared(made)
    }

    /// Returns the end of an event: the line with its id, and an empty line.
    ///
    /// The id lists a token for each feed in the order of the request, or nothing for a feed that
    /// the reader has no version of. It leaves out the names, so that the id of a hundred feeds,
    /// which clients send in Last-Event-ID, is short enough for any proxy.
    private func eventEnd(_ state: borrowing State) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(8 + 24 * state.feeds.count)
        line.append(copying: FeedStream.idStart.span)
        for (index, entry) in state.feeds.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            entry.appendToken(to: &line)
        }
        line.append(UInt8(ascii: "\n"))
        line.append(UInt8(ascii: "\n"))
        return line
    }

    private static let idStart = Array("id: ".utf8)
}

/// Encodes the version that a stream's reader has of one feed.
extension FeedSelection.Entry {
    /// Appends the token of the reader's version to the id of an event; nothing without a version.
    fileprivate func appendToken(to line: inout [UInt8]) {
        guard feed != nil, let since else { return }
        var code = since.epochCode
        while code != 0 {
            line.append(UInt8(truncatingIfNeeded: code))
            code >>= 8
        }
        line.append(UInt8(ascii: "."))
        line.append(decimal: since.version)
    }
}
