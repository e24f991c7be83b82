import Dispatch
package import FeedModel
package import FeedStore
import Synchronization

/// The requests of other threads that a journal's worker has not taken yet.
struct JournalInbox {
    /// An entry, with its completion.
    struct Item: Sendable {
        let entry: JournalEntry
        let decided: @Sendable (JournalOutcome) -> Void
    }

    /// A request about the older versions that a feed can be taken back to.
    enum KeptRequest {
        case find(
            KeptQuery,
            FeedName,
            epoch: String,
            @Sendable (Result<[KeptVersion], JournalError>) -> Void
        )
        case forget(ForgetOrder, @Sendable (JournalOutcome) -> Void)
    }

    /// A request to look now for versions that other servers made.
    ///
    /// The completion gets whether the database answered.
    typealias Question = (feeds: [FeedName], completion: @Sendable (Bool) -> Void)

    /// A search for the response to an earlier request with the same Idempotency-Key, which another
    /// server may have carried out.
    typealias Search = (
        owner: [UInt8], key: [UInt8],
        completion: @Sendable (Result<JournalAnswer?, JournalError>) -> Void
    )

    /// States of sources to write.
    ///
    /// The completion gets whether they were written.
    typealias StateChange = (states: SourceStates, completion: @Sendable (Bool) -> Void)

    var items: [Item] = []
    var stateChanges: [StateChange] = []
    var keptRequests: [KeptRequest] = []
    var compactions: [Compaction] = []
    var questions: [Question] = []
    var searches: [Search] = []
    /// The texts to send to the server that leads.
    var words: [String] = []
    var isClosed = false
    /// Whether no request has arrived since all were taken.
    var isEmpty = true

    /// The states of sources to write.
    var states: SourceStates {
        // Each replaces an earlier one of its name.
        stateChanges.reduce(into: [:]) { states, change in states.merge(change.states) { $1 } }
    }

    /// Removes and returns all requests of a kind.
    mutating func take<Request>(_ kind: WritableKeyPath<JournalInbox, [Request]>) -> [Request] {
        defer { self[keyPath: kind] = [] }
        return self[keyPath: kind]
    }

    /// Removes and returns all requests, but at most `limit` entries.
    mutating func take(atMost limit: Int) -> JournalInbox {
        var taken = self
        self = JournalInbox()
        isClosed = taken.isClosed
        if taken.items.count > limit {
            isEmpty = false
            items = Array(taken.items[limit...])
            taken.items.removeLast(items.count)
        }
        return taken
    }
}

/// The reasons why a journal cannot keep entries at the moment.
struct JournalTrouble {
    /// The reason why nothing can be written; `nil` while entries can be.
    var reason: String?
    /// The last refusal of single entries, with its time.
    var refusal: (time: ContinuousClock.Instant, reason: String)?

    /// The reason that counts now; `nil`: none.
    ///
    /// A refusal counts for ten seconds: on a full disk, small entries may fit where large ones do
    /// not.
    var current: String? {
        if let reason { return reason }
        guard let refusal, .now - refusal.time < .seconds(10) else { return nil }
        return refusal.reason
    }
}

/// The counts of a journal's work so far.
package struct JournalCounts: Sendable, Equatable {
    /// The number of transactions; each was synced once.
    package var transactions = 0
    /// The number of entries in the transactions.
    package var entries = 0
    /// The number of times that the file was reopened, or the database reconnected, after a
    /// failure.
    package var reopenings = 0
    /// The number of times that a write failed, or the connection to the database was lost.
    package var failures = 0
}

/// The exchange between a journal's worker and other threads: requests go in through the inbox,
/// completions are called in order, and the worker's state can be read.
package final class JournalExchange: Sendable {
    let inbox = Mutex(JournalInbox())
    let trouble = Mutex(JournalTrouble())
    let counts = Mutex(JournalCounts())
    /// The serial queue that calls completions, so that the worker can write the next batch
    /// meanwhile.
    let completionQueue: DispatchQueue
    /// The queue that makes the records of compactions.
    let compacting: DispatchQueue

    /// - Parameter label: The prefix of the queues' labels.
    init(_ label: String) {
        completionQueue = DispatchQueue(label: "\(label).decided", qos: .userInitiated)
        compacting = DispatchQueue(label: "\(label).compaction", qos: .utility)
    }
}

/// A journal whose worker takes requests from an inbox.
package protocol ExchangingJournal: Journal {
    /// The inbox, and the queue of completions.
    var exchange: JournalExchange { get }

    /// Wakes the worker; called when a request arrives in an empty inbox.
    func wake()
}

