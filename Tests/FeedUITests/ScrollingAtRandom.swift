import FeedUI
import Foundation
import TestSupport
import Testing

/// Scroll views that fingers, code and changes of their content move in any order.
@Suite @MainActor struct ScrollingAtRandom {
    /// What a delegate hears, and whether that can be.
    private final class Log: ScrollViewDelegate {
        var isDragging = false
        var isDecelerating = false
        var faults: [String] = []

        func scrollViewWillBeginDragging(_ scrollView: ScrollView) {
            if isDragging { faults.append("a drag begins in a drag") }
            if isDecelerating { faults.append("a drag begins though it decelerates") }
            isDragging = true
        }

        func scrollViewDidEndDragging(_ scrollView: ScrollView, willDecelerate: Bool) {
            if !isDragging { faults.append("a drag ends that there was not") }
            if isDecelerating { faults.append("it decelerates already") }
            (isDragging, isDecelerating) = (false, willDecelerate)
        }

        func scrollViewDidEndDecelerating(_ scrollView: ScrollView) {
            if isDragging { faults.append("it decelerates in a drag") }
            isDecelerating = false
        }
    }

    private final class Target: Responder {
        var count = 0
        override func responds(to action: ActionName) -> Bool { true }
        override func perform(_ action: ActionName, sender: Control, event: Control.Event?) {
            count += 1
        }
    }

    @MainActor private final class Model {
        let window = Window(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
        let view = ScrollView(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
        let control = RefreshControl()
        let (log, target) = (Log(), Target())
        var random: SeededGenerator
        var inset = 0.0
        var finger: CGPoint?
        var startCount = 0

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            view.isPagingEnabled = seed % 5 == 4
            view.isDirectionalLockEnabled = seed % 2 == 0
            view.bounces = seed % 7 != 6
            view.contentSize = CGSize(width: 320, height: 2_000)
            view.delegate = log
            control.addTarget(target, action: "refresh", for: .valueChanged)
            if seed % 3 > 0 { view.refreshControl = control }
            window.addSubview(view)
        }

        var ends: ClosedRange<Double> {
            let inset = view.adjustedContentInset
            let end = view.contentSize.height + inset.bottom - view.frame.height
            return -inset.top...max(-inset.top, end)
        }

        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }

        func act() -> String {
            let offset = view.contentOffset
            switch Int.random(in: 0..<16, using: &random) {
            case 0...1:
                guard finger == nil else { return lift() }
                let point = CGPoint(x: 100, y: number(50...430))
                finger = point
                startCount = target.count
                window.touchDown(at: point)
                return "down"
            case 2...5, 13:
                guard let last = finger else { return advance() }
                let point = CGPoint(x: last.x + number(-5...5), y: last.y + number(-100...160))
                finger = point
                window.touchMove(to: point)
                return "move"
            case 6:
                view.contentSize.height = number(0...3_000)
                return "size"
            case 7:
                let change = number(0...40) - inset
                inset += change
                view.contentInset.top += change
                return "inset"
            case 8:
                control.beginRefreshing()
                return "begin"
            case 9:
                control.endRefreshing()
                if view.contentOffset != offset { log.faults.append("ending jumps") }
                return "end"
            case 10:
                let y = Bool.random(using: &random) ? -200 : number(0...3_000)
                let isAnimated = Bool.random(using: &random)
                view.setContentOffset(CGPoint(x: 0, y: y), animated: isAnimated)
                return "set"
            case 11:
                view.frame.size.height = number(200...480)
                return "frame"
            case 14:
                view.isScrollEnabled = Int.random(in: 0..<3, using: &random) > 0
                return "enabled \(view.isScrollEnabled)"
            case 15 where Bool.random(using: &random):
                view.removeFromSuperview()
                if view.isTracking || view.isDecelerating { log.faults.append("moves outside") }
                window.addSubview(view)
                return "out and in"
            default: return advance()
            }
        }

        func lift() -> String {
            guard let point = finger else { return "" }
            finger = nil
            if Bool.random(using: &random) {
                window.touchUp(at: point)
                return "up"
            }
            window.touchCancel()
            return "cancel"
        }

        func advance() -> String {
            let time = Int.random(in: 1..<120, using: &random)
            window.advance(to: window.time + .milliseconds(time))
            return "advance"
        }

        func check() -> [String] {
            var faults = log.faults
            if view.isDragging != log.isDragging { faults.append("isDragging") }
            if view.isDecelerating, log.isDragging { faults.append("decelerates and drags") }
            if finger == nil, view.isTracking { faults.append("tracks nothing") }
            if finger != nil, target.count > startCount + 1 { faults.append("sent twice") }
            let room = view.refreshControl != nil && control.isRefreshing ? 60.0 : 0
            if abs(view.contentInset.top - inset - room) > 0.001 { faults.append("room") }
            if finger == nil, window.isAtRest {
                if view.isDecelerating { faults.append("decelerates at rest") }
                let offset = view.contentOffset.y
                if offset < ends.lowerBound - 0.5 || offset > ends.upperBound + 0.5 {
                    faults.append("at rest at \(offset), past \(ends)")
                }
            }
            return faults
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func comeToRestWithinTheirContent(seed: UInt64) {
        let model = Model(seed: seed)
        var steps: [String] = []
        for _ in 0..<300 {
            steps.append(model.act())
            let faults = model.check()
            guard faults.isEmpty else {
                Issue.record("\(faults) after \(steps.suffix(12))")
                return
            }
        }
        _ = model.lift()
        var count = 0
        while !model.window.isAtRest, count < 1_000 {
            model.window.advance(to: model.window.time + .milliseconds(16))
            count += 1
        }
        #expect(count < 1_000)
        #expect(model.check().isEmpty, "\(model.check())")
        #expect(!model.log.isDecelerating)
    }
}
