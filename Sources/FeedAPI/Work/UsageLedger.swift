import FeedModel
import Glibc

/// Processor time that was used of late, by whom and for which feed.
///
/// Use counts half after ``halfLife``, so an account that has used nothing since starts afresh. All
/// use decays alike, so an account that has used more than another stays ahead. Use therefore is
/// kept as a level that does not decay, and changes only when the use has grown by some per cent.
struct UsageLedger {
    /// Who or what uses processor time.
    enum Account: Hashable, Sendable {
        case client(ClientID)
        case feed(FeedName)
    }

    private struct Usage {
        var nanoseconds: Double
        var time: Duration
        /// `nil`: as good as none.
        var level: Int?
    }

    private var usages: [Account: Usage] = [:]
    /// When each is as good as none.
    private var ends = IndexedHeap<Account, Duration>()
    /// When each is forgotten.
    private var last = IndexedHeap<Account, Duration>()

    /// After which use counts half.
    static let halfLife = Duration.seconds(4)
    /// How many are remembered before those that used least are forgotten.
    private static let countLimit = 8192
    /// Less is as good as none, in nanoseconds; it adds up all the same.
    static let least = 100_000.0
    /// Less is forgotten.
    private static let nothing = 1_000.0
    /// The levels between some use and its double.
    private static let steps = 16.0

    /// The level of what an account has used; `nil`: as good as none.
    func level(of account: Account) -> Int? { usages[account]?.level }

    /// Notes what was used.
    ///
    /// - Returns: Whether the level is another one.
    mutating func charge(_ nanoseconds: Int, to account: Account, at now: Duration) -> Bool {
        let old = usages[account]
        let before = old.map { $0.nanoseconds * exp2(-max(0, (now - $0.time) / Self.halfLife)) }
        let value = (before ?? 0) + Double(max(0, nanoseconds))
        guard value >= Self.nothing else { return false }
        let level = value < Self.least ? nil : Self.level(value, at: now)
        usages[account] = Usage(nanoseconds: value, time: now, level: level)
        last.set(account, now + Self.halfLife * log2(value / Self.nothing))
        if level == nil {
            ends.remove(account)
        } else {
            ends.set(account, now + Self.halfLife * log2(value / Self.least))
        }
        return level != old?.level
    }

    /// Forgets what is over.
    ///
    /// - Returns: The accounts whose use is as good as none from now on.
    mutating func settle(at now: Duration) -> [Account] {
        var settled: [Account] = []
        while let end = ends.first, end.key <= now {
            ends.remove(end.element)
            usages[end.element]?.level = nil
            settled.append(end.element)
        }
        while let end = last.first, end.key <= now || usages.count > Self.countLimit {
            last.remove(end.element)
            ends.remove(end.element)
            if usages.removeValue(forKey: end.element)?.level != nil { settled.append(end.element) }
        }
        return settled
    }

    private static func level(_ nanoseconds: Double, at time: Duration) -> Int {
        Int(((log2(nanoseconds) + time / halfLife) * steps).rounded(.up))
    }

    /// Returns the sum of several uses, as a level that need not be whole.
    static func sum(_ levels: [Int?]) -> Double {
        levels.compactMap(\.self).map(Double.init).reduce(-.infinity) { sum, level in
            let (high, low) = (max(sum, level), min(sum, level))
            return high + steps * log2(1 + exp2((low - high) / steps))
        }
    }

    /// The use at some time that a level stands for, in nanoseconds.
    static func nanoseconds(_ level: Double, at time: Duration) -> Double {
        exp2(level / steps - time / halfLife)
    }
}
