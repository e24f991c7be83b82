/// What leads from one version of a feed to another: the fewest removals, insertions, moves and
/// updates (docs/PROTOCOL.md, "Applying changes").
///
/// Every index is a position in the final list; each list is in the order in which it applies.
public struct Changes: Sendable, Equatable {
    /// Members to give, whole, and to take away.
    public struct MemberEdit: Sendable, Equatable {
        /// The members that came or differ.
        public var set: [Member]
        /// The names of members that went.
        public var unset: [ExactString]

        /// Whether it changes nothing.
        public var isEmpty: Bool { self.set.isEmpty && unset.isEmpty }

        /// Makes an edit.
        public init(set: [Member] = [], unset: [ExactString] = []) {
            self.set = set
            self.unset = unset
        }
    }

    /// A section that came; its items are in ``Changes/insertedItems``.
    public struct SectionInsertion: Sendable, Equatable {
        /// Its position in the final list.
        public var index: Int
        /// Its id.
        public var id: ExactString
        /// All but its id, count and items.
        public var members: Members
        /// Its full number of items, in a view by section or limit.
        public var fullCount: Int?

        /// Puts its parts together.
        package init(index: Int, id: ExactString, members: Members, fullCount: Int? = nil) {
            self.index = index
            self.id = id
            self.members = members
            self.fullCount = fullCount
        }
    }

    /// A section that changed its order among those that stay.
    public struct SectionMove: Sendable, Equatable {
        /// Its position in the final list.
        public var index: Int
        /// Its id.
        public var id: ExactString

        /// Puts its parts together.
        package init(index: Int, id: ExactString) {
            self.index = index
            self.id = id
        }
    }

    /// A section whose own members, or whose full number of items, differ.
    public struct SectionUpdate: Sendable, Equatable {
        /// Its id.
        public var id: ExactString
        /// What differs in its members.
        public var edit: MemberEdit
        /// Its full number of items where that changed, in a view by section or limit.
        public var fullCount: Int?

        /// Puts its parts together.
        package init(id: ExactString, edit: MemberEdit, fullCount: Int? = nil) {
            self.id = id
            self.edit = edit
            self.fullCount = fullCount
        }
    }

    /// An item that came.
    public struct ItemInsertion: Sendable, Equatable {
        /// The id of its section.
        public var section: ExactString
        /// Its position in the final list of the section.
        public var index: Int
        /// The item.
        public var item: FeedItem

        /// Puts its parts together.
        package init(section: ExactString, index: Int, item: FeedItem) {
            self.section = section
            self.index = index
            self.item = item
        }
    }

    /// An item that changed its section, or its order among those that stay.
    public struct ItemMove: Sendable, Equatable {
        /// The id of its final section.
        public var section: ExactString
        /// Its position in the final list of that section.
        public var index: Int
        /// Its id.
        public var id: ExactString

        /// Puts its parts together.
        package init(section: ExactString, index: Int, id: ExactString) {
            self.section = section
            self.index = index
            self.id = id
        }
    }

    /// An item whose members differ.
    public struct ItemUpdate: Sendable, Equatable {
        /// Its id.
        public var id: ExactString
        /// What differs.
        public var edit: MemberEdit

        /// Puts its parts together.
        package init(id: ExactString, edit: MemberEdit) {
            self.id = id
            self.edit = edit
        }
    }

    /// What differs in the feed's own members.
    public var feed = MemberEdit()
    /// The ids of sections that went.
    public var removedSections: [ExactString] = []
    /// The sections that came, by index.
    public var insertedSections: [SectionInsertion] = []
    /// The sections to move, by index.
    public var movedSections: [SectionMove] = []
    /// The sections that differ, in their final order.
    public var updatedSections: [SectionUpdate] = []
    /// The ids of items that went from sections that stay, in their old order.
    public var removedItems: [ExactString] = []
    /// The items that came, in their final order.
    public var insertedItems: [ItemInsertion] = []
    /// The items to move, in their final order.
    public var movedItems: [ItemMove] = []
    /// The items that differ, in their final order.
    public var updatedItems: [ItemUpdate] = []

    /// No changes.
    public init() {}

    /// Whether nothing changed.
    public var isEmpty: Bool {
        feed.isEmpty && removedSections.isEmpty && insertedSections.isEmpty
            && movedSections.isEmpty && updatedSections.isEmpty && removedItems.isEmpty
            && insertedItems.isEmpty && movedItems.isEmpty && updatedItems.isEmpty
    }
}

/// Why changes do not fit what they were applied to; the snapshot is then to be fetched anew.
public struct ChangesError: Error, Equatable, Sendable {
    /// What did not fit, in words.
    public let reason: String
}
