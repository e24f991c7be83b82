import FeedModel
import FeedStore

/// A row of a result, in SQLite and in PostgreSQL; columns are counted from 0.
protocol StoredRow {
    associatedtype Failure: Error

    /// Returns a number of 64 bits that was stored as ``StatementValue/bits(_:)``; 0 for NULL.
    func bits(_ column: Int) -> UInt64
    func real(_ column: Int) -> Double
    /// Returns the bytes in a column; no bytes for NULL.
    func blob(_ column: Int) -> [UInt8]

    /// Returns the error of damaged data.
    func damage(_ words: String) -> Failure
}

/// Reads single columns.
extension StoredRow {
    /// Returns the integer in a column; 0 for NULL.
    func integer(_ column: Int) -> Int { Int(Int64(bitPattern: bits(column))) }

    /// Returns the text in a column; malformed UTF-8 becomes U+FFFD, and NULL an empty text.
    func text(_ column: Int) -> String { String(decoding: blob(column), as: UTF8.self) }

    /// Returns the integer in a column, checked against its bounds.
    ///
    /// - Parameter name: The names of the table and the column, for the error.
    func integer(
        _ column: Int,
        of name: String,
        in bounds: ClosedRange<Int>
    ) throws(Failure) -> Int {
        let value = integer(column)
        guard bounds.contains(value) else { throw damage("\(name) is \(value)") }
        return value
    }

    /// Returns the time in a column, in seconds since 1970.
    ///
    /// - Parameter name: The names of the table and the column, for the error.
    /// - Throws: An error of damage if the time is not in ``StoredNumber/times``.
    func time(_ column: Int, of name: String) throws(Failure) -> Double {
        let value = real(column)
        guard StoredNumber.times.contains(value) else { throw damage("\(name) is \(value)") }
        return value
    }
}

/// Reads the rows of tables that both databases have.
extension StoredRow {
    /// Reads a version after the base from four columns: its number, time and check, and the record
    /// of its changes.
    ///
    /// - Parameter number: See ``FeedChain/Row/number``.
    func logRow(
        from first: Int,
        of table: String,
        number: Int = 0
    ) throws(Failure) -> StoredFeed.LogRow {
        let data = blob(first + 3)
        let row = FeedChain.Row(
            number: number,
            version: try integer(first, of: "\(table).version", in: StoredNumber.versions),
            published: try time(first + 1, of: "\(table).published"),
            hash: bits(first + 2),
            dataByteCount: data.count
        )
        return (row, data)
    }

    /// Reads a version that a feed can be taken back to.
    func keptVersion(of feed: FeedName, hasContent: Bool) throws(Failure) -> KeptVersion {
        do throws(ByteReader.Failure) {
            return try KeptVersion(
                version: integer(0),
                superseded: real(1),
                notes: blob(2),
                checksum: bits(3),
                content: hasContent ? blob(4) : nil
            )
        } catch {
            throw damage("feed \"\(feed)\", kept version \(integer(0))")
        }
    }

    /// Reads an answer from four columns: its owner, key, fingerprint and response.
    func answer(from first: Int, at time: Double) -> JournalAnswer {
        JournalAnswer(
            owner: blob(first),
            key: blob(first + 1),
            fingerprint: blob(first + 2),
            response: blob(first + 3),
            time: time
        )
    }
}

extension StoredVersion {
    /// Reads a version from five columns: the feed's name, incarnation and epoch, the version and
    /// its check.
    ///
    /// - Throws: An error of damage if no feed can have the name.
    init<Row: StoredRow>(_ row: Row, from first: Int = 0) throws(Row.Failure) {
        let text = row.text(first)
        guard let name = FeedName(text) else {
            throw row.damage("a feed has the name \"\(text)\"")
        }
        self.name = name
        id = row.integer(first + 1)
        epoch = row.text(first + 2)
        version = row.integer(first + 3)
        hash = row.bits(first + 4)
    }
}
