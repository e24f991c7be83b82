/// How many items and sections a publish inserted, removed, moved and updated; the items of
/// sections that came or went are counted.
public struct ChangeCounts: Sendable, Equatable {
    /// The four numbers of one kind of thing.
    public struct Tally: Sendable, Equatable {
        /// Those that came.
        public var inserted = 0
        /// Those that went.
        public var removed = 0
        /// Those that changed their position.
        public var moved = 0
        /// Those whose members differ.
        public var updated = 0

        /// All zero.
        public init() {}
    }

    /// What became of the items.
    public var items = Tally()
    /// What became of the sections.
    public var sections = Tally()

    /// All zero.
    public init() {}
}
