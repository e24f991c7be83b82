import FeedModel
import Glibc

/// Processor time that was used of late, by whom and for which feed.
///
/// What was used counts half after ``halfLife``: who has waited since has a clean slate.
struct UsageLedger {
    private struct Usage {
        var nanoseconds: Double
        var time: Duration
    }

    private var clients: [ClientID: Usage] = [:]
    private var feeds: [FeedName: Usage] = [:]

    /// After which use counts half.
    static let halfLife = Duration.seconds(4)
    /// How many are remembered of each kind before those that used least are forgotten.
    private static let countLimit = 4096
    /// Less is as good as none, in nanoseconds.
    private static let least = 100_000.0

    /// What counts against work for `flow`, in nanoseconds: what its client has used, and what its
    /// feed has cost.
    ///
    /// The first keeps one client from taking all; the second keeps an attack on one feed, from
    /// however many addresses, from holding up the others.
    func score(of flow: WorkFlow, at now: Duration) -> Double {
        let client = clients[flow.client].map { UsageLedger.value($0, now) } ?? 0
        let feed = flow.feed.flatMap { feeds[$0] }.map { UsageLedger.value($0, now) } ?? 0
        return client + feed
    }

    /// Notes what work for `flow` has used.
    mutating func charge(_ nanoseconds: Int, to flow: WorkFlow, at now: Duration) {
        UsageLedger.add(nanoseconds, to: &clients, flow.client, now)
        if let feed = flow.feed { UsageLedger.add(nanoseconds, to: &feeds, feed, now) }
    }

    private static func add<Key: Hashable>(
        _ nanoseconds: Int,
        to usages: inout [Key: Usage],
        _ key: Key,
        _ now: Duration
    ) {
        let before = usages[key].map { value($0, now) } ?? 0
        usages[key] = Usage(nanoseconds: before + Double(nanoseconds), time: now)
        if usages.count > countLimit { prune(&usages, now) }
    }

    private static func prune<Key: Hashable>(_ usages: inout [Key: Usage], _ now: Duration) {
        let least = usages.values.map { value($0, now) }.sorted()[usages.count / 2]
        usages = usages.filter { value($0.value, now) > least }
    }

    private static func value(_ usage: Usage, _ now: Duration) -> Double {
        let value = usage.nanoseconds * exp2(-max(0, (now - usage.time) / halfLife))
        return value < least ? 0 : value
    }
}
