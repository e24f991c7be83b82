/// A feed's whole state at one version: its own members, and sections of items.
///
/// It is a value that shares unchanged parts with other versions.
public struct Snapshot: Sendable {
    /// All members except those that belong to the protocol.
    public var members: Members

    /// The sections in order; their ids are unique, and so are the ids of all items.
    ///
    /// Setting them drops the index of ids, which `indexed()` makes again.
    public var sections: SectionList {
        get { list }
        _modify {
            index = nil
            yield &list
        }
    }

    /// The sections, set without dropping ``index``, which must then still be right.
    package var list: SectionList

    /// The index of ids, if it has been made.
    var index: SnapshotIndex?

    /// Makes a snapshot.
    public init(
        members: Members = Members(),
        sections: some Sequence<FeedSection> = SectionList()
    ) {
        self.members = members
        list = SectionList(sections)
    }

    /// The number of items in all sections.
    public var count: Int { list.itemCount }

    /// The check of the order of the items (docs/READING.md, "The snapshot").
    public var order: UInt32 { list.tree.summary.order.value }

    /// The bytes of the JSON of all items.
    package var itemByteCount: Int { list.itemByteCount }
}
