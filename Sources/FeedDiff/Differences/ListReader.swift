import FeedModel

/// Reads sections and items at mostly ascending positions: neighbours are found with one search.
struct ListReader {
    private let list: SectionList
    /// The leaf of the list that was read last, and the position at which it begins.
    private var sections: (entries: ContiguousArray<TreeEntry<FeedSection>>, start: Int) = ([], 0)
    /// The leaf of a section's items that was read last, and the index at which it begins.
    private var items: (entries: ContiguousArray<TreeEntry<FeedItem>>, start: Int) = ([], 0)
    private var itemSection: (position: Int, items: ItemList)?

    init(_ list: SectionList) {
        self.list = list
    }

    /// Returns the section at a valid position.
    mutating func section(at position: Int) -> FeedSection {
        find(position)
        return sections.entries[position - sections.start].element
    }

    /// Returns the id of the section at a valid position, which costs less than the whole section.
    mutating func id(ofSection position: Int) -> ExactString {
        find(position)
        return sections.entries[position - sections.start].element.id
    }

    /// Returns the item at a valid position.
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
