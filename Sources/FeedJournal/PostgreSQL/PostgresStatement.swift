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
final class PostgresRows: RandomAccessCollection {
    fileprivate let result: OpaquePointer
    let endIndex: Int

    /// Takes over a result.
    init(_ result: OpaquePointer) {
        self.result = result
        endIndex = Int(freshet_pq_rowCount(result))
    }

    deinit { freshet_pq_clear(result) }

    var startIndex: Int { 0 }

    subscript(row: Int) -> PostgresRow { PostgresRow(rows: self, index: CInt(row)) }
}

/// A row of a statement's result.
struct PostgresRow: StoredRow {
    fileprivate let rows: PostgresRows
    fileprivate let index: CInt

    func isNull(_ column: Int) -> Bool {
        freshet_pq_isNull(rows.result, index, CInt(column))
    }

    /// Returns a `bytea` or a `text`.
    func blob(_ column: Int) -> [UInt8] {
        let count = Int(freshet_pq_length(rows.result, index, CInt(column)))
        guard let value = freshet_pq_value(rows.result, index, CInt(column)) else { return [] }
        return Array(UnsafeRawBufferPointer(start: value, count: count))
    }

    /// Returns a `bigint` as bits.
    func bits(_ column: Int) -> UInt64 { blob(column).reduce(0) { $0 << 8 | UInt64($1) } }

    /// Returns a `double precision`.
    func real(_ column: Int) -> Double { Double(bitPattern: bits(column)) }

    /// Returns a `boolean`.
    func flag(_ column: Int) -> Bool { blob(column).first == 1 }

    /// Returns an age in seconds.
    ///
    /// The age is negative if the database's clock was put back.
    func age(_ column: Int, of name: String) throws(PostgresError) -> Double {
        let value = real(column)
        guard StoredNumber.times.contains(value.magnitude) else {
            throw damage("\(name) is \(value) seconds ago")
        }
        return value
    }

    func damage(_ words: String) -> PostgresError { .damaged(words) }
}
