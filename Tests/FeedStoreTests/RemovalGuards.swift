import FeedModel
import FeedStore
import StoreModel
import TestSupport
import Testing

/// Random publishes against the plain rule: ids that were there and are no more.
@Suite struct RemovalGuards {
    private func snapshot(_ sections: [[Int]]) throws -> Snapshot {
        let texts = sections.enumerated().map { index, ids in
            let items = ids.map { "{\"id\":\"i\($0)\"}" }.joined(separator: ",")
            return "{\"id\":\"s\(index)\",\"items\":[\(items)]}"
        }
        return try Snapshot(parsing: Array("{\"sections\":[\(texts.joined(separator: ","))]}".utf8))
    }

    private func isTripped(_ rule: RemovalGuard, _ old: Set<Int>, _ new: Set<Int>) -> Bool {
        let removed = old.subtracting(new).count
        guard old.count >= 10 else { return !old.isEmpty && new.isEmpty }
        switch rule {
        case .percent(let percent): return removed > 0 && removed * 100 >= percent * old.count
        case .count(let count): return removed > count
        }
    }

    @Test(arguments: 1...8)
    func agreesWithThePlainRule(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let feed = try #require(FeedName("news"))
        for _ in 0..<150 {
            let store = FeedStore()
            let rule: RemovalGuard =
                Bool.random(using: &random)
                ? .percent(.random(in: 1...100, using: &random))
                : .count(.random(in: 0...12, using: &random))
            func sections() -> [[Int]] {
                let ids = (0..<Int.random(in: 0...30, using: &random)).shuffled(using: &random)
                let count = Int.random(in: 1...4, using: &random)
                var sections = Array(repeating: [Int](), count: count)
                for id in ids where Int.random(in: 0..<4, using: &random) > 0 {
                    sections[Int.random(in: 0..<count, using: &random)].append(id)
                }
                return sections
            }
            let (old, new) = (sections(), sections())
            let (first, second) = (try snapshot(old), try snapshot(new))
            _ = store.publishInMemory(feed) { _ in first }
            let (before, after) = (Set(old.joined()), Set(new.joined()))
            let isTripped = isTripped(rule, before, after)
            let publication = store.publishInMemory(feed, dryRun: true) { _ in second }
            let allowances: [(RemovalGuard.Allowance, Bool)] = [
                (.guarded, isTripped), (.nonempty, isTripped && after.isEmpty), (.any, false),
            ]
            for (allowance, expected) in allowances {
                let words: Comment = "\(rule) \(allowance): \(old) to \(new)"
                do throws(RemovalGuard.Refusal) {
                    try rule.check(publication, allowance)
                    #expect(!expected, words)
                } catch {
                    #expect(expected, words)
                    #expect(error.removed == before.subtracting(after).count)
                    #expect(error.count == before.count)
                    #expect(error.removed > error.limit)
                }
            }
        }
    }

    private struct Refusal: Error {}

    /// Refuses every publish.
    private static func refuse(_ publication: Publication) throws(Refusal) { throw Refusal() }

    @Test(arguments: [false, true])
    func whatIsRefusedIsNotPublished(_ dryRun: Bool) throws {
        let store = FeedStore()
        let feed = try #require(FeedName("news"))
        let snapshot = try snapshot([[1]])
        let transform = { (_: Version?) throws(Refusal) -> Snapshot in snapshot }
        let publish = {
            _ = try store.publishInMemory(
                feed,
                dryRun: dryRun,
                check: RemovalGuards.refuse,
                transform
            )
        }
        #expect(throws: Refusal.self, performing: publish)
        #expect(store.current(feed) == nil)
    }
}
