import FeedStore

/// An index in memory of the responses kept for repeated requests (``JournalAnswer``), by request
/// and by age.
struct AnswerIndex {
    /// The owner and the key that an answer is found by.
    struct Key: Hashable {
        let owner: [UInt8]
        let key: [UInt8]
    }

    private struct Entry {
        let row: Int
        let key: Key
        let time: Double
    }

    /// The newest entry of each key.
    private var keys: [Key: Entry] = [:]
    /// The entries of each owner, the oldest first.
    private var owners: [[UInt8]: [Entry]] = [:]

    /// Whether there is an answer to the same request that has not expired.
    func contains(_ answer: JournalAnswer) -> Bool {
        guard let entry = keys[Key(owner: answer.owner, key: answer.key)] else { return false }
        // An answer with a future time was kept before the clock was put back.
        return abs(answer.time - entry.time) <= JournalAnswer.lifetime
    }

    /// Adds an answer.
    mutating func add(_ answer: JournalAnswer, row: Int) {
        let key = Key(owner: answer.owner, key: answer.key)
        let entry = Entry(row: row, key: key, time: answer.time)
        keys[key] = entry
        owners[answer.owner, default: []].append(entry)
    }

    /// Whether a row has the newest answer to its request.
    func isNewest(_ answer: JournalAnswer, row: Int) -> Bool {
        keys[Key(owner: answer.owner, key: answer.key)]?.row == row
    }

    /// Returns the rows that have expired, or exceed their owner's limit.
    ///
    /// - Parameters:
    ///   - time: The current time, in seconds since 1970.
    ///   - limit: The most rows to return.
    func stale(at time: Double, atMost limit: Int) -> [Int] {
        var rows: [Int] = []
        for entries in owners.values {
            let excess = entries.count - JournalAnswer.countLimit
            for (index, entry) in entries.enumerated() {
                guard rows.count < limit else { return rows }
                guard index < excess || entry.time < time - JournalAnswer.lifetime else { break }
                rows.append(entry.row)
            }
        }
        return rows
    }

    /// Removes the entries of rows that were deleted.
    mutating func remove(_ rows: [Int]) {
        guard !rows.isEmpty else { return }
        let gone = Set(rows)
        for owner in Array(owners.keys) {
            let leaving = owners[owner]?.prefix { gone.contains($0.row) } ?? []
            for entry in leaving where keys[entry.key]?.row == entry.row { keys[entry.key] = nil }
            owners[owner]?.removeFirst(leaving.count)
            if owners[owner]?.isEmpty == true { owners[owner] = nil }
        }
    }
}
