import FeedModel
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
