/// The ranges of valid numbers in the journal's records.
///
/// A number outside its range means that the record is damaged.
package enum StoredNumber {
    /// The range of row numbers, lengths and positions.
    ///
    /// Sums and small multiples of such numbers do not overflow an `Int`.
    package static let counts = 0...1 << 53
    /// The range of version numbers, which have at most 18 digits.
    package static let versions = 1...999_999_999_999_999_999
    /// The range of times in seconds since 1970, up to the end of the year 9999.
    package static let times = 0.0...253_402_300_799
}
