import FeedUI
import Foundation
import TestSupport
import Testing

/// Tables that show one snapshot after another, while fingers scroll and choose.
@Suite @MainActor struct TablesAtRandom {
    private typealias Snapshot = DiffableDataSourceSnapshot<Int, Int>

    /// A table with what is thought of it.
    @MainActor private final class Model {
        let window = Window(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
        let table = TableView(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
        let source: DiffableDataSource<Int, Int>
        var random: SeededGenerator
        var selected: Set<Int> = []
        var completions = 0

        init(seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            source = try DiffableDataSource(tableView: table) { table, path, item in
                let kind = item % 3 == 0 ? "third" : "row"
                let cell = table.dequeueReusableCell(withIdentifier: kind, for: path)
                cell.text = "\(item)"
                return cell
            }
            source.titleForHeader = { $0 % 2 == 0 ? "Section \($0)" : nil }
            table.allowsMultipleSelection = true
            table.keepsPositionAtTop = seed % 2 == 0
            window.addSubview(table)
        }

        func snapshot() throws -> Snapshot {
            var snapshot = Snapshot()
            var items = source.snapshot().itemIdentifiers
            for _ in 0..<Int.random(in: 0...6, using: &random) where !items.isEmpty {
                let item = items.remove(at: .random(in: 0..<items.count, using: &random))
                if Bool.random(using: &random) {
                    items.insert(item, at: .random(in: 0...items.count, using: &random))
                }
            }
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let new = Int.random(in: 0..<200, using: &random)
                guard !items.contains(new) else { continue }
                items.insert(new, at: .random(in: 0...items.count, using: &random))
            }
            var sections = source.snapshot().sectionIdentifiers
            if Int.random(in: 0..<3, using: &random) == 0 {
                sections = Array(0..<5).shuffled(using: &random)
                sections.removeLast(.random(in: 0...4, using: &random))
            }
            if sections.isEmpty { sections = [1] }
            try snapshot.appendSections(sections)
            // Most stay in their sections.
            var place = 0
            for item in items {
                let own = source.snapshot().sectionIdentifier(containingItem: item)
                if let own, sections.contains(own), Int.random(in: 0..<8, using: &random) > 0 {
                    try snapshot.appendItems([item], toSection: own)
                } else {
                    place = .random(in: 0..<sections.count, using: &random)
                    try snapshot.appendItems([item], toSection: sections[place])
                }
            }
            try snapshot.reloadItems(items.filter { $0 % 11 == 0 })
            if Int.random(in: 0..<4, using: &random) == 0 {
                let known = sections.filter { source.index(for: $0) != nil }
                try snapshot.reloadSections(Array(known.shuffled(using: &random).prefix(2)))
            }
            try snapshot.reconfigureItems(items.filter { $0 % 7 == 0 })
            return snapshot
        }

        /// The rows in sight that were there before, with their distance from the table's top.
        func places() -> [Int: Double] {
            var places: [Int: Double] = [:]
            for path in table.indexPathsForVisibleRows {
                guard let item = source.itemIdentifier(for: path) else { continue }
                places[item] = table.rectForRow(at: path).minY - table.contentOffset.y
            }
            return places
        }

        func check(_ step: Int) {
            let paths = table.indexPathsForVisibleRows
            let items = paths.compactMap { source.itemIdentifier(for: $0) }
            #expect(items.count == paths.count, "step \(step)")
            #expect(table.visibleCells.map(\.text) == items.map { "\($0)" }, "step \(step)")
            #expect(table.subviews.count == paths.count, "step \(step)")
            for cell in table.visibleCells {
                let item = cell.text.flatMap { Int($0) } ?? -1
                #expect(cell.isSelected == selected.contains(item), "step \(step), \(item)")
            }
            let shown = (table.indexPathsForSelectedRows).compactMap {
                source.itemIdentifier(for: $0)
            }
            #expect(Set(shown) == selected && shown.count == selected.count, "step \(step)")
        }

        func rest() {
            while !table.isDragging, !window.isAtRest {
                window.advance(to: window.time + .milliseconds(16))
            }
        }

        func touch(_ point: CGPoint, way: Double) {
            window.touchDown(at: point)
            window.advance(to: window.time + .milliseconds(100))
            for part in 1...4 {
                window.touchMove(to: CGPoint(x: point.x, y: point.y + way * Double(part) / 4))
                window.advance(to: window.time + .milliseconds(16))
            }
            window.touchUp(at: CGPoint(x: point.x, y: point.y + way))
        }
    }

    @Test(arguments: 0..<24 as Range<UInt64>)
    func showWhatTheirSourceHas(seed: UInt64) throws {
        let model = try Model(seed: seed)
        for step in 0..<60 {
            let next = try model.snapshot()
            let isAtRest = model.window.isAtRest
            let (before, offset) = (model.places(), model.table.contentOffset.y)
            let old = model.source.snapshot()
            try model.source.apply(next) { model.completions += 1 }
            model.selected.formIntersection(next.itemIdentifiers)
            if !next.reloadedSectionIdentifiers.isEmpty {
                // Rows that are read anew are other ones.
                let rows = model.table.indexPathsForSelectedRows
                let chosen = Set(rows.compactMap { model.source.itemIdentifier(for: $0) })
                #expect(chosen.isSubset(of: model.selected), "step \(step)")
                model.selected = chosen
            }
            model.check(step)
            // What is seen stays, where there is room.
            let after = model.places()
            let staying = before.keys.filter { next.sectionIdentifier(containingItem: $0) != nil }
            let isTop = offset <= 0.5 && !model.table.keepsPositionAtTop
            let end = max(0, model.table.contentSize.height - 480)
            if isAtRest, !isTop, staying.count == before.count, !before.isEmpty,
                next.sectionIdentifiers == old.sectionIdentifiers,
                next.reloadedSectionIdentifiers.isEmpty,
                1 < model.table.contentOffset.y, model.table.contentOffset.y < end - 1
            {
                let isKept = staying.contains { item in
                    after[item].map { abs($0 - (before[item] ?? 0)) < 0.01 } ?? false
                }
                #expect(isKept, "step \(step)")
            }
            act(model, step)
            model.check(step)
        }
        model.rest()
        #expect(model.completions == 60)
    }

    private func act(_ model: Model, _ step: Int) {
        let height = model.table.contentSize.height
        switch Int.random(in: 0..<6, using: &model.random) {
        case 0:
            let y = Double.random(in: 0...max(1, height), using: &model.random)
            model.table.setContentOffset(CGPoint(x: 0, y: y), animated: step % 2 == 0)
        case 1:
            let way = Double.random(in: 60...300, using: &model.random)
            model.touch(
                CGPoint(x: 100, y: 240),
                way: Bool.random(using: &model.random) ? way : -way
            )
        case 2: model.rest()
        case 3:
            guard
                let path = model.table.indexPathsForVisibleRows.randomElement(using: &model.random),
                let item = model.source.itemIdentifier(for: path)
            else { return }
            model.table.choose(path)
            if model.selected.remove(item) == nil { model.selected.insert(item) }
        case 4: model.window.advance(to: model.window.time + .milliseconds(40))
        default: break
        }
    }
}
