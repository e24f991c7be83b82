import FeedModel
import FeedStore
import HTTPServer
import Synchronization

/// The changes of some feeds, each as an event when it comes (docs/PROTOCOL.md, "Streams").
///
/// Nothing is queued: a reader that is slow is sent, once it can take more, what leads from what
/// it has to what is current then.
final class FeedStream: ResponseStream {
    private struct State {
        var feeds: [StreamedFeed]
        /// The feed to look at first, so that a busy one does not keep the others waiting.
        var first = 0
        var isBegun = false
        var coding: StreamCoding
        /// Who is reading; its rights are looked up anew where they have changed.
        var caller: Access.Caller
        /// The configuration that it goes by, and its number.
        var api: FeedAPI?
        var generation = -1
    }

    let topics: [Topic]
    let byteCount: Int
    let time: Duration?
    private let current: CurrentConfiguration
    private let doubts: StreamDoubts?
    private let events: EventMaker
    /// Touched on the connection's loop alone.
    private let state: Mutex<State>

    /// Makes the stream of a request.
    init(
        _ selection: FeedSelection,
        _ caller: Access.Caller,
        _ origin: RequestOrigin,
        _ current: CurrentConfiguration,
        isGzip: Bool
    ) {
        self.current = current
        events = EventMaker(selection.presentation, isGzip ? .gzipEvent : .event, origin)
        let stride = MemoryLayout<StreamedFeed>.stride
        byteCount = selection.byteCount + selection.entries.count * stride
        let api = current.api
        time = api?.access.timeLeft(of: caller)
        let asked = selection.entries.compactMap { entry in
            entry.feed.map { (name: $0, since: entry.since) }
        }
        doubts = api.flatMap { $0.questions == nil ? nil : StreamDoubts(asked, $0) }
        topics =
            asked.compactMap { api?.topics.topic(of: $0.name) }
            + (doubts.map { [$0.topic] } ?? [])
        let feeds = selection.entries.map(StreamedFeed.init)
        let coding = StreamCoding(isGzip: isGzip)
        state = Mutex(State(feeds: feeds, coding: coding, caller: caller))
    }

    func next(_ waker: StreamWaker) -> StreamPart {
        // Taken out, so that no lock is held while the store is asked, and that nothing is copied
        // to be changed.
        var state = State(feeds: [], coding: StreamCoding(isGzip: false), caller: .anyone)
        self.state.withLock { swap(&$0, &state) }
        defer { self.state.withLock { swap(&$0, &state) } }
        guard let api = configuration(&state) else { return .end }
        if !state.isBegun {
            state.isBegun = true
            return .bytes(state.coding.beginning(FeedStream.start()))
        }
        for offset in state.feeds.indices {
            let index = (state.first + offset) % state.feeds.count
            guard let part = part(index, &state, api, waker) else { continue }
            state.first = (index + 1) % state.feeds.count
            return part
        }
        return .pending
    }

    /// The newest configuration, by which the caller's rights are looked up when it is new.
    ///
    /// - Returns: `nil` when the server or the caller's key is gone.
    private func configuration(_ state: inout State) -> FeedAPI? {
        let generation = current.generation
        if generation == state.generation { return state.api }
        guard let api = current.api else { return nil }
        if state.generation >= 0 {
            guard let caller = try? api.access.renewed(state.caller) else { return nil }
            state.caller = caller
        }
        state.api = api
        state.generation = generation
        return api
    }

    /// A comment.
    func idlePart() -> [UInt8] {
        state.withLock { $0.coding.coded(Array(":\n\n".utf8)) }
    }

    func ending() -> [UInt8] {
        state.withLock { $0.coding.ending(isBegun: $0.isBegun) }
    }

    func closed() {
        events.end()
    }

    /// How long a client waits before it comes again: not all at once after a stop.
    static func start() -> [UInt8] {
        Array("retry: \(Int.random(in: 1000...5000))\n\n".utf8)
    }
}

/// Events.
extension FeedStream {
    /// What brings the reader up to date with one feed.
    ///
    /// - Returns: `nil` when it is.
    private func part(
        _ index: Int,
        _ state: inout State,
        _ api: FeedAPI,
        _ waker: StreamWaker
    ) -> StreamPart? {
        if let doubts, let feed = state.feeds[index].entry.feed, doubts.include(feed) {
            return nil
        }
        let version = api.visible(state.feeds[index].entry.feed, to: state.caller)
        switch state.feeds[index].due(version?.token) {
        case .nothing: return nil
        case .missing:
            // It may be there, as far as is known.
            if api.upstream?.knowsAllFeeds == false { return nil }
            state.feeds[index].sent(nil)
            let event =
                Array("event: missing\ndata: ".utf8)
                + PullBody.missing(state.feeds[index].entry.name)
                + [UInt8(ascii: "\n")] + id(state)
            return .bytes(state.coding.coded(event))
        case .document(let since):
            guard let version,
                let made = events.event(version, since: since, api, waker)
            else { return nil }
            state.feeds[index].sent(version.token)
            let tail = state.coding.coded(id(state), after: made)
            return .pieces(made.response.body, tail)
        }
    }

    /// The end of an event: the line with its id, and an empty one.
    private func id(_ state: State) -> [UInt8] {
        var line = FeedStream.idStart
        for feed in state.feeds {
            let count = line.count
            if count > FeedStream.idStart.count { line.append(UInt8(ascii: ",")) }
            if !feed.appendMark(to: &line) { line.removeSubrange(count...) }
        }
        line.append(UInt8(ascii: "\n"))
        line.append(UInt8(ascii: "\n"))
        return line
    }

    private static let idStart = Array("id: ".utf8)
}
