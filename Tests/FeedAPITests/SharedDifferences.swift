import FeedDiff
import FeedModel
import FeedStore
import TestSupport
import Testing

@testable import FeedAPI

/// What is found out of two versions serves every view of their difference.
@Suite struct SharedDifferences {
    private let api = FeedAPI(store: FeedStore(), configuration: APIConfiguration())

    private func publish(_ ids: [Int]) throws -> Version {
        let name = try #require(FeedName("news"))
        let items = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        let document = try FeedDocument(parsing: Array(#"{"items":[\#(items)]}"#.utf8))
        return api.store.publishInMemory(name, prepare: api.prepare) { _ in document.snapshot }
            .current
    }

    private func choice(_ limit: Int, _ old: Version, _ new: Version) -> DocumentChoice {
        var presentation = Presentation()
        presentation.view = FeedView(limit: limit)
        presentation.tellsChanges = true
        return DocumentChoice(FeedQuery(since: old.token, presentation), old: old, version: new)
    }

    @Test func whatIsTheSameInTwoVersionsIsFoundOutOnceAndCounted() throws {
        var random = SeededGenerator(seed: 1)
        let ids = Array(0..<5000)
        let old = try publish(ids)
        let new = try publish(ids.shuffled(using: &random))
        let responses = api.cache.responses(for: new)
        let before = responses.byteCount
        #expect(responses.pairing(since: old.token.version) == nil)
        let document = choice(4999, old, new).document(with: responses, by: api.builder)
        #expect(String(decoding: document.body.prefix(17), as: UTF8.self) == #"{"kind":"changes""#)
        let pairing = try #require(responses.pairing(since: old.token.version))
        #expect(responses.byteCount == before + pairing.byteCount)
        #expect(pairing.byteCount >= 8 * 5000)
        let other = choice(4998, old, new).document(with: responses, by: api.builder)
        #expect(other.body != document.body)
        #expect(responses.pairing(since: old.token.version) === pairing)
        _ = try publish(ids)
        #expect(responses.pairing(since: old.token.version) == nil)
        #expect(responses.byteCount == 0)
    }

    @Test func pairingsThatWereAskedForLastAreKept() throws {
        var random = SeededGenerator(seed: 2)
        var versions: [Version] = []
        for _ in 0..<VersionResponses.pairingCountLimit + 2 {
            versions.append(try publish(Array(0..<3000).shuffled(using: &random)))
        }
        let new = try #require(versions.last)
        let responses = api.cache.responses(for: new)
        for old in versions.dropLast() {
            _ = choice(2999, old, new).document(with: responses, by: api.builder)
        }
        #expect(responses.pairing(since: 1) == nil)
        for old in versions.dropLast().dropFirst() {
            #expect(responses.pairing(since: old.token.version) != nil)
        }
    }
}
