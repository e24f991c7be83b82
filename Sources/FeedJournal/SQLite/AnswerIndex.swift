/// Which answers are kept, and which are to go.
struct AnswerIndex {
    /// What an answer is found by.
    struct Key: Hashable {
        let owner: [UInt8]
        let key: [UInt8]
    }

    private struct Entry {
        let row: Int
        let key: Key
        let time: Double
    }

    /// The row of each.
    private var keys: [Key: Int] = [:]
    /// For each owner, the oldest first, from `heads` on.
    private var owners: [[UInt8]: [Entry]] = [:]

    /// The row of an answer to the same.
    func row(of answer: JournalAnswer) -> Int? {
        keys[Key(owner: answer.owner, key: answer.key)]
    }

    /// Takes note of an answer that is kept.
    mutating func add(_ answer: JournalAnswer, row: Int) {
        let key = Key(owner: answer.owner, key: answer.key)
        keys[key] = row
        owners[answer.owner, default: []].append(Entry(row: row, key: key, time: answer.time))
    }

    /// The rows that have outlived their time or their number; no more than a few hundred at once.
    func stale(at time: Double) -> [Int] {
        var rows: [Int] = []
        for entries in owners.values {
            let excess = entries.count - JournalAnswer.countLimit
            for (index, entry) in entries.enumerated() {
                guard rows.count < 256 else { return rows }
                guard index < excess || entry.time < time - JournalAnswer.lifetime else { break }
                rows.append(entry.row)
            }
        }
        return rows
    }

    /// Takes note that rows are gone.
    mutating func remove(_ rows: [Int]) {
        guard !rows.isEmpty else { return }
        let gone = Set(rows)
        for owner in Array(owners.keys) {
            let leaving = owners[owner]?.prefix { gone.contains($0.row) } ?? []
            for entry in leaving where keys[entry.key] == entry.row { keys[entry.key] = nil }
            owners[owner]?.removeFirst(leaving.count)
            if owners[owner]?.isEmpty == true { owners[owner] = nil }
        }
    }
}
