/// The content of a table: the identifiers of its sections, and of the items in each section.
///
/// No identifier occurs twice.
///
/// Follows `NSDiffableDataSourceSnapshot`. An operation that throws changes nothing.
public struct DiffableDataSourceSnapshot<Section: Hashable & Sendable, Item: Hashable & Sendable>:
    Sendable
{
    /// The sections in order.
    public private(set) var sectionIdentifiers: [Section] = []
    /// The items whose rows get new cells when the snapshot is applied.
    public private(set) var reloadedItemIdentifiers: Set<Item> = []
    /// The items whose cells stay and are configured again when the snapshot is applied.
    public private(set) var reconfiguredItemIdentifiers: Set<Item> = []
    /// The sections whose rows get new cells when the snapshot is applied.
    public private(set) var reloadedSectionIdentifiers: Set<Section> = []

    private var items: [Section: [Item]] = [:]
    private var sections: [Item: Section] = [:]

    /// Makes an empty snapshot.
    public init() {}

    /// The items of all sections, in order.
    public var itemIdentifiers: [Item] { sectionIdentifiers.flatMap { items[$0] ?? [] } }
    /// The number of items of all sections.
    public var numberOfItems: Int { sections.count }
    /// The number of sections.
    public var numberOfSections: Int { sectionIdentifiers.count }

    /// Returns the items of a section; none if there is no such section.
    public func itemIdentifiers(inSection section: Section) -> [Item] { items[section] ?? [] }

    /// Returns the number of items in a section.
    public func numberOfItems(inSection section: Section) -> Int { items[section]?.count ?? 0 }

    /// Returns the section that an item is in.
    public func sectionIdentifier(containingItem item: Item) -> Section? { sections[item] }

    /// Returns the position of an item among the items of all sections.
    public func indexOfItem(_ item: Item) -> Int? {
        guard let section = sections[item], let index = items[section]?.firstIndex(of: item)
        else { return nil }
        let before = sectionIdentifiers.prefix { $0 != section }
        return before.reduce(index) { $0 + (items[$1]?.count ?? 0) }
    }

    /// Returns the position of a section.
    public func indexOfSection(_ section: Section) -> Int? {
        items[section] == nil ? nil : sectionIdentifiers.firstIndex(of: section)
    }
}

/// The side of an element on which another one is inserted.
private enum Side {
    case before, after

    var distance: Int { self == .after ? 1 : 0 }
}

/// Reads and changes sections.
extension DiffableDataSourceSnapshot {
    /// Adds sections at the end.
    public mutating func appendSections(_ new: [Section]) throws(FeedUIError) {
        try insert(new, at: sectionIdentifiers.count)
    }

    /// Inserts sections before another.
    public mutating func insertSections(
        _ new: [Section],
        beforeSection other: Section
    ) throws(FeedUIError) {
        try insert(new, at: try index(of: other))
    }

    /// Inserts sections after another.
    public mutating func insertSections(
        _ new: [Section],
        afterSection other: Section
    ) throws(FeedUIError) {
        try insert(new, at: try index(of: other) + 1)
    }

    /// Removes sections with their items.
    public mutating func deleteSections(_ old: [Section]) throws(FeedUIError) {
        for section in old { _ = try index(of: section) }
        let gone = Set(old)
        for section in gone {
            for item in items.removeValue(forKey: section) ?? [] { forget(item) }
        }
        reloadedSectionIdentifiers.subtract(gone)
        sectionIdentifiers.removeAll { gone.contains($0) }
    }

    /// Moves a section before another.
    public mutating func moveSection(
        _ section: Section,
        beforeSection other: Section
    ) throws(FeedUIError) {
        try move(section, .before, other)
    }

    /// Moves a section after another.
    public mutating func moveSection(
        _ section: Section,
        afterSection other: Section
    ) throws(FeedUIError) {
        try move(section, .after, other)
    }

    /// Marks sections to be reloaded.
    public mutating func reloadSections(_ sections: [Section]) throws(FeedUIError) {
        for section in sections { _ = try index(of: section) }
        reloadedSectionIdentifiers.formUnion(sections)
    }

    private mutating func insert(_ new: [Section], at index: Int) throws(FeedUIError) {
        var seen: Set<Section> = []
        for section in new where items[section] != nil || !seen.insert(section).inserted {
            throw FeedUIError("section \(section) would be there twice")
        }
        sectionIdentifiers.insert(contentsOf: new, at: index)
        for section in new { items[section] = [] }
    }

