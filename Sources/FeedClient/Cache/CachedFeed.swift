import FeedDiff
import FeedModel
import Foundation

/// Writing feeds, and appending changes.
extension FeedCache {
    /// Writes a whole feed, unless the file is already ahead of it.
    ///
    /// - Parameters:
    ///   - copy: The feed.
    ///   - key: The key of the feed's file.
    ///   - known: The known state of the file.
    /// - Returns: The state of the file afterwards; `nil`: unknown.
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

    /// Writes a whole feed by the server's own document, unless the file is already ahead of it.
    ///
    /// - Parameters:
    ///   - document: A snapshot.
    ///   - copy: The copy that holds the snapshot.
    ///   - key: The key of the feed's file.
    ///   - known: The known state of the file.
    /// - Returns: The state of the file afterwards; `nil`: unknown.
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
        if let (kept, isWhole) = knownState(key, known), kept.end.isBeyond(end) {
            return isWhole ? kept : nil
        }
        let bytes = CacheFile.bytes(header: key.header, document(), end)
        // Errors are ignored: on a full disk the feed is fetched again the next time.
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let isWritten =
            (try? bytes.write(to: url(of: key), options: FeedCache.writingOptions)) != nil
        let stamp = CacheFile.stamp(of: path(of: key))
        excludeFromBackup()
        prune(keeping: key)
        guard isWritten, let stamp, stamp.byteCount == bytes.count else { return nil }
        return CacheFile.Known(stamp: stamp, end: end)
    }

    /// Returns the state of a feed's file, which is read only if it has changed since `known`.
    private func knownState(
        _ key: Key,
        _ known: CacheFile.Known?
    ) -> (known: CacheFile.Known, isWhole: Bool)? {
        let path = path(of: key)
        if let known, known.stamp == CacheFile.stamp(of: path) { return (known, true) }
        return CacheFile.end(of: path, header: key.header)
    }
}

extension FeedCache {
    /// Appends changes to a feed's file.
    ///
    /// The whole feed is written instead if the file would become too long, or does not end with
    /// the version that the changes start from.
    ///
    /// - Parameters:
    ///   - document: The server's document of changes.
    ///   - old: The copy before the changes.
    ///   - copy: The copy after the changes.
    ///   - key: The key of the feed's file.
    ///   - known: The known state of the file.
    /// - Returns: The state of the file afterwards; `nil`: unknown.
    func append(
        _ document: ServedDocument,
        since old: FeedCopy,
        to copy: FeedCopy,
        as key: Key,
        over known: CacheFile.Known?
    ) -> CacheFile.Known? {
        append(document.json, since: old, to: copy, as: key, over: known)
    }

    /// Appends rows that were loaded, or writes the whole feed, as with changes.
    ///
    /// - Parameters:
    ///   - rows: The loaded rows, as insertions.
    ///   - old: The copy without these rows.
    ///   - copy: The copy with these rows, at the same version.
    ///   - key: The key of the feed's file.
    ///   - known: The known state of the file.
    /// - Returns: The state of the file afterwards; `nil`: unknown.
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
        // If another process has changed the file, but it ends with the same version, the record is
        // appended in a second attempt.
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

    /// Records in the file's date that the feed is still current.
    ///
    /// If the file has another version, the whole feed is written.
    ///
    /// - Parameters:
    ///   - copy: The current copy.
    ///   - key: The key of the feed's file.
    ///   - known: The known state of the file.
    /// - Returns: The state of the file afterwards; `nil`: unknown.
    func confirm(_ copy: FeedCopy, as key: Key, over known: CacheFile.Known?) -> CacheFile.Known? {
        // A damaged or missing file is written with the next change: on a full disk, nothing is
        // attempted with each response.
        guard let (kept, isWhole) = knownState(key, known), isWhole else { return nil }
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
    /// The result that the records of the copy's file have; `nil`: the copy is empty.
    var end: CacheFile.End? {
        token.map { CacheFile.End(token: $0, rowCount: snapshot.count) }
    }
}
