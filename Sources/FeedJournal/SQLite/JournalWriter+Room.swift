/// Room on a disk that is full.
extension JournalWriter {
    /// The least bytes of the reserve: room for moving a whole log into the database, and for a
    /// log.
    var leastReserveByteCount: Int { 2 * settings.logByteCount }

    /// Whether publishes are written, rather than deletions alone.
    ///
    /// Once the reserve was needed, publishes are written again when it is back, or when the
    /// database has as much free room inside, which deletions have left. Otherwise publishes would
    /// take the room that the next deletion needs.
    var hasRoom: Bool {
        guard isShort else { return true }
        takeBackReserve()
        isShort =
            (DataFolder.byteCount(folder.reserve) ?? 0) + unusedByteCount < leastReserveByteCount
        return !isShort
    }

    /// Gives the reserve up, and moves the log into the database with it.
    func giveUpReserve() throws(BatchFailure) {
        isShort = true
        folder.freeReserve()
        guard let (database, _) = connection else { return }
        do throws(DatabaseError) {
            try database.checkpoint()
        } catch {
            // The entries may fit into the log none the less.
            if !error.isFull { throw BatchFailure(error, isCommit: false, JournalBatch()) }
        }
    }

    /// Fills the reserve again, as far as there is free room.
    func takeBackReserve() {
        folder.makeReserve(least: leastReserveByteCount, takesAll: true)
    }

    /// The number of unused bytes in the database's file.
    private var unusedByteCount: Int {
        guard let (database, _) = connection else { return 0 }
        guard let text = try? database.value("PRAGMA freelist_count"), let count = Int(text) else {
            return 0
        }
        return count * 4096
    }
}
