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
        var frame = GzipFrame()
        /// Who is reading; its rights are looked up anew where they have changed.
        var caller: Access.Caller
        /// The configuration that it goes by, and its number.
        var api: FeedAPI?
        var generation = -1
        /// What is being made for it.
        var awaited: DocumentChoice?
    }

    /// A document that was made for this stream, and perhaps could not be kept for others.
    private struct Prepared {
        let choice: DocumentChoice
        let event: CachedDocument
    }

    let topics: [Topic]
    let byteCount: Int
    private let current: CurrentConfiguration
    private let presentation: Presentation
    private let isGzip: Bool
    /// Touched on the connection's loop alone.
    private let state: Mutex<State>
    private let prepared = Mutex<Prepared?>(nil)

    /// Makes the stream of a request.
    init(
        _ selection: FeedSelection,
        _ caller: Access.Caller,
        _ current: CurrentConfiguration,
        isGzip: Bool
    ) {
        self.current = current
        self.isGzip = isGzip
        presentation = selection.presentation
        let stride = MemoryLayout<StreamedFeed>.stride
        byteCount = selection.byteCount + selection.entries.count * stride
        let api = current.api
        topics = selection.entries.compactMap(\.feed).compactMap { api?.topics.topic(of: $0) }
        let feeds = selection.entries.map(StreamedFeed.init)
        state = Mutex(State(feeds: feeds, caller: caller))
    }

    func next(_ waker: StreamWaker) -> StreamPart {
        // Taken out, so that no lock is held while the store is asked, and that nothing is copied
        // to be changed.
        var state = State(feeds: [], caller: .anyone)
        self.state.withLock { swap(&$0, &state) }
        defer { self.state.withLock { swap(&$0, &state) } }
        guard let api = configuration(&state) else { return .end }
        if !state.isBegun {
            state.isBegun = true
            let start = coded(FeedStream.start(), in: &state)
            return .bytes(isGzip ? GzipFrame.header + start : start)
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
        coded(Array(":\n\n".utf8))
    }

    func ending() -> [UInt8] {
        guard isGzip else { return [] }
        let state = state.withLock(\.self)
        return (state.isBegun ? [] : GzipFrame.header) + state.frame.trailer
    }

    func closed() {}

    /// How long a client waits before it comes again: not all at once after a stop.
    private static func start() -> [UInt8] {
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
        let version = api.visible(state.feeds[index].entry.feed, to: state.caller)
        switch state.feeds[index].due(version?.token) {
        case .nothing: return nil
        case .missing:
            state.feeds[index].sent(nil)
            let event =
                Array("event: missing\ndata: ".utf8) + Pull.missing(state.feeds[index].entry.name)
                + [UInt8(ascii: "\n")] + id(state)
            return .bytes(coded(event, in: &state))
        case .document(let since):
            guard let version,
                let made = event(version, since: since, api, &state, waker)
            else { return nil }
            state.feeds[index].sent(version.token)
            state.awaited = nil
            let tail = coded(id(state), in: &state, after: made)
            return .pieces(made.response.body, tail)
        }
    }

    /// The event with a document.
    ///
    /// - Returns: `nil` while it is being made; the stream is woken after that.
    private func event(
        _ version: Version,
        since: Token?,
        _ api: FeedAPI,
        _ state: inout State,
        _ waker: StreamWaker
    ) -> CachedDocument? {
        let form: ResponseKey.Form = isGzip ? .gzipEvent : .event
        if let found = api.found(version, since: since, presentation, form) { return found }
        let choice = api.choice(version, since: since, presentation)
        if let made = api.found(choice, form) ?? api.madeAtOnce(choice, form) { return made }
        let prepared = self.prepared.withLock { prepared in
            defer { prepared = nil }
            return prepared
        }
        if let prepared, prepared.choice.isSame(as: choice) { return prepared.event }
        // Those who wait for the same are each woken once, and nobody else.
        if let awaited = state.awaited, awaited.isSame(as: choice) { return nil }
        state.awaited = choice
        api.makeEvent(choice, form) { made in
            self.prepared.withLock { $0 = Prepared(choice: choice, event: made) }
            waker()
        }
        return nil
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

    private func coded(_ bytes: [UInt8], in state: inout State, after made: CachedDocument? = nil)
        -> [UInt8]
    {
        guard isGzip else { return bytes }
        if let part = made?.part { state.frame.add(part) }
        let part = GzipPart(stored: bytes)
        state.frame.add(part)
        return part.blocks
    }

    private func coded(_ bytes: [UInt8]) -> [UInt8] {
        var state = self.state.withLock(\.self)
        defer { self.state.withLock { $0 = state } }
        return coded(bytes, in: &state)
    }
}
