/// The value of a statement's parameter, in SQLite and in PostgreSQL.
enum StatementValue {
    case integer(Int)
    case real(Double)
    case text(String)
    case blob([UInt8])
    /// A number of 64 bits without a sign, which is stored as the signed integer with these bits.
    case bits(UInt64)
}
