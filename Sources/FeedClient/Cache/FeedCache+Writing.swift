import FeedDiff
import FeedModel
import Foundation

/// Keeping feeds, and what changes in them.
extension FeedCache {
    /// Keeps a feed as it is, unless more of it is kept already.
    ///
    /// - Parameters:
    ///   - copy: The feed.
    ///   - key: Which feed it is.
    ///   - known: The known state of its file.
    /// - Returns: The state of its file then; `nil`: unknown.
    @discardableResult
    func write(
        _ copy: FeedCopy,
        as key: Key,
        over known: CacheFile.Known? = nil
    ) -> CacheFile.Known? {
        guard let end = copy.end else { return remove(key) }
        let encoder = DocumentEncoder(feed: copy.feed)
        return write(end, as: key, over: known) { encoder.snapshot(copy.viewed, token: end.token) }
    }

    /// Keeps a feed as the server wrote it, unless more of it is kept already.
    ///
    /// - Parameters:
    ///   - document: A snapshot.
    ///   - copy: The feed, as it holds it.
    ///   - key: Which feed it is.
    ///   - known: The known state of its file.
    /// - Returns: The state of its file then; `nil`: unknown.
    func write(
        _ document: ServedDocument,
        of copy: FeedCopy,
        as key: Key,
        over known: CacheFile.Known? = nil
    ) -> CacheFile.Known? {
        guard let end = copy.end else { return remove(key) }
        return write(end, as: key, over: known) { document.json }
    }

    private func write(
        _ end: CacheFile.End,
        as key: Key,
        over known: CacheFile.Known?,
        _ document: () -> [UInt8]
    ) -> CacheFile.Known? {
        if let (kept, isWhole) = look(key, known), kept.end.isBeyond(end) {
            return isWhole ? kept : nil
        }
        let bytes = CacheFile.bytes(header: key.header, document(), end)
        // What cannot be kept is fetched again: a full disk is no reason to show nothing.
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let isWritten =
            (try? bytes.write(to: url(of: key), options: FeedCache.writingOptions)) != nil
        let stamp = CacheFile.stamp(of: path(of: key))
        excludeFromBackup()
        prune(keeping: key)
        guard isWritten, let stamp, stamp.byteCount == bytes.count else { return nil }
        return CacheFile.Known(stamp: stamp, end: end)
    }

    /// Returns the state of a feed's file, which is read only where it has changed since `known`.
    private func look(
        _ key: Key,
        _ known: CacheFile.Known?
    ) -> (known: CacheFile.Known, isWhole: Bool)? {
        let path = path(of: key)
        if let known, known.stamp == CacheFile.stamp(of: path) { return (known, true) }
        return CacheFile.end(of: path, header: key.header)
    }
}

extension FeedCache {
    /// Adds what has changed, or writes all where that is shorter by now, or where the file ends
    /// with something else than what has changed.
    ///
    /// - Parameters:
    ///   - document: The changes, as the server wrote them.
    ///   - old: The copy that they start from.
    ///   - copy: The copy that they lead to.
    ///   - key: Which feed it is.
    ///   - known: The known state of its file.
    /// - Returns: The state of its file then; `nil`: unknown.
    func append(
        _ document: ServedDocument,
        since old: FeedCopy,
        to copy: FeedCopy,
        as key: Key,
        over known: CacheFile.Known?
    ) -> CacheFile.Known? {
        append(document.json, since: old, to: copy, as: key, over: known)
    }

    /// Adds rows that were loaded, or writes all, as with changes.
    ///
    /// - Parameters:
    ///   - rows: The rows that were inserted.
    ///   - old: The copy that was held before.
    ///   - copy: The copy with these rows, at the same version.
    ///   - key: Which feed it is.
    ///   - known: The known state of its file.
    /// - Returns: The state of its file then; `nil`: unknown.
    func append(
        _ rows: Changes,
        since old: FeedCopy,
        to copy: FeedCopy,
        as key: Key,
        over known: CacheFile.Known?
    ) -> CacheFile.Known? {
        guard let token = copy.token else { return nil }
        let encoder = DocumentEncoder(feed: copy.feed)
        let document = encoder.changes(rows, since: token, token: token, now: copy.viewed)
        return append(document, since: old, to: copy, as: key, over: known)
    }

    private func append(
        _ document: [UInt8],
        since old: FeedCopy,
        to copy: FeedCopy,
        as key: Key,
        over known: CacheFile.Known?
    ) -> CacheFile.Known? {
        guard let end = copy.end else { return nil }
        let path = path(of: key)
        let record = CacheFile.record(document, end)
        var known = known
        // Once more where another process has changed the file, and it ends with the same.
        while let file = known, file.end == old.end {
            switch CacheFile.append(record, to: path, header: key.header, as: file.stamp) {
            case .added(let stamp): return CacheFile.Known(stamp: stamp, end: end)
            case .refused: return write(copy, as: key)
            case .another:
                guard let (now, isWhole) = CacheFile.end(of: path, header: key.header), isWhole,
                    now != known
                else { return write(copy, as: key) }
                if now.end == end || now.end.isBeyond(end) { return now }
                known = now
            }
        }
        return write(copy, as: key, over: known)
    }

    /// Notes that what is kept is current still; where another process has kept less, writes all.
    ///
    /// - Parameters:
    ///   - copy: The current copy.
    ///   - key: Which feed it is.
    ///   - known: The known state of its file.
    /// - Returns: The state of its file then; `nil`: unknown.
    func confirm(_ copy: FeedCopy, as key: Key, over known: CacheFile.Known?) -> CacheFile.Known? {
        // A file that is torn, or not there, waits for the next change: on a full disk nothing is
        // made in vain with each answer.
        guard let (kept, isWhole) = look(key, known), isWhole else { return nil }
        guard kept.end == copy.end else { return write(copy, as: key, over: kept) }
        let path = path(of: key)
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
        guard let stamp = CacheFile.stamp(of: path), stamp.isSameContent(as: kept.stamp) else {
            return kept
        }
        return CacheFile.Known(stamp: stamp, end: kept.end)
    }
}

extension FeedCopy {
    /// The result of the records in its file; `nil` where nothing is held.
    var end: CacheFile.End? {
        token.map { CacheFile.End(token: $0, rowCount: snapshot.count) }
    }
}
