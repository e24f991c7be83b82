import FeedModel
import FeedUI
import Foundation
import TestSupport
import Testing

/// Carries out a case about a view.
@MainActor
final class VectorRun {
    static let events: [String: Control.Event] = [
        "touchDown": .touchDown, "touchDragInside": .touchDragInside,
        "touchDragOutside": .touchDragOutside, "touchUpInside": .touchUpInside,
        "touchUpOutside": .touchUpOutside, "touchCancel": .touchCancel,
        "valueChanged": .valueChanged, "primaryActionTriggered": .primaryActionTriggered,
    ]
    private static let heardIfAsked: Set = [
        "didScroll", "didChangeAdjustedContentInset", "beginTracking", "continueTracking",
        "endTracking", "cancelTracking", "willDisplay",
    ]

    let setup: TestJSON
    let window = Window(frame: CGRect(x: 0, y: 0, width: 390, height: 760))
    private(set) var view = Widget()
    private(set) var source: VectorSource?
    private(set) var diffable: DiffableDataSource<String, String>?
    private(set) var controls: [String: VectorControl] = [:]
    var targets: [String: VectorResponder] = [:]
    private var finger = CGPoint.zero
    /// Entries since a step last expected them, and all.
    var log: [String] = []
    private(set) var wholeLog: [String] = []

    init(_ setup: TestJSON) throws {
        self.setup = setup
        try make(sections: VectorSection.list(setup["sections"]))
        rest()
        (log, wholeLog) = ([], [])
    }

    var scrollView: ScrollView? { view as? ScrollView }
    var table: TableView? { view as? TableView }
    var control: Control? { view as? Control }
    var refreshing: RefreshingScrollView? { view as? RefreshingScrollView }

    private func hear(_ entry: String) {
        let words = entry.split(separator: " ").map(String.init)
        let isOptional =
            words.contains { VectorRun.events[$0] != nil }
            || VectorRun.heardIfAsked.contains(words.first ?? "")
        let heard = setup["hears"]?.strings ?? []
        guard !isOptional || words.contains(where: heard.contains) else { return }
        note(entry)
    }

    func note(_ entry: String) {
        let onceInARow = ["didScroll", "touchDragInside", "touchDragOutside", "continueTracking"]
        if log.last == entry, onceInARow.contains(where: entry.hasSuffix) { return }
        log.append(entry)
        wholeLog.append(entry)
    }
}

/// Making the view.
extension VectorRun {
    private func make(sections: [VectorSection]) throws {
        let frame = CGRect(origin: .zero, size: setup["size"]?.size ?? .zero)
        let log: (String) -> Void = { [weak self] in self?.hear($0) }
        let source = VectorSource(sections, log: log)
        self.source = source
        switch setup["type"]?.string {
        case "Control": view = makeControl(frame, log)
        case "ActivityIndicator": view = ActivityIndicator()
        case "TableView": try makeTable(frame, source)
        case "RefreshingScrollView":
            let refreshing = RefreshingScrollView(frame: frame)
            refreshing.refreshDelegate = self
            view = refreshing
        default:
            let scrollView = VectorScrollView(frame: frame)
            scrollView.answers = answers
            view = scrollView
        }
        view.frame.size = frame.size
        if let scrollView {
            scrollView.delegate = source
            if table == nil { scrollView.contentSize = contentSize(frame.size) }
            if setup["refreshControl"] != nil { addRefreshControl(scrollView) }
            for json in setup["controls"]?.list ?? [] { addControl(json, log) }
        }
        for (name, value) in setup["set"]?.members ?? [:] { try set(name.string, value, of: nil) }
        window.addSubview(view)
    }

    private var answers: [String: Bool] {
        let members = setup["answers"]?.members ?? [:]
        return Dictionary(
            uniqueKeysWithValues: members.map { ($0.key.string, $0.value.bool ?? true) }
        )
    }

