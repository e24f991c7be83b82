/// The reserve: room that is freed on a full disk, so that feeds can still be deleted.
extension JournalWriter {
    /// The least length of the reserve in bytes: room for moving a whole log into the database, and
    /// for the log itself.
    var leastReserveByteCount: Int { 2 * settings.logByteCount }

    /// Whether there is room for publishes, and not only for deletions.
    ///
    /// After the reserve was used, there is room again when the reserve is restored, or when
    /// deletions have left as much unused room in the database. Otherwise publishes would take the
    /// room that the next deletion needs.
    var hasRoom: Bool {
        guard isShort else { return true }
        takeBackReserve()
        isShort =
            (DataFolder.byteCount(folder.reserve) ?? 0) + unusedByteCount < leastReserveByteCount
        return !isShort
    }

    /// Frees the reserve, and moves the write-ahead log into the database with that room.
    func giveUpReserve() throws(BatchFailure) {
        isShort = true
        folder.freeReserve()
        guard let database else { return }
        do throws(DatabaseError) {
            try database.checkpoint()
        } catch {
            // The entries may fit into the log nevertheless.
            if !error.isFull { throw BatchFailure(error) }
        }
    }

    /// Restores the reserve, as far as there is free room.
    func takeBackReserve() {
        folder.makeReserve(least: leastReserveByteCount, takesAll: true)
    }

    /// The number of bytes in the database's unused pages.
    private var unusedByteCount: Int {
        4096 * ((try? database?.number("PRAGMA freelist_count")) ?? 0)
    }
}
