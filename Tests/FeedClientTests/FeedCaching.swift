import FeedModel
import Foundation
import TestSupport
import Testing

@testable import FeedClient

/// Feeds on disk.
@Suite struct FeedCaching {
    private let folder: URL
    private let cache: FeedCache
    private let server: URL
    private let key: FeedCache.Key

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        cache = FeedCache(directory: folder)
        server = try #require(URL(string: "http://127.0.0.1:1"))
        key = FeedCache.Key(
            server: server,
            feed: try #require(FeedName("news")),
            view: FeedView()
        )
    }

    private static func snapshot(_ version: Int, epoch: String = "q7x2m5kd") -> String {
        """
        {"kind":"snapshot","feed":"news","token":"\(epoch).\(version)","title":"News","count":0,\
        "order":"00000000","sections":[]}
        """
    }

    private static func changes(to version: Int) -> String {
        """
        {"kind":"changes","feed":"news","since":"q7x2m5kd.\(version - 1)",\
        "token":"q7x2m5kd.\(version)","count":0,"order":"00000000",\
        "changes":{"feed":{"set":{"version":\(version)}}}}
        """
    }

    private func copy(_ documents: String...) throws -> FeedCopy {
        var copy = FeedCopy(key.feed)
        for document in documents { _ = try copy.take(Self.document(document)) }
        return copy
    }

    private static func document(_ text: String) throws -> ServedDocument {
        try ServedDocument(parsing: Array(text.utf8))
    }

    /// Adds changes, as a process does that has just read the file.
    private func append(_ document: ServedDocument, since old: FeedCopy, to copy: FeedCopy) {
        _ = cache.append(document, since: old, to: copy, as: key, over: cache.read(key)?.file)
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    private var file: URL {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            return folder.appendingPathComponent(try #require(names.first))
        }
    }

    @Test func keepsASnapshotAndWhatCameAfterIt() throws {
        defer { remove() }
        #expect(cache.read(key) == nil)
        var copy = try copy(Self.snapshot(1))
        cache.write(copy, as: key)
        for version in 2...4 {
            let document = try Self.document(Self.changes(to: version))
            let old = copy
            _ = try copy.take(document)
            append(document, since: old, to: copy)
        }
        let kept = try #require(cache.read(key))
        #expect(kept.copy.token == copy.token)
        #expect(kept.copy.snapshot.members == copy.snapshot.members)
        #expect(kept.date.timeIntervalSinceNow > -60)
        cache.remove(key)
        #expect(cache.read(key) == nil)
    }

    @Test func takesWhatIsWholeOfATornFile() throws {
        defer { remove() }
        var copy = try copy(Self.snapshot(1))
        cache.write(copy, as: key)
        let document = try Self.document(Self.changes(to: 2))
        let old = copy
        _ = try copy.take(document)
        append(document, since: old, to: copy)
        let whole = try Data(contentsOf: file)
        var versions: Set<Int?> = []
        for length in 0..<whole.count {
            try whole.prefix(length).write(to: file)
            versions.insert(cache.read(key)?.copy.token?.version)
        }
        #expect(versions == [nil, 1])
    }

    @Test func takesNothingOfAChangedFile() throws {
        defer { remove() }
        cache.write(try copy(Self.snapshot(1)), as: key)
        let whole = try Data(contentsOf: file)
        for place in whole.indices {
            var changed = whole
            changed[place] ^= 1
            try changed.write(to: file)
            let kept = cache.read(key)?.copy
            // The last byte only ends the line.
            #expect(kept == nil || place == whole.count - 1 || kept?.token?.version == 1)
            if let kept { #expect(kept.snapshot.members["title"]?.stringValue == "News") }
        }
    }

    @Test func twoProcessesDoNotDisturbEachOther() throws {
        defer { remove() }
        let first = try copy(Self.snapshot(1))
        let known = try #require(cache.write(first, as: key))
        let document = try Self.document(Self.changes(to: 2))
        var copy = first
        _ = try copy.take(document)
        // Both have taken the same change, one of them one more.
        let own = cache.append(document, since: first, to: copy, as: key, over: known)
        let whole = try Data(contentsOf: file)
        let others = cache.append(document, since: first, to: copy, as: key, over: known)
        #expect(own == others)
        #expect(try Data(contentsOf: file) == whole)
        let next = try Self.document(Self.changes(to: 3))
        var further = copy
        _ = try further.take(next)
        let last = cache.append(next, since: copy, to: further, as: key, over: others)
        #expect(cache.read(key)?.copy.token?.version == 3)
        #expect(cache.read(key)?.file == last)
        // An older one does not take the newer one's place; another incarnation does.
        #expect(cache.write(copy, as: key) == last)
        #expect(cache.write(copy, as: key, over: last) == last)
        #expect(cache.read(key)?.copy.token?.version == 3)
        cache.write(try self.copy(Self.snapshot(1, epoch: "aaaaaaaa")), as: key)
        #expect(cache.read(key)?.copy.token?.epoch == "aaaaaaaa")
    }

    private func isAdded(_ bytes: [UInt8], as stamp: CacheFile.Stamp) -> Bool {
        let path = cache.path(of: key)
        let addition = CacheFile.append(bytes, to: path, header: key.header, as: stamp)
        if case .added = addition { return true } else { return false }
    }

    /// What another process did to a file is seen before anything is added to it.
    @Test(arguments: [false, true])
    func addsNothingToAFileThatIsAnother(isTorn: Bool) throws {
        defer { remove() }
        let first = try copy(Self.snapshot(1))
        let known = try #require(cache.write(first, as: key))
        let stray = try Self.document(Self.changes(to: 5))
        let token = try token(5)
        let record = CacheFile.record(stray.json, CacheFile.End(token: token, rowCount: 0))
        let bytes = isTorn ? Array(record.dropLast(20)) : record
        let path = cache.path(of: key)
        #expect(isAdded(bytes, as: known.stamp))
        // Whoever wrote that would have to know versions that there are not.
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
        let document = try Self.document(Self.changes(to: 2))
        #expect(!isAdded(record, as: known.stamp))
        var copy = first
        _ = try copy.take(document)
        let now = cache.append(document, since: first, to: copy, as: key, over: known)
        #expect(now?.end.token.version == (isTorn ? 2 : 5))
        #expect(cache.read(key)?.copy.token?.version == (isTorn ? 2 : 1))
        // The file does not come to what it says, which is seen when it is read.
        #expect((cache.read(key)?.file == nil) == !isTorn)
    }

    @Test func writesAllAgainWhereChangesAreLonger() throws {
        defer { remove() }
        var copy = try copy(Self.snapshot(1))
        var known = cache.write(copy, as: key)
        var sizes: [Int] = []
        for version in 2...1_200 {
            let document = try Self.document(Self.changes(to: version))
            let old = copy
            _ = try copy.take(document)
            known = cache.append(document, since: old, to: copy, as: key, over: known)
            sizes.append(try Data(contentsOf: file).count)
        }
        #expect(cache.read(key)?.copy.token?.version == 1_200)
        #expect(sizes.allSatisfy { $0 < 140_000 })
        #expect(zip(sizes, sizes.dropFirst()).contains { $0 > $1 })
    }

    @Test func aHeadThatSaysTooMuchIsWrittenAnew() throws {
        defer { remove() }
        var copy = try copy(Self.snapshot(1))
        cache.write(copy, as: key)
        let head = key.header + "922337203685477580 0 q7x2m5kd.1 0\n"
        try Data(head.utf8).write(to: file)
        let document = try Self.document(Self.changes(to: 2))
        let old = copy
        _ = try copy.take(document)
        append(document, since: old, to: copy)
        #expect(cache.read(key)?.copy.token?.version == 2)
    }

    @Test func anAnswerWithoutNewsWritesNoFileAnew() throws {
        defer { remove() }
        let copy = try copy(Self.snapshot(1))
        let known = try #require(cache.write(copy, as: key))
        let confirmed = try #require(cache.confirm(copy, as: key, over: known))
        #expect(confirmed.end == known.end && cache.read(key)?.file == confirmed)
        let torn = try Data(contentsOf: file).dropLast(3)
        try torn.write(to: file)
        #expect(cache.confirm(copy, as: key, over: confirmed) == nil)
        #expect(try Data(contentsOf: file) == torn)
        cache.remove(key)
        #expect(cache.confirm(copy, as: key, over: nil) == nil)
        #expect(CacheFile.stamp(of: cache.path(of: key)) == nil)
    }

    @Test func whatDoesNotFitHidesNothingAfterIt() throws {
        defer { remove() }
        var copy = try copy(Self.snapshot(1))
        cache.write(copy, as: key)
        let second = try Self.document(Self.changes(to: 2))
        let stray = try Self.document(Self.changes(to: 4))
        let third = try Self.document(Self.changes(to: 3))
        var bytes = try Data(contentsOf: file)
        for document in [second, stray, third] {
            if document.token != stray.token { _ = try copy.take(document) }
            let end = CacheFile.End(token: try #require(document.token), rowCount: 0)
            bytes.append(contentsOf: CacheFile.record(document.json, end))
        }
        try bytes.write(to: file)
        #expect(cache.read(key)?.copy.token == copy.token)
        #expect(copy.token?.version == 3)
    }

    @Test func whatFollowsATornRecordIsFoundAgain() async throws {
        defer { remove() }
        let transport = ScriptedTransport(
            .response(200, [:], Self.snapshot(1)),
            .response(200, [:], Self.changes(to: 2)),
            .response(200, [:], Self.changes(to: 3))
        )
        let service = transport.service(cache: cache)
        try await Feed(key.feed, of: service).refresh()
        let end = CacheFile.End(token: try token(2), rowCount: 0)
        let torn = CacheFile.record(try Self.document(Self.changes(to: 2)).json, end)
        try (Data(contentsOf: file) + torn.dropLast(20)).write(to: file)
        let feed = Feed(key.feed, of: service)
        try await feed.refresh()
        try await feed.refresh()
        #expect(cache.read(key)?.copy.token?.version == 3)
    }

    private func token(_ version: Int) throws -> Token {
        try #require(Token("q7x2m5kd.\(version)"))
    }

    @Test func feedsOfOtherServersAndViewsAreOthers() throws {
        defer { remove() }
        cache.write(try copy(Self.snapshot(1)), as: key)
        let other = try #require(URL(string: "http://127.0.0.1:2"))
        let elsewhere = FeedCache.Key(server: other, feed: key.feed, view: key.view)
        let part = FeedCache.Key(server: server, feed: key.feed, view: FeedView(limit: 3))
        #expect(cache.read(elsewhere) == nil)
        #expect(cache.read(part) == nil)
        try cache.removeAll()
        #expect(cache.read(key) == nil)
    }

    @Test func removesWhatWasNotUsedForLongest() throws {
        defer { remove() }
        let small = FeedCache(directory: folder, byteLimit: 700)
        var keys: [FeedCache.Key] = []
        for number in 0..<6 {
            let view = FeedView(limit: number)
            let key = FeedCache.Key(server: server, feed: key.feed, view: view)
            var copy = FeedCopy(key.feed, view: view)
            _ = try copy.take(Self.document(Self.snapshot(1)))
            small.write(copy, as: key)
            keys.append(key)
            let date = Date(timeIntervalSinceNow: Double(number - 100))
            for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                let path = folder.appendingPathComponent(file).path
                let old = try FileManager.default.attributesOfItem(atPath: path)
                let modified = try #require(old[.modificationDate] as? Date)
                guard modified.timeIntervalSinceNow > -50 else { continue }
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            }
        }
        let kept = keys.map { small.read($0) != nil }
        #expect(kept.last == true && kept.first == false)
        #expect(kept.filter(\.self).count < 4)
    }

    @Test func aFolderThatCannotBeIsAsNone() throws {
        let cache = FeedCache(directory: URL(fileURLWithPath: "/proc/none"))
        cache.write(try copy(Self.snapshot(1)), as: key)
        #expect(cache.read(key) == nil)
        try cache.removeAll()
    }
}
