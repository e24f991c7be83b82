import Dispatch
import FeedModel
import FeedStore
import Synchronization

/// A journal that other servers seem to write to: it keeps nothing, and says of each entry what it
/// was told to.
final class ScriptedJournal: SharedJournal {
    private struct State {
        var outcomes: [[JournalOutcome]]
        var count = 0
        var elsewhere: JournalAnswer?
    }

    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "freshet.journal.scripted")
    private let appended: @Sendable (_ count: Int, JournalEntry) -> Void

    /// - Parameters:
    ///   - outcomes: What is said of each entry; of those after them, that they are kept.
    ///   - appended: Called before anything is said of an entry, with how many there were.
    init(
        _ outcomes: [[JournalOutcome]],
        appended: @escaping @Sendable (_ count: Int, JournalEntry) -> Void = { _, _ in }
    ) {
        state = Mutex(State(outcomes: outcomes))
        self.appended = appended
    }

    /// How many entries were appended.
    var count: Int { state.withLock(\.count) }

    /// What is found of any request with an Idempotency-Key.
    var elsewhere: JournalAnswer? {
        get { state.withLock(\.elsewhere) }
        set { state.withLock { $0.elsewhere = newValue } }
    }

    var trouble: String? { nil }
    var cutOffTime: Duration? { nil }

    func append(_ entry: JournalEntry, decided: @escaping @Sendable (JournalOutcome) -> Void) {
        queue.async {
            let (count, outcomes) = self.state.withLock { state in
                state.count += 1
                let outcomes =
                    state.outcomes.isEmpty ? [.durable] : state.outcomes.removeFirst()
                return (state.count, outcomes)
            }
            self.appended(count, entry)
            for outcome in outcomes { decided(outcome) }
        }
    }

    func findKept(
        _ query: KeptQuery,
        of feed: FeedName,
        epoch: String,
        completion: @escaping @Sendable (Result<[KeptVersion], JournalError>) -> Void
    ) {
        queue.async { completion(.success([])) }
    }

    func forget(
        _ order: ForgetOrder,
        completion: @escaping @Sendable (JournalOutcome) -> Void
    ) {
        queue.async { completion(.durable) }
    }

    /// Returns when everything was said.
    func close() { queue.sync {} }

    func findAnswer(
        owner: [UInt8],
        key: [UInt8],
        completion: @escaping @Sendable (Result<JournalAnswer?, JournalError>) -> Void
    ) {
        queue.async { completion(.success(self.elsewhere)) }
    }

    func recover(_ body: (RecoveredFeed) -> Void) throws(JournalError) -> RecoveredState {
        RecoveredState()
    }

    func follow(
        _ receive: @escaping @Sendable (RemoteChange) -> Void,
        reconnected: @escaping @Sendable () -> Void
    ) {}

    func catchUp(_ feeds: [FeedName], completion: @escaping @Sendable (Bool) -> Void) {
        completion(true)
    }

    func lead(_ change: @escaping @Sendable (LeadershipEvent) -> Void) {}
    func tellLeader(_ words: String) {}
    func keep(_ states: SourceStates, completion: @escaping @Sendable (Bool) -> Void) {
        queue.async { completion(true) }
    }
}
