import FeedModel
import TestSupport
import Testing

@testable import FeedStore

@Suite struct FindingVersionsByBytes {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func findsWhatADictionaryFinds(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var index = VersionIndex()
        var model: [String: Version] = [:]
        let names = (0..<Int.random(in: 1...200, using: &random)).map { "feed-\($0)" }
        for step in 0..<600 {
            guard let name = names.randomElement(using: &random) else { return }
            if Int.random(in: 0..<5, using: &random) < 3 {
                let version = Version(
                    feed: feedName(name),
                    token: Token(epoch: "abcdefgh", version: step),
                    snapshot: Snapshot(),
                    published: 0
                )
                index.update(version)
                model[name] = version
            } else {
                index.remove(feedName(name))
                model[name] = nil
            }
            #expect(names.allSatisfy { index[$0.utf8.span] === model[$0] })
        }
        #expect(index["".utf8.span] == nil)
        #expect(index["feed-".utf8.span] == nil)
    }
}
