import FeedAPI
import FeedModel
import FeedStore
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import FeedSources

/// A store with feeds that have sources, and the clock that they go by.
final class SourcedFeeds: Sendable {
    let store = FeedStore()
    let service: SourceService
    private let clock: Clock

    private final class Clock: Sendable {
        let now = Mutex(1_700_000_000)
    }

    /// Nothing is fetched but by ``refresh(_:)``.
    init(
        _ sources: [SourceSettings],
        keptBy journal: (any Journal)? = nil,
        guards: FeedRules<RemovalGuard> = FeedRules()
    ) throws {
        var configuration = APIConfiguration()
        configuration.guards = guards
        let api = FeedAPI(store: store, configuration: configuration)
        let clock = Clock()
        self.clock = clock
        service = try SourceService(
            sources,
            store,
            journal: journal,
            recovered: try journal?.recover { _ in } ?? RecoveredState(),
            wall: { clock.now.withLock { $0 } }
        )
        service.publish(with: api)
    }

    func pass(seconds: Int) { clock.now.withLock { $0 += seconds } }

    @discardableResult
    func refresh(
        _ name: String = "news",
        mayRemoveAny: Bool = false
    ) async throws -> SourceService.Outcome {
        let feed = try #require(FeedName(name))
        return await withCheckedContinuation { continuation in
            service.fetchNow(feed, mayRemoveAny: mayRemoveAny) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// The words of the failure of a refresh; `nil`: there is none.
    func failure(_ name: String = "news") async throws -> String? {
        if case .failure(let failure) = try await refresh(name) { return failure.description }
        return nil
    }

    func ids(_ name: String = "news") throws -> [String] {
        let version = store.current(try #require(FeedName(name)))
        return version?.snapshot.sections.flatMap { $0.items.map(\.id.string) } ?? []
    }

    func token(_ name: String = "news") throws -> String? {
        store.current(try #require(FeedName(name)))?.token.description
    }
}

/// A source of the feed `news` on this machine.
func source(_ url: String, _ change: (inout SourceSettings) -> Void = { _ in }) throws
    -> SourceSettings
{
    var source = SourceSettings(feed: try #require(FeedName("news")), location: .web(url))
    source.allowsPrivate = true
    change(&source)
    return source
}

/// RSS with an item for each number.
func rss(_ numbers: [Int], more: String = "") -> String {
    let items = numbers.map {
        "<item><guid isPermaLink='false'>n\($0)</guid><title>T\($0)</title></item>"
    }
    return "<rss version='2.0'><channel><title>News</title>\(more)\(items.joined())</channel></rss>"
}
