/// The changes from one version of a feed to another: the fewest removals, insertions, moves and
/// updates (docs/READING.md, "Applying changes").
///
/// Every index is a position in the final list. The elements of each list are in the order in which
/// they are applied.
public struct Changes: Sendable, Equatable {
    /// The edit of an object's members: those to set to a new value, and those to remove.
    public struct MemberEdit: Sendable, Equatable {
        /// The members that are new or differ.
        public var set: [Member]
        /// The names of removed members.
        public var unset: [ExactString]

        /// Whether the edit changes no member.
        public var isEmpty: Bool { self.set.isEmpty && unset.isEmpty }

        /// Makes an edit.
        public init(set: [Member] = [], unset: [ExactString] = []) {
            self.set = set
            self.unset = unset
        }
    }

    /// An inserted section; its items are in ``Changes/insertedItems``.
    public struct SectionInsertion: Sendable, Equatable {
        /// The position in the final list.
        public var index: Int
        /// The section's id.
        public var id: ExactString
        /// All members but the id, the count and the items.
        public var members: Members
        /// The number of items of the whole section, if the client's view is by section or limit;
        /// `nil`: the view is the whole feed.
        public var fullCount: Int?

        /// Makes an insertion from its parts.
        package init(index: Int, id: ExactString, members: Members, fullCount: Int? = nil) {
            self.index = index
            self.id = id
            self.members = members
            self.fullCount = fullCount
        }
    }

    /// A section whose order among the sections that stay has changed.
    public struct SectionMove: Sendable, Equatable {
        /// The position in the final list.
        public var index: Int
        /// The section's id.
        public var id: ExactString

        /// Makes a move from its parts.
        package init(index: Int, id: ExactString) {
            self.index = index
            self.id = id
        }
    }

    /// A section whose members differ, or its number of items in the whole feed.
    public struct SectionUpdate: Sendable, Equatable {
        /// The section's id.
        public var id: ExactString
        /// The edit of the section's members.
        public var edit: MemberEdit
        /// The new number of items of the whole section, in a view by section or limit; `nil`: it
        /// has not changed, or the view is the whole feed.
        public var fullCount: Int?

        /// Makes an update from its parts.
        package init(id: ExactString, edit: MemberEdit, fullCount: Int? = nil) {
            self.id = id
            self.edit = edit
            self.fullCount = fullCount
        }
    }

    /// An inserted item.
    public struct ItemInsertion: Sendable, Equatable {
        /// The id of the item's section.
        public var section: ExactString
        /// The position in the final list of the section.
        public var index: Int
        /// The item.
        public var item: FeedItem

        /// Makes an insertion from its parts.
        package init(section: ExactString, index: Int, item: FeedItem) {
            self.section = section
            self.index = index
            self.item = item
        }
    }

    /// An item whose section, or whose order among the items that stay, has changed.
    public struct ItemMove: Sendable, Equatable {
        /// The id of the final section.
        public var section: ExactString
        /// The position in the final list of that section.
        public var index: Int
        /// The item's id.
        public var id: ExactString

        /// Makes a move from its parts.
        package init(section: ExactString, index: Int, id: ExactString) {
            self.section = section
            self.index = index
            self.id = id
        }
    }

    /// An item whose members differ.
    public struct ItemUpdate: Sendable, Equatable {
        /// The item's id.
        public var id: ExactString
        /// The edit of the item's members.
        public var edit: MemberEdit

        /// Makes an update from its parts.
        package init(id: ExactString, edit: MemberEdit) {
            self.id = id
            self.edit = edit
        }
    }

    /// The edit of the feed's own members.
    public var feed = MemberEdit()
    /// The ids of removed sections.
    public var removedSections: [ExactString] = []
    /// The inserted sections, by index.
    public var insertedSections: [SectionInsertion] = []
    /// The moved sections, by index.
    public var movedSections: [SectionMove] = []
    /// The updated sections, in their final order.
    public var updatedSections: [SectionUpdate] = []
    /// The ids of items removed from sections that stay, in their old order.
    public var removedItems: [ExactString] = []
    /// The inserted items, in their final order.
    public var insertedItems: [ItemInsertion] = []
    /// The moved items, in their final order.
    public var movedItems: [ItemMove] = []
    /// The updated items, in their final order.
    public var updatedItems: [ItemUpdate] = []

    /// Makes an empty set of changes.
    public init() {}

    /// Whether there are no changes.
    public var isEmpty: Bool {
        feed.isEmpty && sectionChangeCount == 0 && itemChangeCount == 0
    }

    /// The number of removals, insertions, moves and updates of sections.
    package var sectionChangeCount: Int {
        removedSections.count + insertedSections.count + movedSections.count
            + updatedSections.count
    }

    /// The number of removals, insertions, moves and updates of items.
    package var itemChangeCount: Int {
        removedItems.count + insertedItems.count + movedItems.count + updatedItems.count
    }
}

/// The error for changes that do not fit the snapshot to which they were applied; the client must
/// then fetch a snapshot.
public struct ChangesError: Error, Equatable, Sendable {
    /// The description of the mismatch.
    public let reason: String
}

/// The numbers of items and sections that a publish inserted, removed, moved and updated, including
/// the items of inserted and removed sections.
public struct ChangeCounts: Sendable, Equatable {
    /// The numbers of items, or of sections.
    public struct Tally: Sendable, Equatable, Decodable {
        /// The number that were inserted.
        public var inserted: Int
        /// The number that were removed.
        public var removed: Int
        /// The number that changed their position.
        public var moved: Int
        /// The number whose members differ.
        public var updated: Int

        /// Makes a tally.
        public init(inserted: Int = 0, removed: Int = 0, moved: Int = 0, updated: Int = 0) {
            self.inserted = inserted
            self.removed = removed
            self.moved = moved
            self.updated = updated
        }
    }

    /// The numbers of items.
    public var items: Tally
    /// The numbers of sections.
    public var sections: Tally

    /// Makes counts.
    public init(items: Tally = Tally(), sections: Tally = Tally()) {
        self.items = items
        self.sections = sections
    }
}
