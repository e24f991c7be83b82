import FeedDiff
import FeedModel
import Foundation
import Synchronization

/// The files of one feed in a cache: the content, and the first rows.
///
/// After a sign-out, ``use(_:)`` does nothing any more. The methods that read, keep or confirm a
/// whole feed call it; the methods for single files must be called within it.
final class CachedFeed: Sendable {
    /// A feed that was read from the cache.
    struct Content: Sendable {
        let copy: FeedCopy
        /// The time at which the server last confirmed this version.
        let date: Date
        /// The state of the content's file when it was read; `nil` if the file is unknown, or has
        /// to be written as a whole.
        let file: CacheFile.Known?
    }

    /// The files of a feed; the raw value is the end of the file's name.
    enum Part: String, CaseIterable {
        case content = ".feed"
        case beginning = ".first.feed"
    }

    let cache: FeedCache
    let feed: FeedName
    let view: FeedView

    /// An identifier of the bearer key that requests are sent with, which does not reveal the key.
    ///
    /// A feed that was read with another key is not shown.
    let owner: String

    /// The first line of the content's file, which includes the version of its format.
    let header: String

    /// The beginning of the files' names: the feed's name, and a checksum of server and view.
    private let name: String
    private let gate: CacheGate
    /// The gate's generation when this object was made; a sign-out begins a new one.
    private let generation: Int
    private let known = Mutex<CacheFile.Known?>(nil)

    init(
        in cache: FeedCache,
        server: URL,
        feed: FeedName,
        view: FeedView,
        owner: String = "nobody",
        gate: CacheGate
    ) {
        self.cache = cache
        self.feed = feed
        self.view = view
        self.owner = owner
        self.gate = gate
        generation = gate.generation
        let sections = (view.sections ?? []).sorted().map { JSONText(string: $0.string) }
        let names = sections.map { String(decoding: $0.bytes, as: UTF8.self) }
        let list = view.sections == nil ? "all" : "[\(names.joined(separator: ","))]"
        header =
            "freshet-feed 3 \(server.absoluteString) \(feed.rawValue)"
            + " limit=\(view.limit.map(String.init) ?? "none")"
            + " sections=\(list)\n"
        let check = CRC32(Array(header.utf8)[...]).value
        name = "\(feed.rawValue)-\(String(check, radix: 16))"
    }

    /// The state of the content's file; `nil`: it is unknown, or the file has to be written as a
    /// whole, since appended records would not be read.
    ///
    /// Reading does not set it, since any thread may read while the feed is being written. The feed
    /// sets it with the content that it takes over.
    var file: CacheFile.Known? {
        get { known.withLock(\.self) }
        set { known.withLock { $0 = newValue } }
    }

    /// Whether the user has not signed out since this object was made.
    var isOpen: Bool { gate.generation == generation }

    /// Runs `body`, unless the user has signed out.
    func use<Result>(_ body: () -> Result) -> Result? { gate.use(in: generation, body) }

    func fileName(_ part: Part) -> String { name + part.rawValue }

    func path(_ part: Part) -> String { "\(cache.path)/\(fileName(part))" }

    func url(_ part: Part) -> URL {
        cache.directory.appendingPathComponent(fileName(part), isDirectory: false)
    }

    func remove(_ part: Part) { try? FileManager.default.removeItem(at: url(part)) }

    /// Removes all files of the feed.
    func removeAll() {
        for part in Part.allCases { remove(part) }
        file = nil
    }
}

/// Reads a feed from its files.
extension CachedFeed {
    /// Reads the whole feed; returns `nil` if it cannot be read, or must not be shown.
    func read() -> Content? {
        let content = use { () -> Content? in
            guard let file = CacheFile.Reader(path(.content), header: header) else { return nil }
            return read(file)
        }
        return content ?? nil
    }

    /// Reads the feed from an open file; returns `nil` if it cannot be read, or must not be shown.
    func read(_ reader: consuming CacheFile.Reader) -> Content? {
        var reader = reader
        var copy = FeedCopy(feed, view: view)
        var end: CacheFile.End?
        while let (document, next) = reader.next() {
            // A record that does not fit was appended by another process at the same time; the
            // following ones may fit again.
            if let document = try? ServedDocument(parsing: document) {
                try? copy.takeKept(document)
            }
            end = next
        }
        guard let token = copy.token, let end, isAllowed(end.access, &copy) else { return nil }
        // The limit is raised to the rows that were loaded in an earlier run.
        copy.view.limit = view.limit.map { max($0, copy.snapshot.count) }
        let isAsKnown = reader.isWhole && end == self.end(of: copy, at: token)
        let file = isAsKnown ? CacheFile.Known(stamp: reader.stamp, end: end) : nil
        return Content(copy: copy, date: reader.date, file: file)
    }

    /// Applies the access to the content to a copy that was read.
    ///
    /// - Returns: Whether the copy may be shown: it was not read with another key, and the feed has
    ///   not been missing for too long. Otherwise the files are removed.
    func isAllowed(_ access: CacheFile.Access, _ copy: inout FeedCopy) -> Bool {
        var isAllowed = true
        copy.isPrivate = false
        switch access {
        case .open: break
        case .missing(let since):
            copy.markMissing(since: Date(timeIntervalSince1970: Double(since)))
            isAllowed = !copy.isOutdated(at: Date())
        case .owner(let owner):
            copy.isPrivate = true
            isAllowed = owner == self.owner
        }
        if !isAllowed { removeAll() }
        return isAllowed
    }
}

