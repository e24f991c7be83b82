import FeedModel

/// Reads sections and items at positions that mostly ascend: those that stand together are found
/// together.
struct ListReader {
    private let list: SectionList
    /// The part of the list that was read last, and the position at which it begins.
    private var sections: (entries: ContiguousArray<TreeEntry<FeedSection>>, start: Int) = ([], 0)
    /// The same of a section's items.
    private var items: (entries: ContiguousArray<TreeEntry<FeedItem>>, start: Int) = ([], 0)
    private var itemSection: (position: Int, items: ItemList)?

    init(_ list: SectionList) {
        self.list = list
    }

    /// A section that is there.
    mutating func section(at position: Int) -> FeedSection {
        find(position)
        return sections.entries[position - sections.start].element
    }

    /// The id of a section that is there, which costs less than the whole of it.
    mutating func id(ofSection position: Int) -> ExactString {
        find(position)
        return sections.entries[position - sections.start].element.id
    }

    /// An item that is there.
    mutating func item(at position: ItemPosition) -> FeedItem {
        let (section, index) = (Int(position.section), Int(position.index))
        if itemSection?.position != section {
            find(section)
            itemSection = (section, sections.entries[section - sections.start].element.items)
            items = ([], 0)
        }
        if !items.entries.indices.contains(index - items.start), let list = itemSection?.items {
            items = list.leaf(around: index)
        }
        return items.entries[index - items.start].element
    }

    private mutating func find(_ position: Int) {
        guard !sections.entries.indices.contains(position - sections.start) else { return }
        sections = list.leaf(around: position)
    }
}
