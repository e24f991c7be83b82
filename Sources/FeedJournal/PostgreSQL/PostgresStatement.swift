import CPostgres
import FeedStore

/// An SQL statement with its parameters.
struct PostgresStatement {
    let sql: String
    let parameters: [StatementValue]

    init(_ sql: String, _ parameters: [StatementValue] = []) {
        self.sql = sql
        self.parameters = parameters
    }

    /// Calls `body` with the parameters as libpq takes them.
    func withParameters<Result>(
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<CInt>?, UnsafePointer<CInt>?
        ) -> Result
    ) -> Result {
        var bytes: [UInt8] = []
        var starts: [Int] = []
        var lengths: [CInt] = []
        for parameter in parameters {
            let value = parameter.bytes
            starts.append(bytes.count)
            lengths.append(CInt(value.count))
            bytes += value
            // A text ends with a zero.
            bytes.append(0)
        }
        let formats = parameters.map { $0.isText ? CInt(0) : 1 }
        return bytes.withUnsafeBufferPointer { buffer in
            let values = starts.map { start in
                buffer.baseAddress.map { base in
                    UnsafeRawPointer(base + start).assumingMemoryBound(to: CChar.self)
                }
            }
            return body(values, lengths, formats)
        }
    }
}

/// Sends values: texts as text, all others in binary form.
extension StatementValue {
    /// Returns an array of texts, of which rows that another program wrote may have any.
    static func texts(_ texts: some Sequence<String>) -> StatementValue {
        let quoted = texts.map { text in
            "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        }
        return .text("{\(quoted.joined(separator: ","))}")
    }

    /// Returns an array of numbers.
    static func integers(_ numbers: some Sequence<Int>) -> StatementValue {
        .text("{\(numbers.map(String.init).joined(separator: ","))}")
    }

    fileprivate var isText: Bool { if case .text = self { true } else { false } }

    fileprivate var bytes: [UInt8] {
        switch self {
        case .integer(let number): StatementValue.bytes(UInt64(bitPattern: Int64(number)))
        case .bits(let bits): StatementValue.bytes(bits)
        case .real(let number): StatementValue.bytes(number.bitPattern)
        case .text(let text): Array(text.utf8)
        case .blob(let bytes): bytes
        }
    }

    /// Returns the bytes of a number, the highest first, as PostgreSQL sends numbers.
    private static func bytes(_ word: UInt64) -> [UInt8] {
        withUnsafeBytes(of: word.bigEndian) { Array($0) }
    }
}

/// The rows of a statement's result.
final class PostgresRows {
    private let result: OpaquePointer
    let count: Int

    /// Takes over a result.
    init(_ result: OpaquePointer) {
        self.result = result
        count = Int(freshet_pq_rowCount(result))
    }

    deinit { freshet_pq_clear(result) }

    func isNull(_ row: Int, _ column: Int) -> Bool {
        freshet_pq_isNull(result, CInt(row), CInt(column))
    }

    /// Returns a `bytea` or a `text`.
    func bytes(_ row: Int, _ column: Int) -> [UInt8] {
        let count = Int(freshet_pq_length(result, CInt(row), CInt(column)))
        guard let value = freshet_pq_value(result, CInt(row), CInt(column)) else { return [] }
        return Array(UnsafeRawBufferPointer(start: value, count: count))
    }

    func text(_ row: Int, _ column: Int) -> String {
        String(decoding: bytes(row, column), as: UTF8.self)
    }

    /// Returns a `bigint` as bits.
    func bits(_ row: Int, _ column: Int) -> UInt64 {
        bytes(row, column).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns a `bigint`.
    func integer(_ row: Int, _ column: Int) -> Int {
        Int(Int64(bitPattern: bits(row, column)))
    }

    /// Returns a version's number.
    ///
    /// - Parameter table: The table's name, for the error.
    /// - Throws: An error of damage when the number is not in ``StoredNumber/versions``.
    func version(_ row: Int, _ column: Int, of table: String) throws(PostgresError) -> Int {
        let value = integer(row, column)
        guard StoredNumber.versions.contains(value) else {
            throw .damaged("\(table).version is \(value)")
        }
        return value
    }

    /// Returns a time in seconds since 1970.
    ///
    /// - Parameter name: The table's and column's name, for the error.
    /// - Throws: An error of damage when the time is not in ``StoredNumber/times``.
    func time(_ row: Int, _ column: Int, of name: String) throws(PostgresError) -> Double {
        let value = real(row, column)
        guard StoredNumber.times.contains(value) else {
            throw .damaged("\(name) is \(value)")
        }
        return value
    }

    /// Returns an age in seconds.
    ///
    /// The age is negative if the database's clock was put back.
    func age(_ row: Int, _ column: Int, of name: String) throws(PostgresError) -> Double {
        let value = real(row, column)
        guard StoredNumber.times.contains(value.magnitude) else {
            throw .damaged("\(name) is \(value) seconds ago")
        }
        return value
    }

    /// Returns a `double precision`.
    func real(_ row: Int, _ column: Int) -> Double {
        Double(bitPattern: bits(row, column))
    }

    /// Returns a `boolean`.
    func flag(_ row: Int, _ column: Int) -> Bool {
        bytes(row, column).first == 1
    }
}
