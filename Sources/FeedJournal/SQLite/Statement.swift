import CSQLite
import FeedStore

/// A prepared statement of SQLite; columns are counted from 0.
final class Statement {
    /// The value of a parameter.
    enum Value {
        case integer(Int)
        case real(Double)
        case text(String)
        case blob([UInt8])
        /// A number that is stored as the signed integer with the same bits.
        case bits(UInt64)
    }

    private let handle: OpaquePointer
    private let database: Database

    init(_ handle: OpaquePointer, of database: Database) {
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs the statement once, and ignores its rows.
    func run(_ values: Value...) throws(DatabaseError) {
        try bind(values)
        defer { reset() }
        _ = try next()
    }

    /// Sets the parameters, from the first on.
    func bind(_ values: [Value]) throws(DatabaseError) {
        for (index, value) in values.enumerated() {
            let index = CInt(index + 1)
            switch value {
            case .integer(let value):
                try check(sqlite3_bind_int64(handle, index, Int64(value)))
            case .bits(let value):
                let bits = Int64(bitPattern: value)
                try check(sqlite3_bind_int64(handle, index, bits))
            case .real(let value): try check(sqlite3_bind_double(handle, index, value))
            case .text(let value):
                let count = UInt64(value.utf8.count)
                try check(freshet_bind_text(handle, index, value, count))
            case .blob(let bytes) where bytes.isEmpty:
                try check(sqlite3_bind_zeroblob(handle, index, 0))
            case .blob(let bytes):
                try check(freshet_bind_blob(handle, index, bytes, UInt64(bytes.count)))
            }
        }
    }

    /// Goes to the next row; the first call after ``bind(_:)`` goes to the first row.
    ///
    /// - Returns: Whether there is a row.
    func next() throws(DatabaseError) -> Bool {
        let code = sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            try check(code)
            return false
        }
    }

    /// Makes the statement ready to run again, without parameters.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    private func check(_ code: CInt) throws(DatabaseError) {
        try database.check(code)
    }

    /// Returns the integer in a column of the current row; 0 for NULL.
    func integer(_ column: Int) -> Int { Int(sqlite3_column_int64(handle, CInt(column))) }

    /// Returns the integer in a column, checked against its bounds.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - table: The table's name, for the error.
    ///   - bounds: The valid values.
    /// - Throws: A ``DatabaseError`` with the code `SQLITE_CORRUPT` if the integer is not in
    ///   `bounds`.
    func integer(
        _ column: Int,
        of table: String,
        in bounds: ClosedRange<Int>
    ) throws(DatabaseError) -> Int {
        let value = integer(column)
        guard bounds.contains(value) else { throw damage(column, of: table, "\(value)") }
        return value
    }

    /// Returns the time in a column, in seconds since 1970.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - table: The table's name, for the error.
    /// - Throws: A ``DatabaseError`` with the code `SQLITE_CORRUPT` if the time is not in
    ///   ``StoredNumber/times``.
    func time(_ column: Int, of table: String) throws(DatabaseError) -> Double {
        let value = real(column)
        guard StoredNumber.times.contains(value) else {
            throw damage(column, of: table, "\(value)")
        }
        return value
    }

    private func damage(_ column: Int, of table: String, _ value: String) -> DatabaseError {
        let name = sqlite3_column_name(handle, CInt(column)).map { String(cString: $0) } ?? ""
        return DatabaseError(code: SQLITE_CORRUPT, message: "\(table).\(name) is \(value)")
    }

    /// Returns a number that was stored as ``Value/bits(_:)``.
    func bits(_ column: Int) -> UInt64 {
        UInt64(bitPattern: sqlite3_column_int64(handle, CInt(column)))
    }

    func real(_ column: Int) -> Double { sqlite3_column_double(handle, CInt(column)) }

    /// Returns the text in a column; malformed UTF-8 becomes U+FFFD, and NULL an empty text.
    func text(_ column: Int) -> String {
        String(decoding: blob(column), as: UTF8.self)
    }

    /// Returns the bytes in a column; no bytes for NULL.
    func blob(_ column: Int) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, CInt(column)) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, CInt(column)))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
