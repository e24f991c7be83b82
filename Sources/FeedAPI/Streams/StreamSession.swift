import Dispatch
import FeedDiff
import FeedModel
import FeedStore
import Gzip
import HTTPServer
import HTTPWire
import Synchronization

/// The state that all event streams have: the reader's key, the configuration, the content coding,
/// and the event that is being made.
struct StreamSession: Sendable {
    /// The reader's key, with the rights that it has in ``api``; `nil`: the reader has no key.
    private(set) var caller: AccessKey?
    private let isGzip: Bool
    private let maker: EventMaker
    /// The checksum and the length of the gzip stream, used only if ``isGzip``; events are
    /// compressed before they are added.
    private var frame = GzipFrame()
    /// Whether ``beginning()`` has returned the first bytes.
    private var isBegun = false
    /// The configuration that the stream uses.
    private var api: FeedAPI
    /// The number of that configuration; -1 until the first ``renew()``.
    private var generation = -1

    /// Begins the session of a stream.
    ///
    /// - Parameters:
    ///   - form: Whether an event has its id, or the stream adds one.
    ///   - client: The client, which shares the threads that make documents fairly with others.
    init(
        _ caller: AccessKey?,
        of api: FeedAPI,
        _ presentation: Presentation,
        _ form: ResponseKey.Form,
        in coding: ContentCoding,
        for client: ClientID
    ) {
        self.caller = caller
        self.api = api
        isGzip = coding == .gzip
        maker = EventMaker(presentation, form, in: coding, for: client)
    }

    /// Changes to the newest configuration.
    ///
    /// The configuration may have changed already before the first call, so that the reader's key
    /// is checked then, too.
    ///
    /// - Returns: The newest configuration; if it may be another one than in the last call,
    ///   `before` is the one until now with the reader's rights in it. `nil` if the server has
    ///   ended or the reader's key is no longer valid.
    mutating func renew() -> (api: FeedAPI, before: (api: FeedAPI, caller: AccessKey?)?)? {
        let generation = api.service.generation
        if generation == self.generation { return (api, nil) }
        guard let newest = api.service.newestAPI else { return nil }
        let before = (api: api, caller: caller)
        do {
            caller = try newest.access.renewed(caller)
        } catch {
            return nil
        }
        (api, self.generation) = (newest, generation)
        return (newest, before)
    }

    /// Returns the first bytes: the reconnection time, which is random so that not all clients come
    /// back at once after a restart.
    ///
    /// No empty line follows the line `retry`, which so becomes part of the first event: some
    /// clients take each block for an event.
    ///
    /// - Returns: `nil` if the bytes were returned before.
    mutating func beginning() -> [UInt8]? {
        guard !isBegun else { return nil }
        isBegun = true
        var bytes: [UInt8] = []
        if isGzip { frame.appendHeader(to: &bytes) }
        return bytes + coded(Array("retry: \(Int.random(in: 1000...5000))\n".utf8))
    }

    /// Returns a comment that keeps the connection alive; no empty line follows the comment,
    /// because that would end the block that begins with `retry`.
    mutating func idlePart() -> [UInt8] {
        guard isGzip else { return Array(":\n".utf8) }
        var bytes: [UInt8] = []
        frame.appendComment(to: &bytes)
        return bytes
    }

    /// Returns the event that leads the reader from `since` to `version`, for the caller to send;
    /// `nil` while the event is being made: the stream is woken afterwards.
    mutating func event(
        _ version: Version,
        since: Token?,
        _ api: FeedAPI,
        _ waker: StreamWaker
    ) -> Payload? {
        let event = maker.event(version, since: since, api, waker)
        if isGzip, let part = event?.part { frame.add(part) }
        return event
    }

    /// Returns bytes that only this stream sends, in its content coding; gzip stores them without
    /// compression.
    mutating func coded(_ bytes: [UInt8]) -> [UInt8] {
        guard isGzip else { return bytes }
        var coded: [UInt8] = []
        frame.store(in: &coded) { $0 += bytes }
        return coded
    }