/// Reports the worker's state.
extension ExchangingJournal {
    package var trouble: String? { exchange.trouble.withLock(\.current) }

    /// The counts of the journal's work so far.
    package var counters: JournalCounts { exchange.counts.withLock(\.self) }
}

/// Passes requests to the worker.
extension ExchangingJournal {
    package func append(
        _ entry: JournalEntry,
        decided: @escaping @Sendable (JournalOutcome) -> Void
    ) {
        let item = JournalInbox.Item(entry: entry, decided: decided)
        guard post({ $0.items.append(item) }) else {
            return afterwards { decided(.refused(Self.stopping.description)) }
        }
    }

    package func keep(_ states: SourceStates, completion: @escaping @Sendable (Bool) -> Void) {
        guard post({ $0.stateChanges.append((states, completion)) }) else {
            return afterwards { completion(false) }
        }
    }

    package func findKept(
        _ query: KeptQuery,
        of feed: FeedName,
        epoch: String,
        completion: @escaping @Sendable (Result<[KeptVersion], JournalError>) -> Void
    ) {
        post(.find(query, feed, epoch: epoch, completion))
    }

    package func forget(
        _ order: ForgetOrder,
        completion: @escaping @Sendable (JournalOutcome) -> Void
    ) {
        post(.forget(order, completion))
    }

    private func post(_ request: JournalInbox.KeptRequest) {
        guard post({ $0.keptRequests.append(request) }) else {
            return refuse([request], Self.stopping.description)
        }
    }

    /// Makes the records of compactions on another queue, and then has the worker write them.
    func compact(_ plans: [Compaction.Plan]) {
        for plan in plans {
            exchange.compacting.async {
                let compaction = Compaction(plan)
                _ = self.post { $0.compactions.append(compaction) }
            }
        }
    }

    /// Adds a request to the inbox, and wakes the worker if the inbox was empty; returns `false`
    /// when the journal is being closed.
    func post(_ put: (inout JournalInbox) -> Void) -> Bool {
        let wasEmpty = exchange.inbox.withLock { inbox -> Bool? in
            guard !inbox.isClosed else { return nil }
            let wasEmpty = inbox.isEmpty
            put(&inbox)
            inbox.isEmpty = false
            return wasEmpty
        }
        if wasEmpty == true { wake() }
        return wasEmpty != nil
    }

    /// Takes all requests from the inbox, but at most `limit` entries.
    ///
    /// If some are left, the worker is woken again.
    func takeInbox(atMost limit: Int) -> JournalInbox {
        let (taken, isLeft) = exchange.inbox.withLock { inbox in
            let taken = inbox.take(atMost: limit)
            return (taken, !inbox.isEmpty)
        }
        if isLeft { wake() }
        return taken
    }

    /// Makes the inbox refuse further requests.
    func closeInbox() { exchange.inbox.withLock { $0.isClosed = true } }

    /// Whether the journal is being closed.
    var isClosing: Bool { exchange.inbox.withLock(\.isClosed) }

    /// The error of a request that comes after the journal was closed.
    static var stopping: JournalError { JournalError("the server is stopping") }
}

/// Reports the outcomes of entries.
extension ExchangingJournal {
    /// Calls the completions of entries with their outcome.
    func tell(_ items: [JournalInbox.Item], _ outcome: JournalOutcome) {
        guard !items.isEmpty else { return }
        afterwards {
            for item in items { item.decided(outcome) }
        }
    }

    /// Calls the completions of requests to keep states of sources.
    func tell(_ changes: [JournalInbox.StateChange], _ areKept: Bool) {
        guard !changes.isEmpty else { return }
        afterwards {
            for change in changes { change.completion(areKept) }
        }
    }

    /// Calls the completions of requests about kept versions with a failure.
    func refuse(_ requests: [JournalInbox.KeptRequest], _ reason: String) {
        for request in requests {
            afterwards {
                switch request {
                case .find(_, _, _, let completion): completion(.failure(JournalError(reason)))
                case .forget(_, let completion): completion(.refused(reason))
                }
            }
        }
    }

    /// Calls `body` after all completions that were queued before.
    func afterwards(_ body: @escaping @Sendable () -> Void) {
        exchange.completionQueue.async(execute: body)
    }

    /// Waits until all queued completions were called.
    func finishCompletions() { exchange.completionQueue.sync {} }
}
