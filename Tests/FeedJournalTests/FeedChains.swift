import FeedModel
import FeedStore
import TestSupport
import Testing

@testable import FeedJournal

/// What is known of a feed in a database.
@Suite struct FeedChains {
    /// The record of a base whose chunks have the numbers from 1 on.
    private func record(value: Int) throws -> BaseRecord {
        let image = FeedImage(try items(0..<3000, value: value))
        var record = BaseRecord(image, times: [1], details: VersionDetails())
        _ = record.takeChunks(after: 0)
        return record
    }

    @Test func aChunkIsKnownAgainByItsNumberAndItsContent() throws {
        let (first, other) = (try record(value: 0), try record(value: 1))
        #expect(first.chunks.count > 1 && !first.isWhole)
        let content = VersionContent(
            token: Token(epoch: "e", version: 1),
            snapshot: Snapshot(),
            published: 1
        )
        var chain = FeedChain(
            StoredVersion(name: news, id: 1, epoch: "e", version: 1, hash: 1),
            FeedChain.Base(first, version: 1),
            content
        )
        chain.refresh(try BaseRecord(first.bytes), version: 1)
        #expect(chain.base.chunks.map(\.key) == first.chunks.map(\.key))
        // Another server has used the numbers again.
        chain.refresh(try BaseRecord(other.bytes), version: 2)
        #expect(chain.base.chunks.map(\.row) == other.chunks.map(\.row))
        #expect(chain.base.chunks.allSatisfy { $0.key == 0 })
    }
}