    /// Returns the event that reports a feed as missing.
    ///
    /// - Parameters:
    ///   - name: The name that the client asked for, which may be no valid one.
    ///   - end: The end of the event: the line with its id, and an empty line.
    mutating func missing(_ name: String, end: [UInt8]) -> [UInt8] {
        let data = Array("event: missing\ndata: ".utf8) + DocumentEncoder.missing(name)
        return coded(data + [UInt8(ascii: "\n")] + end)
    }

    /// Returns the last bytes of the stream; empty unless the stream is in gzip.
    func ending() -> [UInt8] {
        guard isGzip else { return [] }
        var bytes: [UInt8] = []
        if !isBegun { frame.appendHeader(to: &bytes) }
        frame.appendTrailer(to: &bytes)
        return bytes
    }

    /// Ends the session: a document that is being made only for the stream can be given up.
    func end() { maker.end() }
}

/// Finds or makes the documents of one stream's events, one at a time.
private final class EventMaker: Sendable {
    private let presentation: Presentation
    private let form: ResponseKey.Form
    private let coding: ContentCoding
    /// The document that is being made for the stream, and its event once it is made, because the
    /// cache may have no room for the event; `nil` if the stream waits for no document.
    private let awaited = Mutex<(choice: DocumentChoice, event: Payload?)?>(nil)
    private let client: ClientID
    private let isOpen = Atomic(true)

    init(
        _ presentation: Presentation,
        _ form: ResponseKey.Form,
        in coding: ContentCoding,
        for client: ClientID
    ) {
        self.presentation = presentation
        self.form = form
        self.coding = coding
        self.client = client
    }

    func end() { isOpen.store(false, ordering: .relaxed) }

    /// Returns the event that leads the reader from `since` to `version`; `nil` while the event is
    /// being made, which wakes the stream.
    func event(
        _ version: Version,
        since: Token?,
        _ api: FeedAPI,
        _ waker: StreamWaker
    ) -> Payload? {
        let choice: DocumentChoice
        switch api.document(version, since: since, presentation, form, in: coding) {
        case .made(let event):
            // An awaited event of the feed is not needed any more.
            awaited.withLock { awaited in
                guard let known = awaited, known.event != nil else { return }
                if known.choice.version.feed == version.feed { awaited = nil }
            }
            return event
        case .unmade(let chosen): choice = chosen
        }
        let (made, isNew) = awaited.withLock { awaited -> (Payload?, Bool) in
            if let known = awaited {
                if known.choice.isSame(as: choice) {
                    if known.event != nil { awaited = nil }
                    return (known.event, false)
                }
                // Another document is being made: the stream is woken when it is done, and asks
                // again. So each document that is made is returned once, even if the cache has no
                // room for it.
                if known.event == nil { return (nil, false) }
            }
            awaited = (choice, nil)
            return (nil, true)
        }
        if isNew { make(choice, api, waker) }
        return made
    }

    /// Has a document made on a thread, for this stream and all others that wait for it.
    ///
    /// If the work is refused because too much work waits, the stream asks again after 0.5 to
    /// 1.5 s.
    private func make(_ choice: DocumentChoice, _ api: FeedAPI, _ waker: StreamWaker) {
        let waiter = VersionResponses.Waiter { [weak self] _ in
            self?.isOpen.load(ordering: .relaxed) ?? false
        } finish: { [weak self] made in
            guard let self else { return }
            guard made == nil else { return finish(choice, made, waker) }
            let delay = DispatchTimeInterval.milliseconds(Int.random(in: 500...1500))
            DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [weak self] in
                self?.finish(choice, nil, waker)
            }
        }
        api.make(choice, for: client, waiter)
    }

    /// Keeps the event with a document that was awaited, or awaits none if it was refused, and
    /// wakes the stream.
    private func finish(_ choice: DocumentChoice, _ event: Payload?, _ waker: StreamWaker) {
        awaited.withLock { if $0?.choice === choice { $0 = event.map { (choice, $0) } } }
        waker()
    }
}
