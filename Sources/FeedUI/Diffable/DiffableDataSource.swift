public import Foundation

/// A data source that shows snapshots on a table: it computes the difference of two snapshots and
/// applies it to the table as a batch of updates.
///
/// Follows `UITableViewDiffableDataSource`.
@MainActor
public final class DiffableDataSource<Section: Hashable & Sendable, Item: Hashable & Sendable>:
    TableViewDataSource
{
    /// The type of the snapshots.
    public typealias Snapshot = DiffableDataSourceSnapshot<Section, Item>

    /// A function that returns the cell of an item.
    public typealias CellProvider = @MainActor (TableView, IndexPath, Item) -> TableViewCell

    private var current = Snapshot()
    private weak var table: TableView?
    private let cellProvider: CellProvider

    /// Returns the title of a section; `nil`: the section has no header.
    public var titleForHeader: (@MainActor (Section) -> String?)?
    /// Returns the titles of the section index; `nil`: there is no index.
    public var sectionIndexTitles: (@MainActor (Snapshot) -> [String]?)?
    /// Returns the position of the section that a title of the index leads to.
    public var sectionForIndexTitle: (@MainActor (String, Int) -> Int)?
    /// Returns the identifier by which an item is found again after a restart.
    public var restorationIdentifier: (@MainActor (Item) -> String) = { "\($0)" }

    /// Makes the data source of a table.
    ///
    /// - Throws: ``FeedUIError`` if the table's rows are static.
    public init(tableView: TableView, cellProvider: @escaping CellProvider) throws(FeedUIError) {
        self.cellProvider = cellProvider
        table = tableView
        try tableView.setDataSource(self)
    }

    /// Returns the snapshot that the table shows.
    public func snapshot() -> Snapshot { current }

    /// Shows a snapshot.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot to show.
    ///   - animatingDifferences: Whether the change is animated.
    ///   - completion: Called when the change is over.
    /// - Throws: The error of the table, if it refuses the updates. The difference of two snapshots
    ///   never causes one.
    public func apply(
        _ snapshot: Snapshot,
        animatingDifferences: Bool = true,
        completion: (@MainActor () -> Void)? = nil
    ) throws {
        guard let table else { return }
        let updates = SnapshotDifference(from: current, to: snapshot).updates
        try table.performBatchUpdates(animated: animatingDifferences) {
            current = snapshot
            current.forgetReloads()
            table.batch?.append(updates)
        } completion: { _ in
            completion?()
        }
    }

    /// Shows a snapshot by reloading the table, without computing the difference.
    public func applySnapshotUsingReloadData(_ snapshot: Snapshot) {
        current = snapshot
        current.forgetReloads()
        table?.reloadData()
    }

    /// Returns the item of a row; `nil`: there is no such row.
    public func itemIdentifier(for path: IndexPath) -> Item? {
        guard let section = sectionIdentifier(for: path[0]) else { return nil }
        let items = current.itemIdentifiers(inSection: section)
        return items.indices.contains(path[1]) ? items[path[1]] : nil
    }

    /// Returns the row of an item; `nil`: the snapshot does not have the item.
    public func indexPath(for item: Item) -> IndexPath? {
        guard let section = current.sectionIdentifier(containingItem: item),
            let position = current.indexOfSection(section),
            let row = current.itemIdentifiers(inSection: section).firstIndex(of: item)
        else { return nil }
        return [position, row]
    }

    /// Returns the section at a position; `nil`: there is none.
    public func sectionIdentifier(for index: Int) -> Section? {
        current.sectionIdentifiers.indices.contains(index)
            ? current.sectionIdentifiers[index] : nil
    }

    /// Returns the position of a section; `nil`: the snapshot does not have the section.
    public func index(for section: Section) -> Int? { current.indexOfSection(section) }

    public func numberOfSections(in tableView: TableView) -> Int { current.numberOfSections }

    public func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
        sectionIdentifier(for: section).map { current.numberOfItems(inSection: $0) } ?? 0
    }

    public func tableView(_ tableView: TableView, cellForRowAt path: IndexPath) -> TableViewCell {
        guard let item = itemIdentifier(for: path) else {
            return TableViewCell(reuseIdentifier: "none")
        }
        return cellProvider(tableView, path, item)
    }

    public func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        sectionIdentifier(for: section).flatMap { titleForHeader?($0) }
    }

    public func sectionIndexTitles(for tableView: TableView) -> [String]? {
        sectionIndexTitles?(current)
    }

    public func tableView(
        _ tableView: TableView,
        sectionForSectionIndexTitle title: String,
        at index: Int
    ) -> Int {
        sectionForIndexTitle?(title, index) ?? index
    }

    public func tableView(
        _ tableView: TableView,
        restorationIdentifierForRowAt path: IndexPath
    ) -> String? {
        itemIdentifier(for: path).map(restorationIdentifier)
    }

    public func tableView(
        _ tableView: TableView,
        indexPathForRestorationIdentifier id: String
    ) -> IndexPath? {
        current.itemIdentifiers.first { restorationIdentifier($0) == id }.flatMap(indexPath)
    }
}
