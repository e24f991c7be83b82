/// The rule for how long items stay after the source has dropped them.
package enum SourceKeeping: Sendable, Equatable {
    /// The items go at once.
    case nothing
    /// Items are kept up to this number, including the items that the source shows.
    case count(Int)
    /// Items are kept if they were published, or else first seen, within so many seconds.
    case age(Int)
}
