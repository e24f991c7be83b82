import Dispatch
import FeedModel
import FeedStore
import HTTPServer
import Synchronization

/// The event that a stream of one feed was sent last, for all others that wait for the same: they
/// need not look for it.
final class SharedEvents: Sendable {
    /// An event that brings whoever has `since` to `token`.
    final class Event: Sendable {
        let since: Token
        let token: Token
        let document: Payload
        /// After how many changes the version was looked up that it leads to.
        fileprivate let changeCount: Int

        init(_ document: Payload, since: Token, token: Token, changeCount: Int) {
            self.document = document
            self.since = since
            self.token = token
            self.changeCount = changeCount
        }
    }

    private struct Latest {
        var plain: Event?
        var gzip: Event?
    }

    private let latest = Mutex(Latest())
    private let changes = Atomic(0)

    /// The most bytes of an event that is kept here, where nobody counts them. What is longer costs
    /// more to send than to find.
    private static let byteLimit = 4 << 10

    /// How often the feed has changed. What is looked up after this is read is as new.
    var changeCount: Int { changes.load(ordering: .acquiring) }

    /// The feed has changed: called before anybody is told.
    func feedChanged() {
        changes.add(1, ordering: .acquiringAndReleasing)
        var gone = Latest()
        latest.withLock { swap(&$0, &gone) }
    }

    /// The event, if the feed has not changed since its version was looked up.
    func event(isGzip: Bool) -> Event? {
        guard let event = latest.withLock({ isGzip ? $0.gzip : $0.plain }) else { return nil }
        return event.changeCount == changeCount ? event : nil
    }

    /// Keeps an event, unless it is long.
    func keep(_ event: Event, isGzip: Bool) {
        guard event.document.bodyByteCount <= SharedEvents.byteLimit else { return }
        var event: Event? = event
        latest.withLock { latest in
            if isGzip { swap(&latest.gzip, &event) } else { swap(&latest.plain, &event) }
        }
    }
}

/// Finds or makes the documents of one stream's events, one at a time.
final class EventMaker: Sendable {
    /// A document that was made for this stream, and perhaps could not be kept for others.
    private struct Prepared {
        let choice: DocumentChoice
        let event: Payload
    }

    private let presentation: Presentation
    private let form: ResponseKey.Form
    private let prepared = Mutex<Prepared?>(nil)
    /// The document that is being made for the stream.
    private let awaited = Mutex<DocumentChoice?>(nil)
    /// Whether a document is being made: most events are there already.
    private let isAwaiting = Atomic(false)
    private let requester: Requester
    private let isOpen = Atomic(true)

    /// - Parameters:
    ///   - presentation: How the feeds are shown.
    ///   - form: The form of the documents.
    ///   - requester: The client that reads.
    init(_ presentation: Presentation, _ form: ResponseKey.Form, _ requester: Requester) {
        self.presentation = presentation
        self.form = form
        self.requester = requester
    }

    /// The reader is gone: what is being made for it alone can be given up.
    func end() {
        isOpen.store(false, ordering: .relaxed)
    }

    /// Returns the event that brings a reader with `since` to `version`.
    ///
    /// - Returns: `nil` while it is being made; the stream is woken after that.
    func event(
        _ version: Version,
        since: Token?,
        _ api: FeedAPI,
        _ waker: StreamWaker
    ) -> Payload? {
        if let found = api.found(version, since: since, presentation, form) {
            return handOut(found)
        }
        let choice = api.choice(version, since: since, presentation)
        if let made = api.found(choice, form) ?? api.madeAtOnce(choice, form) {
            return handOut(made)
        }
        if let prepared = takePrepared(), prepared.choice.isSame(as: choice) {
            return handOut(prepared.event)
        }
        if begins(choice) { make(choice, api, waker) }
        return nil
    }

    private func takePrepared() -> Prepared? {
        prepared.withLock { prepared in
            defer { prepared = nil }
            return prepared
        }
    }

    /// Whether a document is to be asked for: later looks of this stream find that it is awaited.
    private func begins(_ choice: DocumentChoice) -> Bool {
        awaited.withLock { awaited in
            if let awaited, awaited.isSame(as: choice) { return false }
            awaited = choice
            isAwaiting.store(true, ordering: .relaxed)
            return true
        }
    }

    /// Has a document made, for this stream and all others that wait for it.
    private func make(_ choice: DocumentChoice, _ api: FeedAPI, _ waker: StreamWaker) {
        let waiter = VersionResponses.Waiter { [weak self] _ in
            self?.isOpen.load(ordering: .relaxed) ?? false
        } finish: { [weak self] made in
            guard let self else { return }
            guard let made else { return retry(waker) }
            self.prepared.withLock { $0 = Prepared(choice: choice, event: made) }
            waker()
        }
        api.make(choice, form, for: requester, waiter)
    }

    /// Asks again in a while for a document that was refused for too much work.
    private func retry(_ waker: StreamWaker) {
        let delay = DispatchTimeInterval.milliseconds(Int.random(in: 500...1500))
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self, isOpen.load(ordering: .relaxed) else { return }
            awaited.withLock { $0 = nil }
            waker()
        }
    }

    /// Nothing is awaited any more.
    private func handOut(_ document: Payload) -> Payload {
        if isAwaiting.load(ordering: .relaxed) {
            isAwaiting.store(false, ordering: .relaxed)
            awaited.withLock { $0 = nil }
        }
        return document
    }
}
