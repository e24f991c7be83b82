import FeedModel
import FeedUI
import TestSupport
import Testing

/// What members are.
extension VectorRun {
    /// What docs/UI.md says is not built here.
    private static let leftOut: Set = [
        "keyboardDismissMode", "minimumZoomScale", "maximumZoomScale", "zoomScale", "bouncesZoom",
        "isZooming",
    ]

    func expectProperties(_ expected: TestJSON, _ step: String) {
        for (name, value) in expected.members where !VectorRun.leftOut.contains(name.string) {
            // Of a scroll view that is no table it means nothing.
            if name == "indexDisplayMode", table == nil { continue }
            let actual = property(name.string)
            #expect(actual == value, "\(step): \(name) is \(String(describing: actual))")
        }
    }

    private func property(_ name: String) -> TestJSON? {
        if let indicator = view as? ActivityIndicator { return .bool(indicator.hidesWhenStopped) }
        if let control { return property(name, control) }
        if let table, let value = property(name, table) { return value }
        return scrollView.flatMap { property(name, $0) }
    }

    private func property(_ name: String, _ control: Control) -> TestJSON? {
        switch name {
        case "isEnabled": .bool(control.isEnabled)
        case "isSelected": .bool(control.isSelected)
        case "isHighlighted": .bool(control.isHighlighted)
        case "contentHorizontalAlignment": .text("\(control.contentHorizontalAlignment)")
        case "contentVerticalAlignment": .text("\(control.contentVerticalAlignment)")
        default: nil
        }
    }

    private func property(_ name: String, _ table: TableView) -> TestJSON? {
        switch name {
        case "allowsSelection": .bool(table.allowsSelection)
        case "allowsMultipleSelection": .bool(table.allowsMultipleSelection)
        case "keepsPositionAtTop": .bool(table.keepsPositionAtTop)
        case "indexDisplayMode": .text("\(table.indexDisplayMode)")
        default: nil
        }
    }

    private func property(_ name: String, _ view: ScrollView) -> TestJSON? {
        switch name {
        case "isScrollEnabled": .bool(view.isScrollEnabled)
        case "isPagingEnabled": .bool(view.isPagingEnabled)
        case "isDirectionalLockEnabled": .bool(view.isDirectionalLockEnabled)
        case "bounces": .bool(view.bounces)
        case "alwaysBounceVertical": .bool(view.alwaysBounceVertical)
        case "alwaysBounceHorizontal": .bool(view.alwaysBounceHorizontal)
        case "scrollsToTop": .bool(view.scrollsToTop)
        case "delaysContentTouches": .bool(view.delaysContentTouches)
        case "canCancelContentTouches": .bool(view.canCancelContentTouches)
        case "showsVerticalScrollIndicator": .bool(view.showsVerticalScrollIndicator)
        case "showsHorizontalScrollIndicator": .bool(view.showsHorizontalScrollIndicator)
        case "indicatorStyle": .text("\(view.indicatorStyle)")
        case "contentInsetAdjustmentBehavior": .text("\(view.contentInsetAdjustmentBehavior)")
        default: nil
        }
    }
}
