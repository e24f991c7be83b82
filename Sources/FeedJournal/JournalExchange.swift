import Dispatch
package import FeedModel
package import FeedStore
import Synchronization

/// The requests of other threads to a journal's worker.
struct JournalInbox {
    /// A request about older versions that are kept.
    enum KeptRequest {
        case find(
            KeptQuery,
            FeedName,
            epoch: String,
            @Sendable (Result<[KeptVersion], JournalError>) -> Void
        )
        case forget(ForgetOrder, @Sendable (JournalOutcome) -> Void)
    }

    /// A question of a server that shares the journal: whether there are newer versions.
    struct Question {
        let feeds: [FeedName]
        let completion: @Sendable (Bool) -> Void
    }

    /// A search of a server that shares the journal for a kept answer.
    struct Search {
        let owner: [UInt8]
        let key: [UInt8]
        let completion: @Sendable (Result<JournalAnswer?, JournalError>) -> Void
    }

    /// The states of sources that wait to be kept, with those who wait for that.
    struct States {
        private(set) var states: SourceStates = [:]
        private var completions: [@Sendable (Bool) -> Void] = []

        var isEmpty: Bool { completions.isEmpty }

        /// Adds states, which replace earlier ones of their names.
        mutating func add(
            _ other: SourceStates,
            _ completion: @escaping @Sendable (Bool) -> Void
        ) {
            states.merge(other) { $1 }
            completions.append(completion)
        }

        /// Calls the completions with whether the states are kept.
        func tell(_ areKept: Bool) {
            for completion in completions { completion(areKept) }
        }
    }

    var items: [JournalBatch.Item] = []
    var states = States()
    var keptRequests: [KeptRequest] = []
    var compactions: [Compaction] = []
    var questions: [Question] = []
    var searches: [Search] = []
    /// The words for the server that leads.
    var words: [String] = []
    var isClosed = false

    var isEmpty: Bool {
        items.isEmpty && states.isEmpty && keptRequests.isEmpty && compactions.isEmpty
            && questions.isEmpty && searches.isEmpty && words.isEmpty
    }

    /// Takes all requests, but at most so many entries.
    mutating func take(atMost limit: Int) -> JournalInbox {
        var taken = self
        self = JournalInbox()
        isClosed = taken.isClosed
        if taken.items.count > limit {
            items = Array(taken.items[limit...])
            taken.items.removeLast(items.count)
        }
        return taken
    }
}

/// A journal's exchange with other threads, which put their requests in line and are told the
/// outcomes in order.
package final class JournalExchange: Sendable {
    let inbox = Mutex(JournalInbox())
    /// The queue that calls completions, in order, while the next batch is written.
    let telling: DispatchQueue
    let compacting: DispatchQueue

    /// Makes the exchange of a journal.
    ///
    /// - Parameter label: The start of the labels of its queues.
    init(_ label: String) {
        telling = DispatchQueue(label: "\(label).decided", qos: .userInitiated)
        compacting = DispatchQueue(label: "\(label).compaction", qos: .utility)
    }
}

/// A journal whose worker takes requests from an inbox.
package protocol ExchangingJournal: Journal {
    /// The requests, and the outcomes.
    var exchange: JournalExchange { get }

    /// Has the worker take the requests; called when there is a first one.
    func wake()
}

/// The requests.
extension ExchangingJournal {
    package func append(
        _ entry: JournalEntry,
        decided: @escaping @Sendable (JournalOutcome) -> Void
    ) {
        let item = JournalBatch.Item(entry: entry, decided: decided)
        guard post({ $0.items.append(item) }) else {
            return afterwards { decided(.refused(Self.stopping.description)) }
        }
    }

    package func keep(_ states: SourceStates, completion: @escaping @Sendable (Bool) -> Void) {
        guard post({ $0.states.add(states, completion) }) else {
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

    /// Has images made of feeds with many changes, which the worker then writes.
    func compact(_ plans: [Compaction.Plan]) {
        for plan in plans {
            exchange.compacting.async {
                let compaction = Compaction(plan)
                _ = self.post { $0.compactions.append(compaction) }
            }
        }
    }

    /// Puts something in the inbox.
    ///
    /// - Returns: Whether it was taken.
    func post(_ put: (inout JournalInbox) -> Void) -> Bool {
        let wasEmpty = exchange.inbox.withLock { inbox -> Bool? in
            guard !inbox.isClosed else { return nil }
            defer { put(&inbox) }
            return inbox.isEmpty
        }
        if wasEmpty == true { wake() }
        return wasEmpty != nil
    }

    /// Takes the requests from the inbox, but at most so many entries; the rest wakes the worker
    /// again.
    func takeInbox(atMost limit: Int) -> JournalInbox {
        let (taken, isLeft) = exchange.inbox.withLock { inbox in
            let taken = inbox.take(atMost: limit)
            return (taken, !inbox.isEmpty)
        }
        if isLeft { wake() }
        return taken
    }

    /// Refuses requests from now on.
    func closeInbox() { exchange.inbox.withLock { $0.isClosed = true } }

    /// Whether the journal is being closed.
    var isClosing: Bool { exchange.inbox.withLock(\.isClosed) }

    /// The number of entries that wait for the next transaction.
    var waitingCount: Int { exchange.inbox.withLock(\.items.count) }

    /// The error of requests that come too late.
    static var stopping: JournalError { JournalError("the server is stopping") }
}

/// The outcomes.
extension ExchangingJournal {
    /// Calls the completions of entries with their outcome.
    func tell(_ items: [JournalBatch.Item], _ outcome: JournalOutcome) {
        guard !items.isEmpty else { return }
        afterwards {
            for item in items { item.decided(outcome) }
        }
    }

    /// Tells those who asked about kept versions that there is no answer.
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

    /// Calls `body` after all that was told before.
    func afterwards(_ body: @escaping @Sendable () -> Void) {
        exchange.telling.async(execute: body)
    }

    /// Waits until all waiting callers are told.
    func finishTelling() { exchange.telling.sync {} }
}
