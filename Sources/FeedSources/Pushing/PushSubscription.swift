/// A subscription to the hub of a source (W3C WebSub), as a value: no clock and no network in here.
package struct PushSubscription: Codable, Sendable, Equatable {
    /// For how long a hub is asked to push, in seconds; it may say less, or up to ``leaseCeiling``.
    static let askedLease = 10 * 86_400
    static let leaseCeiling = 14 * 86_400
    /// No hub can make a server subscribe more often, in seconds.
    static let renewalFloor = 600
    /// For how long a hub may verify what it was asked for.
    static let verificationTime = 86_400
    /// After a request that failed, or that no hub has verified; doubled each time.
    static let pause = 3600
    static let pauseCeiling = 86_400
    /// After so many changes in a row that were not pushed, a hub is not relied on.
    static let missedLimit = 3

    /// Where it is asked for.
    package let hub: String
    /// What is subscribed to.
    let topic: String
    /// The last part of the callback's address, which nobody can guess (W3C WebSub §8.1).
    let id: String
    /// Where pushes come in.
    let callback: String
    /// What pushes are signed with (`hub.secret`).
    let secret: String

    /// When it was asked for last, seconds since 1970; 0: never.
    private(set) var asked = 0
    /// When it is to be asked for next.
    private(set) var nextTry = 0
    private(set) var failureCount = 0
    /// What went wrong the last time; `nil`: nothing.
    package private(set) var error: String?
    /// From when, and until when the hub pushes; 0: it was not verified.
    private(set) var leaseStart = 0
    package private(set) var leaseEnd = 0
    /// When something was pushed last; 0: never.
    package private(set) var pushed = 0
    /// Changes in a row that were found though they were not pushed.
    package private(set) var missedCount = 0

    /// - Parameters:
    ///   - base: What addresses of callbacks begin with.
    ///   - random: 64 random bytes, of a generator for secrets.
    init(hub: String, topic: String, base: String, random: [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        let text = String(
            decoding: random.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self
        )
        self.hub = hub
        self.topic = topic
        id = String(text.prefix(48))
        // At most 199 bytes (W3C WebSub §5.1).
        secret = String(text.dropFirst(48).prefix(64))
        callback = base + id
    }

    /// The numbers in it.
    var numbers: [Int] {
        [asked, nextTry, failureCount, leaseStart, leaseEnd, pushed, missedCount]
    }

    /// Whether the hub is to be asked now.
    func isDue(now: Int) -> Bool { nextTry <= now }

    func isActive(now: Int) -> Bool { now < leaseEnd }

    /// Whether polls may come later, since changes are pushed.
    func isReliable(now: Int) -> Bool {
        isActive(now: now) && missedCount < PushSubscription.missedLimit
    }

    /// The form that asks for it (W3C WebSub §5.1).
    var form: String {
        PushSubscription.form([
            ("hub.mode", "subscribe"), ("hub.topic", topic), ("hub.callback", callback),
            ("hub.lease_seconds", String(PushSubscription.askedLease)), ("hub.secret", secret),
        ])
    }

    /// The form that asks for its end.
    var endingForm: String {
        PushSubscription.form([
            ("hub.mode", "unsubscribe"), ("hub.topic", topic), ("hub.callback", callback),
        ])
    }

    private static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\($0)=\(percentEncoded($1))" }.joined(separator: "&")
    }

    private static func percentEncoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            let isPlain =
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-._~".utf8.contains(byte)
            if isPlain {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}

/// What happens to it.
extension PushSubscription {
    /// The hub is asked now; unless it verifies, it is asked again later.
    mutating func begin(now: Int) {
        asked = now
        failureCount += 1
        nextTry = now + pause
    }

    private var pause: Int {
        let doublings = min(max(failureCount, 1) - 1, 8)
        return min(PushSubscription.pause << doublings, PushSubscription.pauseCeiling)
    }

    /// The hub was asked in vain.
    mutating func fail(_ words: String) { error = words }

    /// The hub asks whether it was asked (W3C WebSub §5.3).
    ///
    /// - Returns: Whether it was.
    mutating func verify(_ question: PushQuestion, now: Int) -> Bool {
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
            let reason = question.reason.map { ": \($0.prefix(200))" } ?? ""
            error = "the hub denied it\(reason)"
            (leaseEnd, nextTry) = (0, now + PushSubscription.pauseCeiling)
            return true
        default:
            // What is to end is a subscription no more.
            return false
        }
    }

    /// A push has come, with a signature that is right.
    mutating func receive(now: Int) { (pushed, missedCount) = (now, 0) }

    /// The clock was put back: what is to come is so many seconds earlier, what was not later than
    /// now.
    mutating func putBack(by seconds: Int, to now: Int) {
        (nextTry, leaseEnd) = (max(0, nextTry - seconds), max(0, leaseEnd - seconds))
        (asked, leaseStart, pushed) = (min(asked, now), min(leaseStart, now), min(pushed, now))
    }

    /// A change was found by a poll.
    ///
    /// - Parameter before: When the poll before it was.
    mutating func miss(since before: Int, now: Int) {
        // What changed before the hub pushed, or was pushed a moment ago, is no fault of its.
        if isActive(now: now), before >= leaseStart, pushed < before { missedCount += 1 }
    }
}

/// What a hub asks of a subscriber.
package struct PushQuestion: Sendable {
    package var mode: String
    package var topic: String
    package var leaseSeconds: Int?
    package var reason: String?

    package init(mode: String, topic: String) {
        self.mode = mode
        self.topic = topic
    }
}
