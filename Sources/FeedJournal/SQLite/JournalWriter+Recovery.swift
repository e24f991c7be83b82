import CSQLite
import Dispatch
import FeedModel
import FeedStore
import Synchronization

/// Reads all feeds at the start.
extension JournalWriter {
    /// The most feeds that are parsed at a time, on all cores.
    private static let batchCount = 512
    /// The number of bytes at which a batch of feeds to parse is full.
    private static let batchByteCount = 4 << 20

    /// Reads and checks all feeds and the state beside them.
    ///
    /// - Parameter body: Called with each feed.
    /// - Returns: The state beside the feeds.
    /// - Throws: ``JournalError``, which names the damaged feed and version.
    func recover(_ body: (RecoveredFeed) -> Void) throws(JournalError) -> RecoveredState {
        dispatchPrecondition(condition: .onQueue(queue))
        try attempt { () throws(DatabaseError) in
            latestDeleted = try note("deleted")
            adopted = try note("adopted")
        }
        try recoverFeeds(body)
        return try attempt(recoverState)
    }

    /// Reads all feeds; the rows of a feed's log are freed when the feed was parsed.
    ///
    /// - Parameter body: Called with each feed.
    private func recoverFeeds(_ body: (RecoveredFeed) -> Void) throws(JournalError) {
        var (logs, kept) = try attempt { () throws(DatabaseError) in
            (try logRows(), try feedsWithKept())
        }
        let feeds = try attempt { () throws(DatabaseError) in
            try session.query(
                """
                SELECT name, feed.id, epoch, version, hash, checksum, data
                FROM feed LEFT JOIN base ON base.feed = feed.id ORDER BY feed.id
                """
            )
        }
        var (batch, byteCount): ([StoredFeed], Int) = ([], 0)
        while try attempt(feeds.next) {
            let rows = logs.removeValue(forKey: feeds.integer(1)) ?? []
            let hasKept = kept.remove(feeds.integer(1)) != nil
            let feed = try read(feeds, rows, hasKept: hasKept)
            batch.append(feed)
            byteCount += feed.byteCount
            guard
                batch.count == Self.batchCount || byteCount >= Self.batchByteCount
            else { continue }
            try take(batch, body)
            (batch, byteCount) = ([], 0)
        }
        try take(batch, body)
        guard logs.isEmpty, kept.isEmpty else {
            throw damaged("there are changes of feeds that are not there")
        }
    }

    /// Returns the time stored under a name in the `note` table.
    private func note(_ name: String) throws(DatabaseError) -> Double? {
        let text = try session.value("SELECT value FROM note WHERE name = ?", [.text(name)])
        guard let text else { return nil }
        guard let time = UInt64(text).map({ Double(bitPattern: $0) }),
            StoredNumber.times.contains(time)
        else {
            throw DatabaseError(code: SQLITE_CORRUPT, message: "note.value of \(name) is no time")
        }
        return time
    }

    private func logRows() throws(DatabaseError) -> [Int: [StoredFeed.LogRow]] {
        var logs: [Int: [StoredFeed.LogRow]] = [:]
        let rows = try session.query(
            "SELECT id, feed, version, published, hash, data FROM log ORDER BY id"
        )
        while try rows.next() {
            let number = try rows.integer(0, of: "log.id", in: StoredNumber.counts)
            let row = try rows.logRow(from: 2, of: "log", number: number)
            logs[rows.integer(1), default: []].append(row)
            nextRow = number + 1
        }
        return logs
    }

    /// Puts the rows of one feed together, and reads its chunks.
    private func read(
        _ feed: Statement,
        _ rows: [StoredFeed.LogRow],
        hasKept: Bool
    ) throws(JournalError) -> StoredFeed {
        let base = try attempt { () throws(DatabaseError) in try StoredVersion(feed) }
        guard StoredNumber.counts.contains(base.id) else {
            throw damaged("feed \"\(base.name)\", feed.id is \(base.id)")
        }
        nextFeed = max(nextFeed, base.id + 1)
        do throws(StoredFeed.Damage) {
            return try StoredFeed(
                base,
                checksum: feed.bits(5),
                data: feed.blob(6),
                rows: rows,
                hasKept: hasKept
            ) { row in
                nextChunk = max(nextChunk, row + 1)
                let sql = "SELECT data FROM chunk WHERE id = ?"
                let chunk = try session.query(sql, [.integer(row)])
                return try chunk.next() ? chunk.blob(0) : nil
            }
        } catch {
            throw damaged(error.words)
        }
    }

    private typealias Recovered = Result<(chain: FeedChain, feed: RecoveredFeed), StoredFeed.Damage>

    /// Parses feeds on all cores, and calls `body` with each, in order.
    private func take(
        _ batch: [StoredFeed],
        _ body: (RecoveredFeed) -> Void
    ) throws(JournalError) {
        let (adopted, latestDeleted) = (adopted, latestDeleted)
        let results = Mutex([Recovered?](repeating: nil, count: batch.count))
        DispatchQueue.concurrentPerform(iterations: batch.count) { place in
            let result = Recovered { () throws(StoredFeed.Damage) in
                try batch[place].recovered(latestDeleted: latestDeleted, adopted: adopted)
            }
            results.withLock { $0[place] = result }
        }
        for case let result? in results.withLock({ $0 }) {
            switch result {
            case .success((let chain, let feed)):
                heads[feed.feed] = chain
                body(feed)
            case .failure(let damage): throw damaged(damage.words)
            }
        }
    }

    private func recoverState() throws(DatabaseError) -> RecoveredState {
        var state = RecoveredState()
        var answers: [JournalAnswer] = []
        let rows = try session.query(
            "SELECT id, time, owner, key, fingerprint, response FROM answer ORDER BY id"
        )
        while try rows.next() {
            let row = try rows.integer(0, of: "answer.id", in: StoredNumber.counts)
            let answer = rows.answer(from: 2, at: try rows.time(1, of: "answer.time"))
            nextAnswer = row + 1
            guard answer.time > settings.wall() - JournalAnswer.lifetime else { continue }
            answers.append(answer)
            answerRows[answer.owner, default: []].append(row)
        }
        // If the clock was put back, a request may have an older answer, too.
        var requests: Set<[[UInt8]]> = []
        state.answers = answers.reversed().filter { requests.insert([$0.owner, $0.key]).inserted }
        state.answers.reverse()
        state.latestDeleted = max(latestDeleted ?? 0, adopted ?? 0)
        let sources = try session.query("SELECT name, data FROM source")
        while try sources.next() { state.sources[sources.text(0)] = sources.blob(1) }
        let note = try session.value(
            "SELECT value FROM note WHERE name = ?",
            [.text(DataFolder.oldSources)]
        )
        if let text = note.map({ Array($0.utf8) }) ?? folder.oldSources {
            state.oldSources = (folder.path + "/" + DataFolder.oldSources, text)
            hasOldSources = true
        }
        // The last chunks may belong to no feed any more; their numbers are not used again.
        let last = try session.query("SELECT max(id) FROM chunk")
        if try last.next() {
            let row = try last.integer(0, of: "chunk.id", in: StoredNumber.counts)
            nextChunk = max(nextChunk, row + 1)
        }
        return state
    }
}
