import FeedModel
import FeedUI
import Foundation

/// The data source, delegate and prefetcher of a case's table.
@MainActor
final class VectorSource: TableViewDataSource, TableViewDelegate, TableViewDataSourcePrefetching {
    var sections: [VectorSection]
    var index: [String]?
    var indexSections: [Int]?
    var asked = 0
    var made = 0
    var prefetched: [IndexPath] = []
    var cancelled: [IndexPath] = []
    var isNamedTwice = false
    /// Which cells showed what, and how often they had been prepared for reuse, when that was
    /// expected last.
    private var lastCells: [String: CellUse] = [:]
    let log: (String) -> Void

    init(_ sections: [VectorSection], log: @escaping (String) -> Void) {
        self.sections = sections
        self.log = log
    }

    func cell(in table: TableView, at path: IndexPath, name: String) -> TableViewCell {
        asked += 1
        let cell = table.dequeueReusableCell(withIdentifier: "row", for: path)
        cell.text = name
        return cell
    }

    /// The rows in sight whose cells are those that they had, and not prepared for reuse, since
    /// this was expected last.
    func keptNames(_ table: TableView) -> [String] {
        let cells = table.visibleCells.compactMap { $0 as? VectorCell }
        let uses = cells.map {
            ($0.text ?? "", CellUse(cell: ObjectIdentifier($0), count: $0.count))
        }
        defer { lastCells = Dictionary(uses) { first, _ in first } }
        return uses.filter { lastCells[$0.0] == $0.1 }.map(\.0)
    }

    func numberOfSections(in tableView: TableView) -> Int { sections.count }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
        sections[section].rows.count
    }

    func tableView(_ tableView: TableView, cellForRowAt path: IndexPath) -> TableViewCell {
        cell(in: tableView, at: path, name: sections[path[0]].rows[path[1]])
    }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        sections[section].title
    }

    func sectionIndexTitles(for tableView: TableView) -> [String]? { index }

    func tableView(
        _ tableView: TableView,
        sectionForSectionIndexTitle title: String,
        at index: Int
    ) -> Int {
        indexSections?[index] ?? index
    }

    func tableView(
        _ tableView: TableView,
        willDisplay cell: TableViewCell,
        forRowAt path: IndexPath
    ) {
        log("willDisplay \(path[0]).\(path[1])")
    }

    func tableView(_ tableView: TableView, didSelectRowAt path: IndexPath) {
        log("didSelectRow \(path[0]).\(path[1])")
    }

    func tableView(_ tableView: TableView, didDeselectRowAt path: IndexPath) {
        log("didDeselectRow \(path[0]).\(path[1])")
    }

    func tableView(_ tableView: TableView, performPrimaryActionForRowAt path: IndexPath) {
        log("performPrimaryAction \(path[0]).\(path[1])")
    }

    func tableView(_ tableView: TableView, prefetchRowsAt paths: [IndexPath]) {
        isNamedTwice = isNamedTwice || Set(paths).count < paths.count
        prefetched += paths
    }

    func tableView(_ tableView: TableView, cancelPrefetchingForRowsAt paths: [IndexPath]) {
        isNamedTwice = isNamedTwice || Set(paths).count < paths.count
        cancelled += paths
    }

    func scrollViewDidScroll(_ scrollView: ScrollView) { log("didScroll") }

    func scrollViewWillBeginDragging(_ scrollView: ScrollView) { log("willBeginDragging") }

    func scrollViewDidEndDragging(_ scrollView: ScrollView, willDecelerate: Bool) {
        log("didEndDragging \(willDecelerate)")
    }

    func scrollViewDidEndDecelerating(_ scrollView: ScrollView) { log("didEndDecelerating") }

    func scrollViewDidScrollToTop(_ scrollView: ScrollView) { log("didScrollToTop") }

    func scrollViewDidChangeAdjustedContentInset(_ scrollView: ScrollView) {
        log("didChangeAdjustedContentInset")
    }
}

/// A cell, and how often it was prepared for reuse.
private struct CellUse: Equatable {
    let cell: ObjectIdentifier
    let count: Int
}

/// A cell that counts how often it is prepared for reuse.
@MainActor
final class VectorCell: TableViewCell {
    private(set) var count = 0

    override func prepareForReuse() {
        super.prepareForReuse()
        count += 1
    }
}

/// An object that implements some actions.
@MainActor
final class VectorResponder: Responder {
    let name: String
    let actions: Set<String>
    var following: Responder?
    let log: (String) -> Void

    init(_ name: String, _ actions: [String], log: @escaping (String) -> Void) {
        self.name = name
        self.actions = Set(actions)
        self.log = log
    }

    override var next: Responder? { following }

    override func responds(to action: ActionName) -> Bool { actions.contains(action.rawValue) }

    override func perform(_ action: ActionName, sender: Control, event: Control.Event?) {
        log("\(name).\(action.rawValue)")
    }
}

/// A control whose methods for subclasses are heard.
@MainActor
final class VectorControl: Control {
    let id: String?
    let log: (String) -> Void
    var answers: [String: Bool] = [:]
    var chain: [VectorResponder] = []

    init(id: String?, frame: CGRect, log: @escaping (String) -> Void) {
        self.id = id
        self.log = log
        super.init(frame: frame)
    }

    override var next: Responder? { chain.dropFirst().first ?? super.next }

    override func responds(to action: ActionName) -> Bool {
        chain.first?.responds(to: action) ?? false
    }

    override func perform(_ action: ActionName, sender: Control, event: Control.Event?) {
        chain.first?.perform(action, sender: sender, event: event)
    }

    override func didHappen(_ event: Event) {
        guard let name = VectorRun.events.first(where: { $0.value == event })?.key else { return }
        log(id.map { "\($0) \(name)" } ?? name)
    }

    override func beginTracking(_ touch: Touch) -> Bool {
        log("beginTracking")
        return answers["beginTracking"] ?? true
    }

    override func continueTracking(_ touch: Touch) -> Bool {
        log("continueTracking")
        return answers["continueTracking"] ?? true
    }

    override func endTracking(_ touch: Touch?) { log("endTracking") }

    override func cancelTracking(_ touch: Touch?) { log("cancelTracking") }
}

/// A scroll view whose methods for subclasses answer as a case says.
@MainActor
final class VectorScrollView: ScrollView {
    var answers: [String: Bool] = [:]

    override func touchesShouldBegin(_ touch: Touch, in content: Widget) -> Bool {
        answers["touchesShouldBegin"] ?? super.touchesShouldBegin(touch, in: content)
    }

    override func touchesShouldCancel(in content: Widget) -> Bool {
        answers["touchesShouldCancel"] ?? super.touchesShouldCancel(in: content)
    }
}
