import FeedModel
import FeedStore
import HTTPServer
import Synchronization

/// Finds or makes the documents of one stream's events, one at a time.
final class EventMaker: Sendable {
    /// A document that was made for this stream, and perhaps could not be kept for others.
    private struct Prepared {
        let choice: DocumentChoice
        let event: CachedDocument
    }

    private let presentation: Presentation
    private let form: ResponseKey.Form
    private let prepared = Mutex<Prepared?>(nil)
    /// What is being made for it.
    private let awaited = Mutex<DocumentChoice?>(nil)

    init(_ presentation: Presentation, _ form: ResponseKey.Form) {
        self.presentation = presentation
        self.form = form
    }

    /// The event that brings a reader who has `since` to `version`.
    ///
    /// - Returns: `nil` while it is being made; the stream is woken after that.
    func event(
        _ version: Version,
        since: Token?,
        _ api: FeedAPI,
        _ waker: StreamWaker
    ) -> CachedDocument? {
        if let found = api.found(version, since: since, presentation, form) { return given(found) }
        let choice = api.choice(version, since: since, presentation)
        if let made = api.found(choice, form) ?? api.madeAtOnce(choice, form) { return given(made) }
        let prepared = self.prepared.withLock { prepared in
            defer { prepared = nil }
            return prepared
        }
        if let prepared, prepared.choice.isSame(as: choice) { return given(prepared.event) }
        // Those who wait for the same are each woken once, and nobody else.
        let isAwaited = awaited.withLock { awaited in
            if let awaited, awaited.isSame(as: choice) { return true }
            awaited = choice
            return false
        }
        if isAwaited { return nil }
        api.makeEvent(choice, form) { made in
            self.prepared.withLock { $0 = Prepared(choice: choice, event: made) }
            waker()
        }
        return nil
    }

    private func given(_ document: CachedDocument) -> CachedDocument {
        awaited.withLock { $0 = nil }
        return document
    }
}
