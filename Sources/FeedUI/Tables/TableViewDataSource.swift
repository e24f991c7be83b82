public import Foundation

/// Provides the content of a table.
///
/// Counts are asked for often and must be as fast as an array's `count`; cells are asked for only
/// for visible rows.
@MainActor
public protocol TableViewDataSource: AnyObject {
    /// Returns the number of sections.
    func numberOfSections(in tableView: TableView) -> Int
    /// Returns the number of rows in a section.
    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int
    /// Returns the cell of a row, dequeued from the table and configured.
    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell
    /// Returns the title of a section; `nil`: the section has no header.
    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String?
    /// Returns the titles of the section index; `nil`: there is no index.
    func sectionIndexTitles(for tableView: TableView) -> [String]?
    /// Returns the section that a title of the index leads to.
    func tableView(
        _ tableView: TableView,
        sectionForSectionIndexTitle title: String,
        at index: Int
    ) -> Int
    /// Returns the identifier by which a row is found again after a restart; `nil`: only its
    /// position is stored.
    func tableView(_ tableView: TableView, restorationIdentifierForRowAt indexPath: IndexPath)
        -> String?
    /// Returns the row with an identifier; `nil`: there is none.
    func tableView(_ tableView: TableView, indexPathForRestorationIdentifier id: String)
        -> IndexPath?
}

/// The defaults: one section, without headers, index and identifiers.
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

/// A delegate that is notified of events of a table's rows.
@MainActor
public protocol TableViewDelegate: ScrollViewDelegate {
    /// Tells that a row becomes visible.
    func tableView(
        _ tableView: TableView,
        willDisplay cell: TableViewCell,
        forRowAt path: IndexPath
    )
    /// Tells that the user has selected a row.
    func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath)
    /// Tells that the user has deselected a row.
    func tableView(_ tableView: TableView, didDeselectRowAt indexPath: IndexPath)
    /// Tells that the user has tapped a row, after its selection has changed.
    func tableView(_ tableView: TableView, performPrimaryActionForRowAt indexPath: IndexPath)
}

/// Empty implementations: each method is optional.
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

/// An object that is notified of the rows that will soon be needed, so that it can load their data.
@MainActor
public protocol TableViewDataSourcePrefetching: AnyObject {
    /// Tells that rows will soon be needed.
    func tableView(_ tableView: TableView, prefetchRowsAt indexPaths: [IndexPath])
    /// Tells that rows named before are no longer needed.
    func tableView(_ tableView: TableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath])
}
