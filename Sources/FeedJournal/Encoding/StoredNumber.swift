/// The bounds of numbers that are kept: what is outside of them is damage, and is not counted with.
package enum StoredNumber {
    /// Rows, lengths and places: sums and small multiples of them are numbers as well.
    package static let counts = 0...1 << 53
    /// Versions, which have at most 18 digits.
    package static let versions = 1...999_999_999_999_999_999
    /// Seconds since 1970, up to the end of the year 9999.
    package static let times = 0.0...253_402_300_799
}
