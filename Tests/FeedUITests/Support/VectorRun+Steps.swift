import FeedModel
import FeedUI
import Foundation
import TestSupport
import Testing

/// Steps: what they do, and what must hold then.
extension VectorRun {
    func perform(_ steps: [TestJSON]) {
        for (number, step) in steps.enumerated() {
            let refusals = step["refused"]?.strings
            do {
                try perform(step)
                if refusals != nil { Issue.record("step \(number) was not refused") }
            } catch {
                let text = "\(error)"
                for word in refusals ?? ["nothing is refused here"] where !text.contains(word) {
                    Issue.record("step \(number): \(text), without \(word)")
                }
            }
            for (name, expected) in step["expect"]?.members ?? [:] {
                expect(name.string, expected, "step \(number)")
            }
        }
    }

    private func perform(_ step: TestJSON) throws {
        if let time = step["advance"]?.number {
            advance(time)
        } else if step["rest"] != nil {
            rest()
        } else if step["touch"] != nil {
            try touch(step)
        } else if step["tap"] != nil {
            try tap(step["tap"])
        } else if step["top"] != nil {
            scrollView?.scrollToTop()
        } else if step["again"] != nil {
            try again(step["sections"])
        } else if let updates = step["batch"] {
            try batch(updates, to: step["to"], isAnimated: step["animated"]?.bool ?? false)
        } else if let sections = step["apply"] {
            let marked = ["reload", "reconfigure", "reloadSections"].map { name in
                (name, step[.init(name)]?.strings ?? [])
            }
            try apply(
                VectorSection.list(sections),
                Dictionary(uniqueKeysWithValues: marked),
                isAnimated: step["animated"]?.bool ?? false
            )
        } else if let answer = step["answer"]?.string {
            refreshing?.finish(.success(answer))
        } else if let reason = step["fail"]?.string {
            refreshing?.finish(.failure(FeedUIError(reason)))
        } else if let name = step["drop"]?.string {
            targets[name] = nil
        } else if let call = step["call"]?.list {
            try self.call(call, step)
        } else if let members = step["set"]?.members {
            for (name, value) in members { try set(name.string, value, of: step["of"]?.string) }
        } else {
            #expect(step["look"] != nil)
        }
    }

    /// The view, or what a step means instead.
    private func subject(_ of: String?) -> Widget? {
        switch of {
        case nil: view
        case "refreshControl"?: scrollView?.refreshControl
        case let id?: controls[id]
        }
    }

    func set(_ name: String, _ value: TestJSON, of: String?) throws {
        let subject = subject(of)
        let isTrue = value.bool ?? false
        switch (name, subject) {
        case ("isEnabled", let control as Control): control.isEnabled = isTrue
        case ("isSelected", let control as Control): control.isSelected = isTrue
        case ("isHighlighted", let control as Control): control.isHighlighted = isTrue
        case ("attributedTitle", let control as RefreshControl):
            control.attributedTitle = value.string
        case ("hidesWhenStopped", let indicator as ActivityIndicator):
            indicator.hidesWhenStopped = isTrue
        case (_, let table as TableView) where setTable(name, value, table): break
        case (_, let scrollView as ScrollView): setScrollView(name, value, scrollView)
        default: Issue.record("no property \(name)")
        }
    }

    private func setTable(_ name: String, _ value: TestJSON, _ table: TableView) -> Bool {
        let isTrue = value.bool ?? false
        switch name {
        case "rowHeight": table.rowHeight = value.number ?? 0
        case "sectionHeaderHeight": table.sectionHeaderHeight = value.number ?? 0
        case "keepsPositionAtTop": table.keepsPositionAtTop = isTrue
        case "allowsSelection": table.allowsSelection = isTrue
        case "allowsMultipleSelection": table.allowsMultipleSelection = isTrue
        case "indexDisplayMode":
            table.indexDisplayMode = value.string == "alwaysHidden" ? .alwaysHidden : .automatic
        default: return false
        }
        return true
    }

