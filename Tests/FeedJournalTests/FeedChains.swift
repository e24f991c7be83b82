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

    private func content(_ version: Int) -> VersionContent {
        let token = Token(epoch: "e", version: version)
        return VersionContent(token: token, snapshot: Snapshot(), published: 1)
    }

    private func chain(_ base: BaseRecord) -> FeedChain {
        FeedChain(
            StoredVersion(name: news, id: 1, epoch: "e", version: 1, hash: 1),
            FeedChain.Base(base, version: 1),
            content(1)
        )
    }

    /// A log is as short where memory is, and begins with a version that readers may still name.
    @Test func theOldestOfTheLastVersionsInMemoryBecomesTheBase() {
        let details = VersionDetails()
        var chain = chain(BaseRecord(FeedImage(Snapshot()), times: [1], details: details))
        var remembered: [VersionContent] = []
        for version in 2...20 {
            let next = content(version)
            let row = chain.row(version: version, published: 1, [UInt8](repeating: 0, count: 1024))
            chain.add(row, next)
            remembered.append(next)
        }
        #expect(chain.compaction()?.target.version == 13)
        remembered = remembered.suffix(3)
        #expect(chain.compaction()?.target.version == 18)
        remembered = []
        #expect(chain.compaction()?.target.version == 20)
    }

    @Test func aChunkIsKnownAgainByItsNumberAndItsContent() throws {
        let (first, other) = (try record(value: 0), try record(value: 1))
        #expect(first.chunks.count > 1 && !first.isWhole)
        var chain = chain(first)
        chain.refresh(try BaseRecord(first.bytes), version: 1)
        #expect(chain.base.chunks.map(\.key) == first.chunks.map(\.key))
        // Another server has used the numbers again.
        chain.refresh(try BaseRecord(other.bytes), version: 2)
        #expect(chain.base.chunks.map(\.row) == other.chunks.map(\.row))
        #expect(chain.base.chunks.allSatisfy { $0.key == 0 })
    }
}