    private func makeControl(_ frame: CGRect, _ log: @escaping (String) -> Void) -> Control {
        let control = VectorControl(id: nil, frame: frame, log: log)
        control.answers = answers
        for (name, actions) in setup["targets"]?.members ?? [:] {
            targets[name.string] = VectorResponder(name.string, actions.strings) { [weak self] in
                self?.note($0)
            }
        }
        let chain = (setup["chain"]?.list ?? []).enumerated().map { place, actions in
            VectorResponder("chain[\(place)]", actions.strings) { [weak self] in self?.note($0) }
        }
        for (responder, next) in zip(chain, chain.dropFirst()) { responder.following = next }
        control.chain = chain
        return control
    }

    private func makeTable(_ frame: CGRect, _ source: VectorSource) throws {
        if setup["source"]?.string == "static" {
            let sections = source.sections.map { StaticSection(title: $0.title, rows: $0.rows) }
            view = TableView(frame: frame, staticSections: sections)
        }
        let table = self.table ?? TableView(frame: frame)
        view = table
        (table.rowHeight, table.sectionHeaderHeight) = (50, 30)
        table.register(forCellReuseIdentifier: "row") {
            source.made += 1
            return VectorCell(reuseIdentifier: "row")
        }
        table.prefetchDataSource = source
        source.index = setup["index"]?.isNull == false ? setup["index"]?.strings : nil
        source.indexSections = setup["indexSections"]?.list.compactMap(\.int)
        switch setup["source"]?.string {
        case "static": break
        case "diffable":
            let diffable = try DiffableDataSource<String, String>(tableView: table) {
                source.cell(in: $0, at: $1, name: $2)
            }
            self.diffable = diffable
            diffable.titleForHeader = { id in source.sections.first { $0.id == id }?.title }
            if setup["index"]?.string == "titles" {
                diffable.sectionIndexTitles = { $0.sectionIdentifiers }
            }
            try apply(source.sections, [:], isAnimated: false)
        default: if setup["sections"] != nil { try table.setDataSource(source) }
        }
    }

    private func contentSize(_ size: CGSize) -> CGSize {
        if let pages = setup["pages"]?.number {
            return CGSize(width: size.width, height: size.height * pages)
        }
        return setup["content"]?.size ?? size
    }

    private func addRefreshControl(_ scrollView: ScrollView) {
        let control = RefreshControl()
        scrollView.refreshControl = control
        let endsAtOnce = setup["refreshControl"]?.string == "ends"
        let responder = VectorResponder("refreshControl", ["valueChanged"]) { [weak self] _ in
            self?.note("valueChanged")
            if endsAtOnce { self?.scrollView?.refreshControl?.endRefreshing() }
        }
        targets["refreshControl"] = responder
        control.addTarget(responder, action: "valueChanged", for: .valueChanged)
    }

    private func addControl(_ json: TestJSON, _ log: @escaping (String) -> Void) {
        let id = json["id"]?.string ?? ""
        let control = VectorControl(id: id, frame: json["frame"]?.rect ?? .zero, log: log)
        controls[id] = control
        view.addSubview(control)
    }
}

extension VectorRun: RefreshingScrollViewDelegate {
    func refreshingScrollViewRequests(_ view: RefreshingScrollView) { note("request") }

    func refreshingScrollView(_ view: RefreshingScrollView, needsRefresh data: String) {
        note("needsRefresh \(data)")
    }

    func refreshingScrollView(_ view: RefreshingScrollView, didFail reason: String) {
        note("didFail \(reason)")
    }
}

/// Time and fingers.
extension VectorRun {
    func advance(_ milliseconds: Double) {
        window.advance(to: window.time + .milliseconds(milliseconds))
    }

    /// Lets time pass until nothing moves by itself.
    func rest() {
        advance(32)
        for _ in 0..<1_000 where !window.isAtRest { advance(16) }
        #expect(window.isAtRest)
    }

