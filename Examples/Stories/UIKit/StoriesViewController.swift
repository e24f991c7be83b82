import FeedClient
import FeedModel
import Stories
import UIKit

/// A table that refreshes: each change is a batch that UIKit accepts, one after the other.
final class StoriesViewController: UITableViewController {
    private let stories: LiveFeed<Story>
    private var shown = Snapshot()
    private var following: [Task<Void, Never>] = []

    init(stories: LiveFeed<Story>) {
        self.stories = stories
        super.init(style: .plain)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "story")
        refreshControl = UIRefreshControl()
        refreshControl?.addTarget(self, action: #selector(refresh), for: .valueChanged)
        following = [
            Task { [stories] in await stories.follow() },
            Task { [weak self, stories] in
                let updates = stories.feed.tableUpdates { self?.tableView.window != nil }
                for await update in updates { await self?.show(update) }
            },
        ]
    }

    deinit {
        for task in following { task.cancel() }
    }

    @objc private func refresh() {
        Task {
            let counts = await stories.refresh()
            refreshControl?.endRefreshing()
            if let words = StoryWords.announcement(counts) {
                UIAccessibility.post(notification: .announcement, argument: words)
            }
        }
    }

    private func show(_ update: TableUpdate) async {
        let counts = (0..<tableView.numberOfSections).map(tableView.numberOfRows)
        guard case .batch(let batch) = update.operations, update.applies(to: counts) else {
            shown = update.snapshot
            return tableView.reloadData()
        }
        await withCheckedContinuation { done in
            tableView.performBatchUpdates {
                self.shown = update.snapshot
                self.tableView.apply(batch)
            } completion: { _ in
                done.resume()
            }
        }
        tableView.reloadSectionIndexTitles()
    }

    override func numberOfSections(in tableView: UITableView) -> Int { shown.sections.count }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        shown.sections[section].items.count
    }

    override func tableView(
        _ tableView: UITableView,
        titleForHeaderInSection section: Int
    ) -> String? {
        stories.section(shown.sections[section]).title
    }

    override func sectionIndexTitles(for tableView: UITableView) -> [String]? {
        let titles = shown.sections.compactMap { stories.section($0).indexTitle }
        return titles.isEmpty ? nil : titles
    }

    /// Finds the section by its title, since sections without one are not in the index.
    override func tableView(
        _ tableView: UITableView,
        sectionForSectionIndexTitle title: String,
        at index: Int
    ) -> Int {
        shown.sections.firstIndex { stories.section($0).indexTitle == title } ?? index
    }

    /// Near the end, fetches the rows that follow; all calls share one request.
    override func tableView(
        _ tableView: UITableView,
        willDisplay cell: UITableViewCell,
        forRowAt path: IndexPath
    ) {
        guard stories.hasMore,
            shown.sections[path.section].items.count - path.row <= 10,
            shown.sections.dropFirst(path.section + 1).allSatisfy({ $0.items.isEmpty })
        else { return }
        Task { await stories.loadMore() }
    }

    override func tableView(
        _ tableView: UITableView,
        cellForRowAt path: IndexPath
    ) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "story", for: path)
        let row = stories.row(shown.sections[path.section].items[path.row])
        var content = UIListContentConfiguration.subtitleCell()
        content.text = row.item?.title ?? row.id
        content.secondaryText = row.item?.subtitle
        cell.contentConfiguration = content
        return cell
    }
}

extension UITableView {
    /// Names the updates of a batch.
    func apply(_ batch: TableBatch) {
        reconfigureRows(at: batch.updatedRows)
        reloadSections(batch.updatedSections, with: .none)
        deleteSections(batch.deletedSections, with: .automatic)
        insertSections(batch.insertedSections, with: .automatic)
        for move in batch.movedSections { moveSection(move.from, toSection: move.to) }
        deleteRows(at: batch.deletedRows, with: .automatic)
        insertRows(at: batch.insertedRows, with: .automatic)
        for move in batch.movedRows { moveRow(at: move.from, to: move.to) }
    }
}
