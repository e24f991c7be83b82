import FeedAPI
import FeedModel

/// A subscription that is not wanted any more: its hub is asked to end it (W3C WebSub §5.1).
struct PushEnding: Sendable {
    let push: PushSubscription
    /// The settings of the source that the subscription was for.
    let settings: SourceSettings
    var isAsked = false
}

/// Subscriptions to the hubs of sources.
extension SourceTable {
    /// The shortest time between fetches that pushes cause, in seconds: a hub can push as often as
    /// it likes.
    private static let pushPause = 10

    /// The most subscriptions that hubs are asked for at a time, and the most that they are asked
    /// to end at once.
    private static let askingLimit = 4

    /// Sets the start of the addresses of callbacks; `nil`: there are no subscriptions.
    mutating func setCallbackBase(_ base: String?) {
        callbackBase = base
        for feed in entries.keys { renewSubscription(of: feed) }
    }

    /// Makes, keeps or drops a source's subscription, as its document and the settings say now.
    mutating func renewSubscription(of feed: FeedName) {
        guard let entry = entries[feed] else { return }
        let state = entry.state
        let old = state.push
        guard isFetching else {
            // Only the server that fetches makes subscriptions; the others just know their ids.
            if let old { subscribers[old.id] = feed }
            return
        }
        var push: PushSubscription?
        if let base = callbackBase, entry.settings.isSubscribing, let hub = state.hub {
            let topic = state.topic ?? state.address
            let isSame =
                old.map { $0.hub == hub && $0.topic == topic && $0.callback == base + $0.id }
                ?? false
            if isSame {
                push = old
            } else {
                // The system's generator is one for secrets.
                let random = (0..<64).map { _ in UInt8.random(in: .min ... .max) }
                push = PushSubscription(hub: hub, topic: topic, base: base, random: random)
            }
        }
        if let old { subscribers[old.id] = nil }
        if old?.id != push?.id {
            endPush(of: entry)
            entries[feed]?.isToSubscribe = false
        }
        if let push { subscribers[push.id] = feed }
        entries[feed]?.state.push = push
    }

    /// The most subscriptions that are being ended.
    private static let endingLimit = 1000

    /// Adds a source's subscription to those that are to be ended, if a hub has verified it.
    mutating func endPush(of entry: Entry) {
        guard let push = entry.state.push, push.leaseEnd > 0,
            endings.count < SourceTable.endingLimit
        else { return }
        endings[push.id] = PushEnding(push: push, settings: entry.settings)
    }

    /// Returns the subscriptions that hubs are to be asked to end now, each once: leases end by
    /// themselves.
    mutating func dueEndings(now: Int) -> [PushEnding] {
        guard !isStopped, isFetching, !endings.isEmpty else { return [] }
        endings = endings.filter { $0.value.push.isActive(now: now) }
        let due = endings.values.filter { !$0.isAsked }.prefix(SourceTable.askingLimit)
        for ending in due { endings[ending.push.id]?.isAsked = true }
        return Array(due)
    }

    /// Returns the subscriptions that hubs are to be asked for now, and marks them as asked for.
    mutating func dueSubscriptions(
        now: Int
    ) -> [(feed: FeedName, push: PushSubscription, settings: SourceSettings)] {
        guard !isStopped, isFetching, !subscribers.isEmpty else { return [] }
        // This is called after each fetch: entries that wait for their time are neither searched by
        // name nor copied.
        let waiting = entries.indices.filter { index in
            entries.values[index].isToSubscribe
                || entries.values[index].state.push?.isDue(now: now) ?? false
        }.map { entries.keys[$0] }
        var due: [(FeedName, PushSubscription, SourceSettings)] = []
        for feed in waiting.sorted() {
            guard asking.count < SourceTable.askingLimit else { break }
            guard var entry = entries[feed], let push = entry.state.push, !asking.contains(feed)
            else { continue }
            if !entry.isToSubscribe {
                entry.state.push?.begin(now: now)
                (entry.isToSubscribe, entry.subscribingKept) = (true, nil)
                if isShared { (needsWrite, isWriteUrgent) = (true, true) }
            }
            // The hub's verification may reach another server, which knows of the request once it
            // is stored.
            let isKnown = !isShared || entry.subscribingKept.map { $0 < now } ?? false
            if isKnown {
                entry.isToSubscribe = false
                asking.insert(feed)
                due.append((feed, push, entry.settings))
            }
            entries[feed] = entry
        }
        return due
    }

    /// Records that a request to a hub has ended, with its failure in words; `nil`: it has
    /// succeeded.
    mutating func endAsking(_ feed: FeedName, hub: String, failure: String?) {
        asking.remove(feed)
        guard let failure, entries[feed]?.state.push?.hub == hub else { return }
        entries[feed]?.state.push?.fail(failure)
        needsWrite = true
    }

    mutating func verify(_ id: String, _ question: SourceHubQuestion, now: Int) -> Bool {
        guard let feed = subscribers[id] else {
            let isEnding =
                question.mode == "unsubscribe" && endings[id]?.push.topic == question.topic
            if isEnding { endings[id] = nil }
            return isEnding
        }
        needsWrite = true
        return entries[feed]?.state.push?.verify(question, now: now) ?? false
    }

    /// Returns the secret that the pushes to an address are signed with.
    func secret(of id: String) -> String? {
        subscribers[id].flatMap { entries[$0]?.state.push?.secret }
    }

    /// Has a source fetched soon, because its hub has pushed.
    mutating func receive(_ id: String, now: Int) {
        guard let feed = subscribers[id], var entry = entries[feed],
            entry.state.push?.isActive(now: now) == true
        else { return }
        entry.state.push?.receive(now: now)
        entry.hasPush = true
        if !entry.isRunning { entry.next = nextAfterPush(entry, now) }
        entries[feed] = entry
        needsWrite = true
    }

    /// Returns the time, in seconds since 1970, at which a source is fetched after a push.
    func nextAfterPush(_ entry: Entry, _ now: Int) -> Int {
        let earliest = max(now, entry.pushFetched + SourceTable.pushPause, entry.state.pausedUntil)
        return min(entry.next ?? .max, earliest)
    }
}
