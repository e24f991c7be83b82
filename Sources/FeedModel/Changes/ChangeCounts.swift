/// The numbers of items and sections that a publish inserted, removed, moved and updated, including
/// the items of inserted and removed sections.
public struct ChangeCounts: Sendable, Equatable {
    /// The numbers of items, or of sections.
    public struct Tally: Sendable, Equatable {
        /// The number that were inserted.
        public var inserted = 0
        /// The number that were removed.
        public var removed = 0
        /// The number that changed their position.
        public var moved = 0
        /// The number whose members differ.
        public var updated = 0

        /// Makes a tally of zeros.
        public init() {}
    }

    /// The numbers of items.
    public var items = Tally()
    /// The numbers of sections.
    public var sections = Tally()

    /// Makes counts of zero.
    public init() {}
}
