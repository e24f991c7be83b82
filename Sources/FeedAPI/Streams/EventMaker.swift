import Dispatch
import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import Synchronization

/// Finds or makes the documents of one stream's events, one at a time.
final class EventMaker: Sendable {
    private let presentation: Presentation
    private let form: ResponseKey.Form
    private let coding: ContentCoding
    /// The document that is being made for the stream, and its event once it is made, because the
    /// cache may have no room for the event; `nil` if the stream waits for no document.
    private let awaited = Mutex<(choice: DocumentChoice, event: Payload?)?>(nil)
    private let client: ClientID
    private let isOpen = Atomic(true)

    /// Makes an object for one stream.
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

    /// Ends the stream: a document that is being made only for it can be given up.
    func end() {
        isOpen.store(false, ordering: .relaxed)
    }

    /// Returns the event that leads a reader from `since` to `version`, or `nil` while the event is
    /// being made; the stream is woken afterwards.
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
