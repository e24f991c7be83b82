import FeedStore

/// What is known of a source, kept over restarts.
package struct SourceState: Codable, Sendable, Equatable {
    /// The address that this is about; another one in the configuration starts anew.
    package var address: String

    /// Validators, as they came (RFC 9110 §8.8), and when they were first seen: seconds since 1970.
    var eTag: [UInt8]?
    var lastModified: [UInt8]?
    var validatorsSince = 0
    /// The SHA-256 of the last document and of what reading it depends on.
    var digest: String?

    /// The version that it was published as: of another one nothing is known.
    var token: String?

    /// Where permanent redirects led, and since when; believed after ``SourceFetch/trustDays``.
    var movedTo: String?
    var movedSince = 0

    /// When the source was last read, or said that it is the same.
    package var succeeded = 0
    /// When it last had something new.
    package var changed = 0
    /// What went wrong the last time; `nil`: nothing.
    package var error: String?
    /// What kind of failure that was: ``SourceFailure/Reason``.
    var reason: String?
    package var failureCount = 0
    /// What was odd about its last document, in words; `nil`: nothing.
    package var notes: [String]?
    /// How many of these failures were pauses of its host; `nil`: none.
    var pauseCount: Int?
    /// The failures that say something of the source itself.
    var ownFailureCount: Int { failureCount - (pauseCount ?? 0) }
    /// Since when it is gone for good: it has answered nothing but `410`; 0: it is not.
    var goneSince = 0
    /// Whether its last document had no entries, which is believed when it says so again.
    var isEmptied: Bool?
    /// How many tries in a row the feed's guard has refused, and when the first of them was; `nil`:
    /// none.
    var refusedCount: Int?
    var refusedSince: Int?
    /// Before which its publisher wants no request (Retry-After).
    var pausedUntil = 0
    /// When it is tried next.
    package var nextTry = 0

    /// How long its publisher asks to wait, in seconds.
    var asked: Int?
    /// How often new entries have come of late, in seconds.
    var rhythm: Int?
    /// The newest times that the document and its transport said of themselves.
    var newest = 0

    /// Its hub, and what is subscribed to there; `nil` where it names none.
    var hub: String?
    var topic: String?
    /// The subscription there.
    var push: PushSubscription?

    /// How many tries the feed's guard refuses before one is believed, and for how many seconds.
    private static let (refusals, refusalTime) = (3, 3600)

    /// Which removals the feed's guard lets through: what a source has said that often and for that
    /// long is believed.
    func allowance(now: Int) -> RemovalGuard.Allowance {
        guard let refusedCount, let refusedSince else { return .guarded }
        let isBelieved =
            refusedCount + 1 >= SourceState.refusals
            && now - refusedSince >= SourceState.refusalTime
        return isBelieved ? .nonempty : .guarded
    }

    package init(address: String) { self.address = address }

    /// Whether all numbers are such that they can be counted with: those of a damaged file may not
    /// be.
    var isSound: Bool {
        let numbers = [
            validatorsSince, movedSince, succeeded, changed, failureCount, goneSince, pausedUntil,
            nextTry, asked ?? 0, rhythm ?? 0, newest, refusedCount ?? 0, refusedSince ?? 0,
        ]
        return (numbers + (push?.numbers ?? [])).allSatisfy(SourceState.bounds.contains)
    }

    /// Seconds and counts: up to the end of the year 9999, as far to the other side.
    private static let bounds = -253_402_300_799...253_402_300_799
}
