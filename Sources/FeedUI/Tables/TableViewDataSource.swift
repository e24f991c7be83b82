public import Foundation

/// Says what a table shows. Numbers are asked for often and must be as fast as an array's count;
/// cells only for rows in sight.
@MainActor
public protocol TableViewDataSource: AnyObject {
    /// The number of sections.
    func numberOfSections(in tableView: TableView) -> Int
    /// The number of rows of a section.
    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int
    /// The cell for a row: dequeued, and filled.
    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell
    /// A section's title; `nil`: it has no header.
    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String?
    /// The titles of the index; `nil`: there is none.
    func sectionIndexTitles(for tableView: TableView) -> [String]?
    /// The section that a title of the index leads to.
    func tableView(
        _ tableView: TableView,
        sectionForSectionIndexTitle title: String,
        at index: Int
    ) -> Int
    /// Returns the identifier that finds a row again after a restart; `nil`: by its place.
    func tableView(_ tableView: TableView, restorationIdentifierForRowAt indexPath: IndexPath)
        -> String?
    /// Returns the index path of the row with such an identifier.
    func tableView(_ tableView: TableView, indexPathForRestorationIdentifier id: String)
        -> IndexPath?
}

/// The behaviour of most tables.
extension TableViewDataSource {
    public func numberOfSections(in tableView: TableView) -> Int { 1 }

    public func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        nil
    }

    public func sectionIndexTitles(for tableView: TableView) -> [String]? { nil }

    public func tableView(
        _ tableView: TableView,
        sectionForSectionIndexTitle title: String,
        at index: Int
    ) -> Int {
        index
    }

    public func tableView(
        _ tableView: TableView,
        restorationIdentifierForRowAt indexPath: IndexPath
    ) -> String? {
        nil
    }

    public func tableView(
        _ tableView: TableView,
        indexPathForRestorationIdentifier id: String
    ) -> IndexPath? {
        nil
    }
}

/// Hears of a table's rows.
@MainActor
public protocol TableViewDelegate: ScrollViewDelegate {
    /// A row comes into sight.
    func tableView(
        _ tableView: TableView,
        willDisplay cell: TableViewCell,
        forRowAt path: IndexPath
    )
    /// A person selected a row.
    func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath)
    /// A person deselected a row.
    func tableView(_ tableView: TableView, didDeselectRowAt indexPath: IndexPath)
    /// A person chose a row, after its selection has changed.
    func tableView(_ tableView: TableView, performPrimaryActionForRowAt indexPath: IndexPath)
}

/// Delegates hear what they want to.
extension TableViewDelegate {
    public func tableView(
        _ tableView: TableView,
        willDisplay cell: TableViewCell,
        forRowAt path: IndexPath
    ) {}
    public func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath) {}
    public func tableView(_ tableView: TableView, didDeselectRowAt indexPath: IndexPath) {}
    public func tableView(
        _ tableView: TableView,
        performPrimaryActionForRowAt indexPath: IndexPath
    ) {}
}

/// Is told which rows will soon be needed.
@MainActor
public protocol TableViewDataSourcePrefetching: AnyObject {
    /// These rows come soon.
    func tableView(_ tableView: TableView, prefetchRowsAt indexPaths: [IndexPath])
    /// These were named and are not needed any more.
    func tableView(_ tableView: TableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath])
}
