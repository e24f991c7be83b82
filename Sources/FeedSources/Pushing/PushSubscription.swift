import FeedAPI
import FeedModel

/// A subscription to the hub of a source (W3C WebSub), as a value: no clock and no network in here.
package struct PushSubscription: Codable, Sendable, Equatable {
    /// The lease that a hub is asked for, in seconds; it may grant less, or more up to
    /// ``leaseCeiling``.
    static let askedLease = 10 * 86_400
    static let leaseCeiling = 14 * 86_400
    /// The shortest time from a verification to the next request, in seconds, however short the
    /// lease is.
    static let renewalFloor = 600
    /// The seconds after a request in which a hub may verify it.
    static let verificationTime = 86_400
    /// The wait after a request that failed, or that no hub has verified, in seconds; it doubles
    /// each time, up to ``pauseCeiling``.
    static let pause = 3600
    static let pauseCeiling = 86_400
    /// The number of changes in a row without a push after which polls are not slowed down any
    /// more.
    static let missedLimit = 3

    /// The hub's address, where the subscription is asked for.
    package let hub: String
    /// The address of the topic that is subscribed to.
    let topic: String
    /// The last part of the callback's address, which cannot be guessed (W3C WebSub §8.1).
    let id: String
    /// The address that the hub sends pushes to.
    let callback: String
    /// The secret that pushes are signed with (`hub.secret`).
    let secret: String

    /// The time at which the hub was last asked for the subscription, in seconds since 1970; 0:
    /// never.
    private(set) var asked = 0
    /// The time at which the hub is to be asked for the subscription next.
    private(set) var nextTry = 0
    private(set) var failureCount = 0
    /// The last failure of a request, or the hub's denial, in words; `nil`: none since the hub
    /// verified.
    package private(set) var error: String?
    /// The start and the end of the hub's lease; 0: the subscription was not verified.
    private(set) var leaseStart = 0
    package private(set) var leaseEnd = 0
    /// The time of the hub's last push; 0: never.
    package private(set) var pushed = 0
    /// The number of changes in a row that polls have found though they were not pushed.
    package private(set) var missedCount = 0

    /// - Parameters:
    ///   - base: The start of the addresses of callbacks.
    ///   - random: 64 random bytes, from a generator for secrets.
    init(hub: String, topic: String, base: String, random: [UInt8]) {
        let text = random.hexadecimal
        self.hub = hub
        self.topic = topic
        id = String(text.prefix(48))
        // At most 199 bytes (W3C WebSub §5.1).
        secret = String(text.dropFirst(48).prefix(64))
        callback = base + id
    }

    /// All numbers of the subscription, for a check of their range.
    var numbers: [Int] {
        [asked, nextTry, failureCount, leaseStart, leaseEnd, pushed, missedCount]
    }

    /// Returns whether the hub is to be asked now.
    func isDue(now: Int) -> Bool { nextTry <= now }

    func isActive(now: Int) -> Bool { now < leaseEnd }

    /// Returns whether another state of the subscription has the same last request to the hub.
    func isSameRequest(as other: PushSubscription) -> Bool {
        id == other.id && asked == other.asked
    }

    /// Returns whether polls may come later, since changes are pushed.
    func isReliable(now: Int) -> Bool {
        isActive(now: now) && missedCount < PushSubscription.missedLimit
    }

    /// The form that asks for the subscription (W3C WebSub §5.1).
    var form: String {
        PushSubscription.form([
            ("hub.mode", "subscribe"), ("hub.topic", topic), ("hub.callback", callback),
            ("hub.lease_seconds", String(PushSubscription.askedLease)), ("hub.secret", secret),
        ])
    }

    /// The form that asks for the end of the subscription.
    var endingForm: String {
        PushSubscription.form([
            ("hub.mode", "unsubscribe"), ("hub.topic", topic), ("hub.callback", callback),
        ])
    }

    private static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\($0)=\($1.percentEncoded)" }.joined(separator: "&")
    }
}

/// Handles the events of a subscription.
extension PushSubscription {
    /// Takes note that the hub is asked now; unless it verifies the subscription, it is asked again
    /// later.
    mutating func begin(now: Int) {
        asked = now
        failureCount += 1
        nextTry = now + pause
    }

    private var pause: Int {
        let doublings = min(max(failureCount, 1) - 1, 8)
        return min(PushSubscription.pause << doublings, PushSubscription.pauseCeiling)
    }

    /// Takes note that a request to the hub has failed.
    mutating func fail(_ words: String) { error = words }

    /// Answers the hub's verification request (W3C WebSub §5.3), and returns whether to confirm it;
    /// it is then about this subscription.
    mutating func verify(_ question: SourceHubQuestion, now: Int) -> Bool {
        guard question.topic == topic else { return false }
        switch question.mode {
        case "subscribe":
            guard asked > 0, now - asked <= PushSubscription.verificationTime else { return false }
            let asking = question.leaseSeconds ?? PushSubscription.askedLease
            let lease = min(max(asking, 1), PushSubscription.leaseCeiling)
            if !isActive(now: now) { (leaseStart, missedCount) = (now, 0) }
            leaseEnd = now + lease
            nextTry = now + max(lease / 3 * 2, PushSubscription.renewalFloor)
            (failureCount, error) = (0, nil)
            return true
        case "denied":
            let reason = question.reason.map { ": \($0)" } ?? ""
            error = "the hub denied it\(reason)"
            (leaseEnd, nextTry) = (0, now + PushSubscription.pauseCeiling)
            return true
        default:
            // A subscription that is to end is in the table's list of endings, and not here.
            return false
        }
    }

    /// Takes note of a push with the right signature.
    mutating func receive(now: Int) { (pushed, missedCount) = (now, 0) }

    /// Corrects the times after the clock was put back: future times become so many seconds
    /// earlier, and past times no later than now.
    mutating func putBack(by seconds: Int, to now: Int) {
        (nextTry, leaseEnd) = (max(0, nextTry - seconds), max(0, leaseEnd - seconds))
        (asked, leaseStart, pushed) = (min(asked, now), min(leaseStart, now), min(pushed, now))
    }

    /// Takes note that a poll has found a change.
    ///
    /// - Parameter before: The time of the poll before that one.
    mutating func miss(since before: Int, now: Int) {
        // A change from before the lease, or one pushed since the poll before, is not the hub's
        // fault.
        if isActive(now: now), before >= leaseStart, pushed < before { missedCount += 1 }
    }
}