    private func setScrollView(_ name: String, _ value: TestJSON, _ view: ScrollView) {
        let isTrue = value.bool ?? false
        switch name {
        case "contentOffset": view.contentOffset = value.point ?? .zero
        case "contentSize": view.contentSize = value.size ?? .zero
        case "contentInset":
            var inset = view.contentInset
            inset.top = value["top"]?.number ?? inset.top
            inset.left = value["left"]?.number ?? inset.left
            inset.bottom = value["bottom"]?.number ?? inset.bottom
            inset.right = value["right"]?.number ?? inset.right
            view.contentInset = inset
        case "contentInsetAdjustmentBehavior":
            view.contentInsetAdjustmentBehavior = value.string == "never" ? .never : .automatic
        case "isScrollEnabled": view.isScrollEnabled = isTrue
        case "isPagingEnabled": view.isPagingEnabled = isTrue
        case "scrollsToTop": view.scrollsToTop = isTrue
        case "bounces": view.bounces = isTrue
        case "alwaysBounceVertical": view.alwaysBounceVertical = isTrue
        case "alwaysBounceHorizontal": view.alwaysBounceHorizontal = isTrue
        case "delaysContentTouches": view.delaysContentTouches = isTrue
        case "canCancelContentTouches": view.canCancelContentTouches = isTrue
        case "refreshControl": view.refreshControl = nil
        default: Issue.record("no property \(name)")
        }
    }

    private func call(_ call: [TestJSON], _ step: TestJSON) throws {
        let method = call[0].string ?? ""
        let arguments = Array(call.dropFirst())
        let isAnimated = arguments.compactMap(\.bool).first ?? false
        switch (method, subject(step["of"]?.string)) {
        case ("beginRefreshing", let control as RefreshControl): control.beginRefreshing()
        case ("endRefreshing", let control as RefreshControl): control.endRefreshing()
        case ("startAnimating", let indicator as ActivityIndicator): indicator.startAnimating()
        case ("stopAnimating", let indicator as ActivityIndicator): indicator.stopAnimating()
        case ("refresh", let view as RefreshingScrollView): view.refresh()
        case (_, let control as Control): try self.call(method, arguments, control)
        case ("setContentOffset", let view as ScrollView):
            let point = try #require(arguments.first?.point)
            view.setContentOffset(point, animated: isAnimated)
        case ("scrollRectToVisible", let view as ScrollView):
            let rect = try #require(arguments.first?.rect)
            view.scrollRectToVisible(rect, animated: isAnimated)
        case (_, let table as TableView):
            try self.call(method, arguments, table, step["to"])
        default: Issue.record("no method \(method)")
        }
    }

    private func call(_ method: String, _ arguments: [TestJSON], _ control: Control) throws {
        let list = (arguments.last?.strings ?? []).compactMap { VectorRun.events[$0] }
        // A set has no order; the case's list has.
        guard method != "sendActions" else { return list.forEach(control.sendActions) }
        let events = list.reduce(into: Control.Event()) { $0.formUnion($1) }
        let target = arguments[0].string.flatMap { targets[$0] }
        let action = arguments[1].string.map { ActionName($0) }
        if method == "addTarget" {
            control.addTarget(target, action: try #require(action), for: events)
        } else {
            #expect(method == "removeTarget")
            control.removeTarget(target, action: action, for: events)
        }
    }

    private func call(
        _ method: String,
        _ arguments: [TestJSON],
        _ table: TableView,
        _ sections: TestJSON?
    ) throws {
        let path = arguments.first?.path
        let words = arguments.dropFirst().compactMap(\.string)
        let positions: [String: TableView.ScrollPosition] = [
            "top": .top, "middle": .middle, "bottom": .bottom,
        ]
        let position = words.compactMap { positions[$0] }.first ?? .none
        let isAnimated = arguments.compactMap(\.bool).first ?? false
        switch method {
        case "reloadData":
            if let sections { source?.sections = VectorSection.list(sections) }
            table.reloadData()
        case "reconfigureRows":
            if let sections { source?.sections = VectorSection.list(sections) }
            table.reconfigureRows(at: arguments[0].list.compactMap(\.path))
        case "scrollToRow":
            try table.scrollToRow(at: try #require(path), at: position, animated: isAnimated)
        case "selectRow":
            try table.selectRow(at: path, animated: isAnimated, scrollPosition: position)
        case "deselectRow": table.deselectRow(at: try #require(path))
        case "performEmptyBatch":
            try table.performBatchUpdates(animated: false) {
            } completion: { [weak self] _ in
                self?.note("completed")
            }
        case "setDataSource": try table.setDataSource(source)
        default: Issue.record("no method \(method)")
        }
    }
}
