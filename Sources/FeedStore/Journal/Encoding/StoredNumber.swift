/// The bounds of kept numbers: a number outside of them is damage, and is not used.
package enum StoredNumber {
    /// Rows, lengths and positions: sums and small multiples of them do not overflow.
    package static let counts = 0...1 << 53
    /// The numbers of versions, which have at most 18 digits.
    package static let versions = 1...999_999_999_999_999_999
    /// Seconds since 1970, up to the end of the year 9999.
    package static let times = 0.0...253_402_300_799
}