    private mutating func move(
        _ section: Section,
        _ side: Side,
        _ other: Section
    ) throws(FeedUIError) {
        let from = try index(of: section)
        _ = try index(of: other)
        guard section != other else { return }
        sectionIdentifiers.remove(at: from)
        sectionIdentifiers.insert(section, at: try index(of: other) + side.distance)
    }

    private func index(of section: Section) throws(FeedUIError) -> Int {
        guard let index = indexOfSection(section) else {
            throw FeedUIError("there is no section \(section)")
        }
        return index
    }
}

/// Reads and changes items.
extension DiffableDataSourceSnapshot {
    /// Adds items at the end of a section.
    ///
    /// - Parameters:
    ///   - new: The items.
    ///   - section: The section; `nil`: the last one.
    /// - Throws: ``FeedUIError`` if there is no such section, or an item is there already.
    public mutating func appendItems(
        _ new: [Item],
        toSection section: Section? = nil
    ) throws(FeedUIError) {
        guard let section = section ?? sectionIdentifiers.last else {
            throw FeedUIError("there is no section to put items in")
        }
        _ = try index(of: section)
        try insert(new, in: section, at: items[section]?.count ?? 0)
    }

    /// Inserts items before another, in its section.
    public mutating func insertItems(_ new: [Item], beforeItem other: Item) throws(FeedUIError) {
        let (section, row) = try position(ofItem: other)
        try insert(new, in: section, at: row)
    }

    /// Inserts items after another, in its section.
    public mutating func insertItems(_ new: [Item], afterItem other: Item) throws(FeedUIError) {
        let (section, row) = try position(ofItem: other)
        try insert(new, in: section, at: row + 1)
    }

    /// Removes items.
    public mutating func deleteItems(_ old: [Item]) throws(FeedUIError) {
        try check(old)
        let gone = Set(old)
        for section in Set(old.compactMap { sections[$0] }) {
            items[section]?.removeAll { gone.contains($0) }
        }
        for item in gone { forget(item) }
    }

    /// Removes all sections and items.
    public mutating func deleteAllItems() {
        self = DiffableDataSourceSnapshot()
    }

    /// Moves an item before another, into that one's section.
    public mutating func moveItem(_ item: Item, beforeItem other: Item) throws(FeedUIError) {
        try move(item, .before, other)
    }

    /// Moves an item after another, into that one's section.
    public mutating func moveItem(_ item: Item, afterItem other: Item) throws(FeedUIError) {
        try move(item, .after, other)
    }

    /// Marks items to be reloaded: their rows get new cells.
    public mutating func reloadItems(_ items: [Item]) throws(FeedUIError) {
        try check(items)
        reloadedItemIdentifiers.formUnion(items)
    }

    /// Marks items to be reconfigured: their rows keep their cells, which are configured again.
    public mutating func reconfigureItems(_ items: [Item]) throws(FeedUIError) {
        try check(items)
        reconfiguredItemIdentifiers.formUnion(items)
    }

    /// Removes all marks for reloading and reconfiguring, after the snapshot was applied.
    mutating func forgetReloads() {
        reloadedItemIdentifiers = []
        reconfiguredItemIdentifiers = []
        reloadedSectionIdentifiers = []
    }

    private mutating func insert(
        _ new: [Item],
        in section: Section,
        at row: Int
    ) throws(FeedUIError) {
        var seen: Set<Item> = []
        for item in new where sections[item] != nil || !seen.insert(item).inserted {
            throw FeedUIError("item \(item) would be there twice")
        }
        items[section]?.insert(contentsOf: new, at: row)
        for item in new { sections[item] = section }
    }

    private mutating func move(_ item: Item, _ side: Side, _ other: Item) throws(FeedUIError) {
        let (section, row) = try position(ofItem: item)
        _ = try position(ofItem: other)
        guard item != other else { return }
        items[section]?.remove(at: row)
        let (target, index) = try position(ofItem: other)
        items[target]?.insert(item, at: index + side.distance)
        sections[item] = target
    }

    private mutating func forget(_ item: Item) {
        sections[item] = nil
        reloadedItemIdentifiers.remove(item)
        reconfiguredItemIdentifiers.remove(item)
    }

    private func check(_ items: [Item]) throws(FeedUIError) {
        for item in items where sections[item] == nil {
            throw FeedUIError("there is no item \(item)")
        }
    }

    private func position(ofItem item: Item) throws(FeedUIError) -> (Section, Int) {
        guard let section = sections[item], let row = items[section]?.firstIndex(of: item) else {
            throw FeedUIError("there is no item \(item)")
        }
        return (section, row)
    }
}
