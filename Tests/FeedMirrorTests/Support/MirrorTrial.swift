import FeedJournal
import FeedModel
import FeedStore
import HTTPClient
import Synchronization
import Testing

@testable import FeedMirror

/// A mirror with its store, and all that it reports; ends with its last reference.
final class MirrorTrial: Sendable {
    private final class Notes: Sendable {
        let reports = Mutex<[String]>([])
        let pauses = Mutex<[Duration]>([])
        let readyCount = Atomic(0)
    }

    let store: FeedStore
    let mirror: Mirror
    private let notes = Notes()

    /// Makes a mirror that has not begun; its pauses between attempts take no time, and it takes no
    /// silence for an end.
    init(
        of origin: String,
        _ store: FeedStore = FeedStore(hasDates: false),
        following pattern: String = "*",
        configure: (inout Mirror.Settings) -> Void = { _ in }
    ) throws {
        let notes = notes
        var settings = Mirror.Settings(origin: origin, key: "a-key")
        settings.patterns = [try #require(FeedPattern(pattern))]
        settings.report = { report in notes.reports.withLock { $0.append(report) } }
        settings.pause = { duration in notes.pauses.withLock { $0.append(duration) } }
        // On a busy machine a test may say nothing for a while.
        settings.silence = .seconds(600)
        configure(&settings)
        self.store = store
        mirror = Mirror(settings, try HTTPClient(), store)
    }

    deinit { mirror.stop() }

    /// Begins to follow; `ready` is called when the store has all feeds.
    func start(ready: @escaping @Sendable () -> Void = {}) {
        let notes = notes
        mirror.start {
            notes.readyCount.add(1, ordering: .relaxed)
            ready()
        }
    }

    /// The messages to the operator.
    var reports: [String] { notes.reports.withLock(\.self) }

    /// The pauses between attempts.
    var pauses: [Duration] { notes.pauses.withLock(\.self) }

    /// How often the mirror said that the store has all feeds.
    var readyCount: Int { notes.readyCount.load(ordering: .relaxed) }

    /// The token of a feed in the store.
    func token(_ feed: String = "news") -> String? { version(feed)?.token.description }

    /// The ids of a feed's items in the store.
    func ids(_ feed: String = "news") -> [String] {
        version(feed)?.snapshot.sections.flatMap { $0.items.map(\.id.string) } ?? []
    }

    private func version(_ feed: String) -> Version? { FeedName(feed).flatMap(store.current) }

    /// Waits until the store has a version of a feed; `nil`: none.
    func has(_ token: String?, of feed: String = "news") async {
        await until { self.token(feed) == token }
    }

    /// Has the mirror ask the origin about feeds.
    ///
    /// - Parameter questions: The feeds, each with the token that a client has.
    /// - Returns: Whether the mirror got all answers.
    func asks(_ questions: (feed: String, token: String?)...) async -> Bool {
        let questions = questions.compactMap { feed, token in
            FeedName(feed).map { (feed: $0, token: token.flatMap { Token($0) }) }
        }
        return await withCheckedContinuation { continuation in
            mirror.ask(questions) { continuation.resume(returning: $0) }
        }
    }
}

/// Waits until a condition holds, or the test's time is over.
func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}
