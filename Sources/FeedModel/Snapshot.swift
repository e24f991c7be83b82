/// A feed's whole state at one version: members of its own, and sections of items.
///
/// A value whose parts are shared with other versions.
public struct Snapshot: Sendable {
    /// All but what belongs to the protocol.
    public var members: Members

    /// In order; their ids differ, and so do the ids of all their items.
    ///
    /// Setting them forgets where ids are, which `indexed()` finds out again.
    public var sections: SectionList {
        get { list }
        _modify {
            index = nil
            yield &list
        }
    }

    /// The same sections; setting them leaves ``index`` as it is, which must then be right.
    package var list: SectionList

    /// Where ids are, if that was found out.
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

    /// The check on the order of the items (docs/PROTOCOL.md, "The snapshot").
    public var order: UInt32 { list.tree.summary.order.value }

    /// The bytes of the JSON of all items.
    package var itemByteCount: Int { list.itemByteCount }
}
