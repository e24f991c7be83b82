import FeedModel
import FeedUI
import Foundation
import TestSupport
import Testing

/// What must hold after a step.
extension VectorRun {
    func expect(_ name: String, _ expected: TestJSON, _ step: String) {
        switch name {
        case "log":
            #expect(log == expected.strings, "\(step)")
            log = []
        case "logHas":
            var rest = log[...]
            for entry in expected.strings {
                if let place = rest.firstIndex(of: entry) {
                    rest = rest[(place + 1)...]
                } else {
                    Issue.record("\(step): no \(entry) in \(log)")
                }
            }
            log = []
        case "logLacks":
            for entry in expected.strings { #expect(!wholeLog.contains(entry), "\(step)") }
        case "contentInset": expect(scrollView?.contentInset, expected, step)
        case "adjustedContentInset": expect(scrollView?.adjustedContentInset, expected, step)
        case "properties": expectProperties(expected, step)
        case "prefetched", "cancelled": expectNamed(name, expected, step)
        case "rects", "tops", "heights", "cells", "indexPaths", "identifiers", "actions":
            for (key, value) in expected.members {
                let actual = self.value(name, of: key.string)
                #expect(value.isMet(by: actual), "\(step): \(name) of \(key) is \(actual)")
            }
        case "names":
            let actual = TestJSON.strings(table?.visibleCells.map { $0.text ?? "" } ?? [])
            #expect(TestJSON.strings(VectorSection.names(expected)) == actual, "\(step)")
        case "sections":
            let actual = diffable.map { source in
                let snapshot = source.snapshot()
                return snapshot.sectionIdentifiers.map { id in
                    VectorSection(
                        id: id,
                        title: nil,
                        rows: snapshot.itemIdentifiers(inSection: id)
                    )
                }
            }
            let sections = VectorSection.list(expected)
                .map { VectorSection(id: $0.id, title: nil, rows: $0.rows) }
            #expect(actual == sections, "\(step)")
        default:
            guard let actual = value(name) else {
                Issue.record("no member \(name)")
                return
            }
            #expect(expected.isMet(by: actual), "\(step): \(name) is \(actual)")
        }
    }

    private func expect(_ inset: ContentInsets?, _ expected: TestJSON, _ step: String) {
        let sides: [String: Double?] = [
            "top": inset?.top, "left": inset?.left, "bottom": inset?.bottom, "right": inset?.right,
        ]
        for (side, value) in expected.members {
            #expect(sides[side.string] == value.number, "\(step): \(side)")
        }
    }

    private func expectNamed(_ name: String, _ expected: TestJSON, _ step: String) {
        guard let source else { return }
        let paths = name == "prefetched" ? source.prefetched : source.cancelled
        for path in expected["has"]?.list ?? [] {
            #expect(path.path.map(paths.contains) == true, "\(step): \(path) in \(name)")
        }
        for path in expected["lacks"]?.list ?? [] {
            #expect(path.path.map(paths.contains) == false, "\(step): \(path) in \(name)")
        }
        #expect(!source.isNamedTwice)
        if name == "prefetched" { source.prefetched = [] } else { source.cancelled = [] }
    }

    /// A value that is there for a name or a place.
    private func value(_ name: String, of key: String) -> TestJSON {
        let path = TestJSON.text(key).path
        let cell = table?.visibleCells.first { $0.text == key }
        switch name {
        case "rects":
            let rect = path.flatMap { table?.rectForRow(at: $0) } ?? .zero
            return .array([rect.minX, rect.minY, rect.width, rect.height].map { .number($0) })
        case "tops":
            return cell.map { .number($0.frame.minY - (table?.contentOffset.y ?? 0)) } ?? .null
        case "heights": return cell.map { .number($0.frame.height) } ?? .null
        case "cells": return .text(path.flatMap { table?.cellForRow(at: $0)?.text })
        case "indexPaths": return .path(diffable?.indexPath(for: key))
        case "identifiers": return .text(path.flatMap { diffable?.itemIdentifier(for: $0) })
        default:
            let words = key.split(separator: " ").map(String.init)
            let target = words[0] == "null" ? nil : targets[words[0]]
            let event = VectorRun.events[words[1]] ?? []
            let actions = control?.actions(forTarget: target, forControlEvent: event) ?? []
            return .strings(actions.map(\.rawValue))
        }
    }

    private func value(_ name: String) -> TestJSON? {
        if let control, let value = value(name, control) { return value }
        if let table, let value = value(name, table) { return value }
        if let indicator = view as? ActivityIndicator {
            if name == "isHidden" { return .bool(indicator.isHidden) }
            return .bool(indicator.isAnimating)
        }
        guard let scrollView else { return nil }
        switch name {
        case "contentOffset": return .point(scrollView.contentOffset)
        case "contentSize":
            return .point(
                CGPoint(x: scrollView.contentSize.width, y: scrollView.contentSize.height)
            )
        case "isTracking": return .bool(scrollView.isTracking)
        case "isDragging": return .bool(scrollView.isDragging)
        case "isDecelerating": return .bool(scrollView.isDecelerating)
        case "isRefreshing":
            return .bool(
                refreshing?.isRefreshing ?? scrollView.refreshControl?.isRefreshing ?? false
            )
        case "isAnimating":
            let indicator = refreshing?.indicator ?? scrollView.refreshControl?.indicator
            return .bool(indicator?.isAnimating ?? false)
        case "attributedTitle": return .text(scrollView.refreshControl?.attributedTitle)
        case "header":
            return refreshing.map { .number($0.header.frame.minY - $0.contentOffset.y) }
        default: return nil
        }
    }

    private func value(_ name: String, _ control: Control) -> TestJSON? {
        switch name {
        case "state":
            let states: [(Control.State, String)] = [
                (.highlighted, "highlighted"), (.disabled, "disabled"), (.selected, "selected"),
                (.focused, "focused"),
            ]
            return .strings(states.filter { control.state.contains($0.0) }.map(\.1))
        case "isTouchInside": return .bool(control.isTouchInside)
        case "isEnabled": return .bool(control.isEnabled)
        case "isSelected": return .bool(control.isSelected)
        case "isHighlighted": return .bool(control.isHighlighted)
        case "isTracking": return .bool(control.isTracking)
        case "targets": return .number(control.allTargets.count)
        case "events":
            let events = VectorRun.events.filter { control.allControlEvents.contains($0.value) }
            return .strings(events.keys.sorted())
        default: return nil
        }
    }

    private func value(_ name: String, _ table: TableView) -> TestJSON? {
        switch name {
        case "visible":
            let rows = table.indexPathsForVisibleRows
            return .array([rows.first, rows.last].compactMap { $0 }.map { .path($0) })
        case "counts":
            return .array(
                (0..<table.numberOfSections).map { .number(table.numberOfRows(inSection: $0)) }
            )
        case "headers":
            return .array(table.visibleHeaders.map { [.number($0.section), .number($0.top)] })
        case "headerTitles": return .strings(table.visibleHeaders.map(\.title))
        case "selected": return .array(table.indexPathsForSelectedRows.map { .path($0) })
        case "looksSelected":
            return .strings(table.visibleCells.filter(\.isSelected).compactMap(\.text))
        case "looksHighlighted":
            return .strings(table.visibleCells.filter(\.isHighlighted).compactMap(\.text))
        case "indexTitles":
            let titles = table.indexBar.titles
            return titles.isEmpty ? .null : .strings(titles)
        case "kept": return .strings(source?.keptNames(table) ?? [])
        case "made": return .number(source?.made ?? 0)
        case "asked":
            defer { source?.asked = 0 }
            return .number(source?.asked ?? 0)
        default: return nil
        }
    }
}
