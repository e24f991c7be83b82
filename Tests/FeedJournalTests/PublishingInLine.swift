import FeedModel
import FeedStore
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedJournal

/// Publishes while others are being kept.
@Suite struct PublishingInLine {
    private let journal = MemoryJournal()
    private let store: FeedStore

    init() {
        store = FeedStore(journal: journal)
    }

    /// Outcomes in the order in which they came.
    private final class Outcomes: Sendable {
        let list = Mutex<[String]>([])

        func add(_ outcome: Outcome) {
            list.withLock { $0.append(Self.text(outcome)) }
        }

        var texts: [String] { list.withLock(\.self) }

        static func text(_ outcome: Outcome) -> String {
            switch outcome {
            case .done(let publication): "done \(publication.current.token.version)"
            case .deleted: "deleted"
            case .failed(let refusal): "failed \(refusal)"
            case .refused: "refused"
            case .unknown: "unknown"
            case .late: "late"
            }
        }
    }

    private func publish(
        _ outcomes: Outcomes,
        _ transform: (Version?) throws(Refusal) -> Snapshot
    ) {
        store.publish(
            news,
            transform,
            refusal: { _ in .shortage },
            decided: { outcomes.add($0) }
        )
    }

    /// Waits until all that was appended is decided.
    private func settle() async throws {
        _ = await store.outcome(feedName("other")) { _ throws(Refusal) in Snapshot() }
        journal.close()
    }

    @Test func nobodySeesAVersionBeforeItIsKept() async throws {
        try await store.keep(news, try items(0..<1))
        let outcomes = Outcomes()
        let second = try items(0..<2)
        journal.whileStill {
            publish(outcomes) { _ in second }
            #expect(store.current(news)?.token.version == 1)
            #expect(outcomes.texts.isEmpty)
        }
        try await settle()
        #expect(store.current(news)?.token.version == 2)
        #expect(outcomes.texts == ["done 2"])
    }

    @Test func theNextIsMadeOfWhatIsBeingKept() async throws {
        let outcomes = Outcomes()
        let contents = try (1...5).map { try items(0..<$0) }
        journal.whileStill {
            for content in contents {
                publish(outcomes) { current in
                    #expect(current?.count ?? 0 == content.count - 1)
                    return content
                }
            }
            #expect(store.current(news) == nil)
        }
        try await settle()
        #expect(outcomes.texts == (1...5).map { "done \($0)" })
    }

    @Test func whatIsFoundOutAboutAVersionIsSaidWhenItIsKept() async throws {
        let outcomes = Outcomes()
        let content = try items(0..<3)
        journal.whileStill {
            publish(outcomes) { _ in content }
            publish(outcomes) { _ throws(Refusal) in throw .condition }
            publish(outcomes) { _ in content }
            #expect(outcomes.texts.isEmpty)
        }
        try await settle()
        #expect(outcomes.texts == ["done 1", "failed condition", "done 1"])
    }

    @Test func whatWasMadeOfAVersionThatIsNotKeptIsNotKeptEither() async throws {
        try await store.keep(news, try items(0..<1))
        let outcomes = Outcomes()
        let contents = try (2...4).map { try items(0..<$0) }
        journal.whileStill {
            journal.failure = .refused("full")
            for content in contents { publish(outcomes) { _ in content } }
            publish(outcomes) { _ throws(Refusal) in throw .condition }
        }
        journal.close()
        #expect(outcomes.texts == ["refused", "refused", "refused", "refused"])
        #expect(store.current(news)?.token.version == 1)
        journal.failure = nil
        let next = try await store.keep(news, contents[2])
        #expect(next.current.token.version == 2)
        #expect(next.previous?.token.version == 1)
    }

    @Test func whatAnotherServerWasQuickerThanIsToBeTriedAgain() async throws {
        try await store.keep(news, try items(0..<1))
        let outcomes = Outcomes()
        let contents = try (2...3).map { try items(0..<$0) }
        journal.whileStill {
            journal.failure = .late
            for content in contents { publish(outcomes) { _ in content } }
            publish(outcomes) { _ throws(Refusal) in throw .condition }
        }
        journal.close()
        #expect(outcomes.texts == ["late", "late", "late"])
        #expect(store.current(news)?.token.version == 1)
        journal.failure = nil
        let next = try await store.keep(news, contents[1])
        #expect(next.current.token.version == 2)
    }

    @Test func aFeedThatIsBeingDeletedIsNotThereForTheNext() async throws {
        let first = try await store.keep(news, try items(0..<1))
        let outcomes = Outcomes()
        let content = try items(0..<2)
        journal.whileStill {
            store.publish(news) { _ throws(Refusal) in
                nil
            } decided: { _ in
            }
            publish(outcomes) { current in
                #expect(current == nil)
                return content
            }
            #expect(store.current(news) === first.current)
        }
        try await settle()
        #expect(outcomes.texts == ["done 1"])
        #expect(store.current(news)?.token.epoch != first.current.token.epoch)
    }

    @Test func aFeedThatIsNotKeptIsPublishedAtOnce() async throws {
        let store = FeedStore(journal: journal, volatileFeeds: [news])
        let content = try items(0..<2)
        journal.failure = .refused("full")
        let outcome = await store.outcome(news) { _ throws(Refusal) in content }
        #expect(Outcomes.text(outcome) == "done 1")
    }
}
