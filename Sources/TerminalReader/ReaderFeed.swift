import FeedClient
import FeedModel
import FeedUI
import Foundation

/// A feed in the reader: its table, the colors of recent changes, and the ids of the items that
/// were read.
@MainActor
final class ReaderFeed: TableViewDataSource {
    /// The latest change of an item, which is shown by a color.
    enum Mark { case inserted, updated, moved }

    let feed: Feed
    let table = TableView()
    private(set) var snapshot = Snapshot()
    var update: FeedUpdate?
    /// The items that are shown in the color of a change, and the time until which they are.
    private(set) var marks: [ExactString: (mark: Mark, until: Duration)] = [:]
    /// The scroll position of an earlier run, until it is restored.
    var place: RestorableState?

    /// The ids of the items that were read.
    private(set) var read: Set<ExactString>

    /// The time for which a change is shown by a color.
    private static let markTime = Duration.seconds(10)

    /// Makes the table of a feed; `read` has the ids of the items that were read in earlier runs.
    init(_ feed: Feed, read: [String] = []) {
        self.feed = feed
        self.read = Set(read.map { ExactString($0) })
        (table.rowHeight, table.sectionHeaderHeight) = (Reader.line, Reader.line)
        table.register(ReaderCell.self, forCellReuseIdentifier: "row")
        try? table.setDataSource(self)
    }

    func markRead(_ id: ExactString) { read.insert(id) }

    func toggleRead(_ id: ExactString) {
        if read.remove(id) == nil { read.insert(id) }
    }

    /// The ids of the items that were read and are still in the feed, for the next run.
    var readIDs: [String] {
        // The items of a feed that was not loaded are unknown, so all ids are stored again.
        guard snapshot.count > 0 else { return read.map(\.string) }
        let all = snapshot.indexed()
        return read.filter { all.position(ofItem: $0) != nil }.map(\.string)
    }

    /// The feed's title, or its name.
    ///
    /// The title is looked up in the last update of the feed's state first: a change of the title
    /// alone updates no row. Before the first such update, the rows' snapshot has the title.
    var title: String {
        let titles = [update?.copy.snapshot, snapshot].lazy.compactMap {
            $0?.members["title"]?.stringValue
        }
        return titles.first { !ShownText.isBlank($0) } ?? feed.name.rawValue
    }

    /// Applies an update to the table.
    ///
    /// The first update with content restores the scroll position of an earlier run. If the
    /// selected row is removed, a neighbour is selected.
    func apply(_ update: TableUpdate, now: Duration) {
        let (old, selected) = (snapshot, table.indexPathForSelectedRow.map { item($0).id })
        show(update, now)
        if let place, !snapshot.sections.isEmpty {
            self.place = nil
            table.decodeRestorableState(place)
        }
        guard let selected, table.indexPathForSelectedRow == nil,
            let next = old.item(nearest: selected, stayingIn: snapshot),
            let place = snapshot.position(ofItem: next)
        else { return }
        try? table.selectRow(at: [Int(place.section), Int(place.index)])
    }

    private func show(_ update: TableUpdate, _ now: Duration) {
        guard case .batch(let batch) = update.operations,
            update.applies(to: snapshot.sections.map(\.items.count))
        else {
            snapshot = update.snapshot
            table.reloadData()
            return
        }
        do {
            try table.performBatchUpdates(animated: false) {
                snapshot = update.snapshot
                try name(batch)
            }
        } catch {
            // After an error, the table has reloaded all rows.
        }
        mark(batch, until: now + ReaderFeed.markTime)
    }

    private func name(_ batch: TableBatch) throws {
        try table.reloadRows(at: batch.updatedRows)
        try table.deleteSections(batch.deletedSections)
        try table.insertSections(batch.insertedSections)
        for move in batch.movedSections { try table.moveSection(move.from, toSection: move.to) }
        try table.deleteRows(at: batch.deletedRows)
        try table.insertRows(at: batch.insertedRows)
        for move in batch.movedRows { try table.moveRow(at: move.from, to: move.to) }
    }

    private func mark(_ batch: TableBatch, until: Duration) {
        for path in batch.insertedRows { marks[item(path).id] = (.inserted, until) }
        for move in batch.movedRows where marks[item(move.to).id]?.mark != .updated {
            marks[item(move.to).id] = (.moved, until)
        }
        for path in batch.updatedRows { marks[item(path).id] = (.updated, until) }
        for section in batch.insertedSections {
            for item in snapshot.sections[section].items.prefix(1_000) {
                marks[item.id] = (.inserted, until)
            }
        }
    }

    /// The time at which the next mark ends; `nil`: there are no marks.
    var firstMarkEnd: Duration? { marks.values.lazy.map(\.until).min() }

    /// Removes the marks whose time is over, and returns whether there were any.
    func forgetMarks(at now: Duration) -> Bool {
        let count = marks.count
        if count > 0 { marks = marks.filter { $0.value.until > now } }
        return marks.count != count
    }

    func item(_ path: IndexPath) -> FeedItem { snapshot.sections[path[0]].items[path[1]] }

    func numberOfSections(in tableView: TableView) -> Int { snapshot.sections.count }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
        snapshot.sections[section].items.count
    }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        let section = snapshot.sections[section]
        if let title = section.members["title"]?.stringValue, !ShownText.isBlank(title) {
            return title
        }
        return snapshot.sections.count == 1 ? nil : section.id.string
    }

    func tableView(_ tableView: TableView, cellForRowAt path: IndexPath) -> TableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "row", for: path)
        let words = ItemWords(item(path))
        cell.text = words.title
        cell.detailText = words.detail
        (cell as? ReaderCell)?.words = words
        return cell
    }

    func sectionIndexTitles(for tableView: TableView) -> [String]? {
        let titles = indexed.map(\.title)
        return titles.isEmpty ? nil : titles
    }

    func tableView(
        _ tableView: TableView,
        sectionForSectionIndexTitle title: String,
        at index: Int
    ) -> Int {
        indexed[index].section
    }

    private var indexed: [(section: Int, title: String)] {
        snapshot.sections.enumerated().compactMap { position, section in
            let index = section.members["index"]?.stringValue
            return index.flatMap { ShownText.isBlank($0) ? nil : (position, $0) }
        }
    }

    func tableView(
        _ tableView: TableView,
        restorationIdentifierForRowAt path: IndexPath
    ) -> String? {
        item(path).id.string
    }

    func tableView(
        _ tableView: TableView,
        indexPathForRestorationIdentifier id: String
    ) -> IndexPath? {
        for (position, section) in snapshot.sections.enumerated() {
            let row = section.items.firstIndex { $0.id.string == id }
            if let row { return [position, row] }
        }
        return nil
    }
}

/// The cell of an item's row.
final class ReaderCell: TableViewCell {
    var words: ItemWords?
}