/// Writes a feed to its files.
extension CachedFeed {
    /// Writes a change of the feed from one copy to another, the effect of the server's document.
    func keep(
        _ document: ServedDocument,
        _ change: FeedChange,
        since old: FeedCopy,
        to copy: FeedCopy
    ) {
        use {
            switch change {
            case .unchanged:
                guard !copy.isMissing else { return }
                confirm(copy)
                if access(of: old) == access(of: copy) { return }
            case .gone:
                // Content that is still shown stays in the cache.
                if copy.missingSince == nil { removeAll() } else { write(copy, at: old.token) }
            case .changes: append(document.json, since: old, to: copy)
            case .replaced: write(copy, document.json)
            }
            keepBeginning(of: copy, since: old.token == nil ? nil : old)
        }
    }

    /// Appends rows that were loaded, as insertions; both copies are of the same version.
    func keep(_ rows: Changes, since old: FeedCopy, to copy: FeedCopy) {
        guard let token = copy.token else { return }
        let encoder = DocumentEncoder(feed: feed)
        use {
            let document = encoder.changes(rows, since: token, token: token, now: copy.viewed)
            append(document, since: old, to: copy)
            keepBeginning(of: copy, since: old)
        }
    }

    /// Writes the whole feed, unless the file is already ahead of it.
    ///
    /// - Parameters:
    ///   - document: The server's snapshot; `nil`: the copy is encoded as one.
    ///   - token: The version of a missing feed's content; `nil`: the copy's own.
    func write(_ copy: FeedCopy, _ document: [UInt8]? = nil, at token: Token? = nil) {
        guard let end = end(of: copy, at: token) else { return removeAll() }
        if let (kept, isWhole) = currentFile(), kept.end.isBeyond(end) {
            file = isWhole ? kept : nil
            return
        }
        let document =
            document ?? DocumentEncoder(feed: feed).snapshot(copy.viewed, token: end.token)
        let bytes = CacheFile.record(document, end, after: header)
        // Errors are ignored: on a full disk the feed is fetched again the next time.
        let isWritten = (try? write(bytes, to: .content)) != nil
        let stamp = CacheFile.stamp(of: path(.content))
        cache.excludeFromBackup()
        cache.prune(keeping: Part.allCases.map(fileName))
        guard isWritten, let stamp, stamp.byteCount == bytes.count else {
            file = nil
            return
        }
        file = CacheFile.Known(stamp: stamp, end: end)
    }

    /// Writes a file, in a folder that is made if needed.
    func write(_ bytes: Data, to part: Part) throws {
        try? FileManager.default.createDirectory(
            at: cache.directory,
            withIntermediateDirectories: true
        )
        try bytes.write(to: url(part), options: FeedCache.writingOptions)
    }

    /// Returns the state of the content's file, which is read only if it has changed since it was
    /// last known.
    private func currentFile() -> (known: CacheFile.Known, isWhole: Bool)? {
        let path = path(.content)
        if let file, file.stamp == CacheFile.stamp(of: path) { return (file, true) }
        return CacheFile.end(of: path, header: header)
    }

    /// Appends a document of changes to the content's file.
    ///
    /// The whole feed is written instead if the file would become too long, or does not end with
    /// the version that the changes start from.
    func append(_ document: [UInt8], since old: FeedCopy, to copy: FeedCopy) {
        guard let end = end(of: copy) else {
            file = nil
            return
        }
        let path = path(.content)
        let record = CacheFile.record(document, end)
        // If another process has changed the file, but it ends with the same version, the record is
        // appended in a second attempt.
        while let last = file, last.end == self.end(of: old) {
            switch CacheFile.append(record, to: path, header: header, as: last.stamp) {
            case .added(let stamp):
                file = CacheFile.Known(stamp: stamp, end: end)
                return
            case .refused: return write(copy)
            case .another:
                guard let (now, isWhole) = CacheFile.end(of: path, header: header), isWhole,
                    now != last
                else { return write(copy) }
                file = now
                if now.end == end || now.end.isBeyond(end) { return }
            }
        }
        write(copy)
    }

    /// Records in the date of the content's file that the feed is still current.
    ///
    /// If the file has another version or access, the whole feed is written.
    func confirm(_ copy: FeedCopy) {
        use {
            // A damaged or missing file is written with the next change, or at once if it has
            // another access: on a full disk, nothing is attempted with each response.
            guard let (last, isWhole) = currentFile(),
                isWhole || last.end.access != access(of: copy)
            else {
                file = nil
                return
            }
            file = isWhole ? last : nil
            guard isWhole, last.end == end(of: copy) else { return write(copy) }
            let path = path(.content)
            try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
            if let stamp = CacheFile.stamp(of: path), stamp.isSameContent(as: last.stamp) {
                file = CacheFile.Known(stamp: stamp, end: last.end)
            }
        }
    }

    /// Returns the end of a file with a copy; `nil`: the copy is empty.
    ///
    /// - Parameter token: The version of a missing feed's content; `nil`: the copy's own.
    func end(of copy: FeedCopy, at token: Token? = nil) -> CacheFile.End? {
        (copy.token ?? token).map {
            CacheFile.End(token: $0, rowCount: copy.snapshot.count, access: access(of: copy))
        }
    }

    /// Returns the access to a copy's content; only its owner may see content of unknown access.
    func access(of copy: FeedCopy) -> CacheFile.Access {
        guard copy.isPrivate == false else { return .owner(owner) }
        return copy.missingSince.map { .missing(since: Int($0.timeIntervalSince1970)) } ?? .open
    }
}
