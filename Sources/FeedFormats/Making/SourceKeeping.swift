/// How long items stay that have left what the source shows.
package enum SourceKeeping: Sendable, Equatable {
    /// They go at once.
    case nothing
    /// So many items are kept, those that the source shows included.
    case count(Int)
    /// Those are kept that were published, or else first seen, within so many seconds.
    case age(Int)
}