    func touch(_ step: TestJSON) throws {
        switch step["touch"]?.string {
        case "down":
            finger = try place(step["at"])
            window.touchDown(at: finger)
        case "move":
            let (from, to) = (finger, try place(step["to"]))
            let count = max(1, ((step["over"]?.number ?? 16) / 16).rounded())
            for number in 1...Int(count) {
                advance(16)
                let part = Double(number) / count
                finger = CGPoint(
                    x: from.x + (to.x - from.x) * part,
                    y: from.y + (to.y - from.y) * part
                )
                window.touchMove(to: finger)
            }
        case "up": window.touchUp(at: finger)
        default: window.touchCancel()
        }
    }

    func tap(_ json: TestJSON?) throws {
        finger = try place(json)
        window.touchDown(at: finger)
        advance(50)
        window.touchUp(at: finger)
    }

    private func place(_ json: TestJSON?) throws -> CGPoint {
        if let point = json?.point { return point }
        let index = try #require(json?["index"]?.int)
        let rect = try #require(table?.indexBar.rect(forTitleAt: index))
        return CGPoint(x: rect.midX, y: rect.midY)
    }

    /// Makes the view anew, and takes its state there.
    func again(_ sections: TestJSON?) throws {
        let state = scrollView?.encodeRestorableState()
        let old = source?.sections ?? []
        view.removeFromSuperview()
        try make(sections: sections.map { VectorSection.list($0) } ?? old)
        rest()
        if let state { scrollView?.decodeRestorableState(state) }
    }
}

/// Data.
extension VectorRun {
    func apply(
        _ sections: [VectorSection],
        _ step: [String: [String]],
        isAnimated: Bool
    ) throws {
        source?.sections = sections
        var snapshot = DiffableDataSourceSnapshot<String, String>()
        try snapshot.appendSections(sections.map(\.id))
        for section in sections { try snapshot.appendItems(section.rows, toSection: section.id) }
        try snapshot.reloadItems(step["reload"] ?? [])
        try snapshot.reconfigureItems(step["reconfigure"] ?? [])
        try snapshot.reloadSections(step["reloadSections"] ?? [])
        try diffable?.apply(snapshot, animatingDifferences: isAnimated) { [weak self] in
            self?.note("completed")
        }
    }

    func batch(_ updates: TestJSON, to sections: TestJSON?, isAnimated: Bool) throws {
        let table = try #require(table)
        try table.performBatchUpdates(animated: isAnimated) {
            if let sections { source?.sections = VectorSection.list(sections) }
            try name(updates, in: table)
            if let within = updates["within"] {
                try table.performBatchUpdates(animated: isAnimated) {
                    try name(within, in: table)
                } completion: { [weak self] _ in
                    self?.note("completed within")
                }
            }
        } completion: { [weak self] _ in
            self?.note("completed")
        }
    }

    private func name(_ updates: TestJSON, in table: TableView) throws {
        for (name, value) in updates.members {
            let paths = value.list.compactMap(\.path)
            let sections = value.list.compactMap(\.int)
            switch name.string {
            case "deleteRows": try table.deleteRows(at: paths)
            case "insertRows": try table.insertRows(at: paths)
            case "reloadRows": try table.reloadRows(at: paths)
            case "moveRows":
                for pair in value.list {
                    let from = try #require(pair[0]?.path)
                    try table.moveRow(at: from, to: try #require(pair[1]?.path))
                }
            case "deleteSections": try table.deleteSections(IndexSet(sections))
            case "insertSections": try table.insertSections(IndexSet(sections))
            case "reloadSections": try table.reloadSections(IndexSet(sections))
            case "moveSections":
                for pair in value.list {
                    let from = try #require(pair[0]?.int)
                    try table.moveSection(from, toSection: try #require(pair[1]?.int))
                }
            case "within": break
            default: Issue.record("no update \(name)")
            }
        }
    }
}
