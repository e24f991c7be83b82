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
    private let name: FeedName
    private let gate = CacheGate()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        cache = FeedCache(directory: folder)
        server = try #require(URL(string: "http://127.0.0.1:1"))
        name = try #require(FeedName("news"))
    }

    /// The feed's files, as a process sees them that knows nothing of them yet.
    private var files: CachedFeed {
        CachedFeed(in: cache, server: server, feed: name, view: FeedView(), gate: gate)
    }

    /// What a process knows of the file that has just read it.
    private var known: CacheFile.Known? { files.read()?.file }

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
        var copy = FeedCopy(name)
        for document in documents { _ = try copy.take(Self.document(document)) }
        return copy
    }

    private static func document(_ text: String) throws -> ServedDocument {
        try ServedDocument(parsing: Array(text.utf8))
    }

    /// Adds changes, as a process does that has just read the file.
    private func append(_ document: ServedDocument, since old: FeedCopy, to copy: FeedCopy) {
        let files = files
        files.file = files.read()?.file
        files.append(document.json, since: old, to: copy)
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
        #expect(files.read() == nil)
        var copy = try copy(Self.snapshot(1))
        files.write(copy)
        for version in 2...4 {
            let document = try Self.document(Self.changes(to: version))
            let old = copy
            _ = try copy.take(document)
            append(document, since: old, to: copy)
        }
        let kept = try #require(files.read())
        #expect(kept.copy.token == copy.token)
        #expect(kept.copy.snapshot.members == copy.snapshot.members)
        #expect(kept.date.timeIntervalSinceNow > -60)
        files.removeAll()
        #expect(files.read() == nil)
    }

    @Test func takesWhatIsWholeOfATornFile() throws {
        defer { remove() }
        var copy = try copy(Self.snapshot(1))
        files.write(copy)
        let document = try Self.document(Self.changes(to: 2))
        let old = copy
        _ = try copy.take(document)
        append(document, since: old, to: copy)
        let whole = try Data(contentsOf: file)
        var versions: Set<Int?> = []
        for length in 0..<whole.count {
            try whole.prefix(length).write(to: file)
            versions.insert(files.read()?.copy.token?.version)
        }
        #expect(versions == [nil, 1])
    }

    @Test func takesNothingOfAChangedFile() throws {
        defer { remove() }
        files.write(try copy(Self.snapshot(1)))
        let file = try file
        let whole = try Data(contentsOf: file)
        for place in whole.indices {
            var changed = whole
            changed[place] ^= 1
            try changed.write(to: file)
            let kept = files.read()?.copy
            // The last byte only ends the line.
            #expect(kept == nil || place == whole.count - 1 || kept?.token?.version == 1)
            if let kept { #expect(kept.snapshot.members["title"]?.stringValue == "News") }
        }
    }

    @Test func twoProcessesDoNotDisturbEachOther() throws {
        defer { remove() }
        let first = try copy(Self.snapshot(1))
        let (one, other) = (files, files)
        one.write(first)
        other.file = other.read()?.file
        let document = try Self.document(Self.changes(to: 2))
        var copy = first
        _ = try copy.take(document)
        // Both have taken the same change, one of them one more.
        one.append(document.json, since: first, to: copy)
        let whole = try Data(contentsOf: file)
        other.append(document.json, since: first, to: copy)
        #expect(one.file == other.file)
        #expect(try Data(contentsOf: file) == whole)
        let next = try Self.document(Self.changes(to: 3))
        var further = copy
        _ = try further.take(next)
        other.append(next.json, since: copy, to: further)
        let last = other.file
        #expect(files.read()?.copy.token?.version == 3)
        #expect(known == last)
        // An older one does not take the newer one's place; another incarnation does.
        for process in [files, one, other] {
            process.write(copy)
            #expect(process.file == last)
        }
        #expect(files.read()?.copy.token?.version == 3)
        files.write(try self.copy(Self.snapshot(1, epoch: "aaaaaaaa")))
        #expect(files.read()?.copy.token?.epoch == "aaaaaaaa")
    }

    /// An app may read a feed for its first frame while a change of it is being written.
    @Test func readingChangesNothingForWhoWrites() throws {
        defer { remove() }
        let first = try copy(Self.snapshot(1))
        let files = files
        files.write(first)
        let known = try #require(files.file)
        let document = try Self.document(Self.changes(to: 2))
        var copy = first
        _ = try copy.take(document)
        append(document, since: first, to: copy)
        #expect(files.read()?.copy.token?.version == 2)
        #expect(files.readAtOnce()?.feed.copy.token?.version == 2)
        #expect(files.file == known)
        files.append(document.json, since: first, to: copy)
        #expect(files.file == self.known)
    }

    private func isAdded(_ bytes: Data, as stamp: CacheFile.Stamp) -> Bool {
        let path = files.path(.content)
        let addition = CacheFile.append(bytes, to: path, header: files.header, as: stamp)
        guard case .added = addition else { return false }
        return true
    }

    /// What another process did to a file is seen before anything is added to it.
    @Test(arguments: [false, true])
    func addsNothingToAFileThatIsAnother(isTorn: Bool) throws {
        defer { remove() }
        let first = try copy(Self.snapshot(1))
        let files = files
        files.write(first)
        let known = try #require(files.file)
        let stray = try Self.document(Self.changes(to: 5))
        let token = try token(5)
        let end = CacheFile.End(token: token, rowCount: 0, access: .open)
        let record = CacheFile.record(stray.json, end)
        let bytes = isTorn ? Data(record.dropLast(20)) : record
        let path = files.path(.content)
        #expect(isAdded(bytes, as: known.stamp))
        // Whoever wrote that would have to know versions that there are not.
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
        let document = try Self.document(Self.changes(to: 2))
        #expect(!isAdded(record, as: known.stamp))
        var copy = first
        _ = try copy.take(document)
        files.append(document.json, since: first, to: copy)
        #expect(files.file?.end.token.version == (isTorn ? 2 : 5))
        #expect(files.read()?.copy.token?.version == (isTorn ? 2 : 1))
        // The file does not come to what it says, which is seen when it is read.
        #expect((self.known == nil) == !isTorn)
    }

    @Test func writesAllAgainWhereChangesAreLonger() throws {
        defer { remove() }
        var copy = try copy(Self.snapshot(1))
        let files = files
        files.write(copy)
        var sizes: [Int] = []
        for version in 2...1_200 {
            let document = try Self.document(Self.changes(to: version))
            let old = copy
            _ = try copy.take(document)
            files.append(document.json, since: old, to: copy)
            sizes.append(try Data(contentsOf: file).count)
        }
        #expect(files.read()?.copy.token?.version == 1_200)
        #expect(sizes.allSatisfy { $0 < 140_000 })
        #expect(zip(sizes, sizes.dropFirst()).contains { $0 > $1 })
    }

    @Test func aHeadThatSaysTooMuchIsWrittenAnew() throws {
        defer { remove() }
        var copy = try copy(Self.snapshot(1))
        files.write(copy)
        let head = files.header + "922337203685477580 0 q7x2m5kd.1 0 open\n"
        try Data(head.utf8).write(to: file)
        let document = try Self.document(Self.changes(to: 2))
        let old = copy
        _ = try copy.take(document)
        append(document, since: old, to: copy)
        #expect(files.read()?.copy.token?.version == 2)
    }

    @Test func anAnswerWithoutNewsWritesNoFileAnew() throws {
        defer { remove() }
        let copy = try copy(Self.snapshot(1))
        let files = files
        files.write(copy)
        let end = try #require(files.file?.end)
        files.confirm(copy)
        #expect(files.file?.end == end && known == files.file)
        let torn = try Data(contentsOf: file).dropLast(3)
        try torn.write(to: file)
        files.confirm(copy)
        #expect(files.file == nil)
        #expect(try Data(contentsOf: file) == torn)
        files.removeAll()
        files.confirm(copy)
        #expect(files.file == nil)
        #expect(CacheFile.stamp(of: files.path(.content)) == nil)
    }

    @Test func whatDoesNotFitHidesNothingAfterIt() throws {
        defer { remove() }
        var copy = try copy(Self.snapshot(1))
        files.write(copy)
        let second = try Self.document(Self.changes(to: 2))
        let stray = try Self.document(Self.changes(to: 4))
        let third = try Self.document(Self.changes(to: 3))
        var bytes = try Data(contentsOf: file)
        for document in [second, stray, third] {
            if document.token != stray.token { _ = try copy.take(document) }
            let token = try #require(document.token)
            let end = CacheFile.End(token: token, rowCount: 0, access: .open)
            bytes.append(contentsOf: CacheFile.record(document.json, end))
        }
        try bytes.write(to: file)
        #expect(files.read()?.copy.token == copy.token)
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
        try await Feed(name, of: service).refresh()
        let end = CacheFile.End(token: try token(2), rowCount: 0, access: .open)
        let torn = CacheFile.record(try Self.document(Self.changes(to: 2)).json, end)
        try (Data(contentsOf: file) + torn.dropLast(20)).write(to: file)
        let feed = Feed(name, of: service)
        try await feed.refresh()
        try await feed.refresh()
        #expect(files.read()?.copy.token?.version == 3)
    }

    private func token(_ version: Int) throws -> Token {
        try #require(Token("q7x2m5kd.\(version)"))
    }

    @Test func feedsOfOtherServersAndViewsAreOthers() throws {
        defer { remove() }
        files.write(try copy(Self.snapshot(1)))
        let other = try #require(URL(string: "http://127.0.0.1:2"))
        let view = FeedView(limit: 3)
        let whole = FeedView()
        let elsewhere = CachedFeed(in: cache, server: other, feed: name, view: whole, gate: gate)
        let part = CachedFeed(in: cache, server: server, feed: name, view: view, gate: gate)
        #expect(elsewhere.read() == nil)
        #expect(part.read() == nil)
        try cache.removeAll()
        #expect(files.read() == nil)
    }

    @Test func removesWhatWasNotUsedForLongest() throws {
        defer { remove() }
        let small = FeedCache(directory: folder, byteLimit: 700)
        var feeds: [CachedFeed] = []
        for number in 0..<6 {
            let view = FeedView(limit: number)
            let files = CachedFeed(in: small, server: server, feed: name, view: view, gate: gate)
            var copy = FeedCopy(name, view: view)
            _ = try copy.take(Self.document(Self.snapshot(1)))
            files.write(copy)
            feeds.append(files)
            let date = Date(timeIntervalSinceNow: Double(number - 100))
            for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                let path = folder.appendingPathComponent(file).path
                let old = try FileManager.default.attributesOfItem(atPath: path)
                let modified = try #require(old[.modificationDate] as? Date)
                guard modified.timeIntervalSinceNow > -50 else { continue }
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            }
        }
        let kept = feeds.map { $0.read() != nil }
        #expect(kept.last == true && kept.first == false)
        #expect(kept.filter(\.self).count < 4)
    }

    @Test func aFolderThatCannotBeIsAsNone() throws {
        let cache = FeedCache(directory: URL(fileURLWithPath: "/proc/none"))
        let files = CachedFeed(in: cache, server: server, feed: name, view: FeedView(), gate: gate)
        files.write(try copy(Self.snapshot(1)))
        #expect(files.read() == nil)
        try cache.removeAll()
    }
}
