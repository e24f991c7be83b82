import FeedUI
import Foundation
import TestSupport
import Testing

/// Controls that fingers operate while code disables them, and takes them out, in any order.
@Suite @MainActor struct TouchesAtRandom {
    /// A control that keeps an account of its events.
    private final class Key: Control {
        /// Whether a touch went down that has not ended yet.
        var isDown = false
        var faults: [String] = []
        /// What it does to itself when a touch goes down, and while it follows one.
        var whenDown: (() -> Void)?
        var whenMoved: (() -> Void)?

        override func continueTracking(_ touch: Touch) -> Bool {
            whenMoved.take()?()
            return true
        }

        override func didHappen(_ event: Control.Event) {
            switch event {
            case .touchDown:
                if isDown { faults.append("down twice") }
                isDown = true
                whenDown.take()?()
            case .touchUpInside, .touchUpOutside, .touchCancel:
                if !isDown { faults.append("an end without a touch down") }
                isDown = false
            case .touchDragInside, .touchDragOutside:
                if !isDown { faults.append("a drag without a touch down") }
                if isHighlighted != (event == .touchDragInside) { faults.append("highlighted") }
            default: break
            }
        }
    }

    @MainActor private final class Model {
        let window = Window(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
        let view = ScrollView(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
        let box = Widget(frame: CGRect(x: 0, y: 0, width: 320, height: 2_000))
        var keys: [Key] = []
        var random: SeededGenerator
        var finger: CGPoint?

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            view.contentSize = box.frame.size
            view.delaysContentTouches = seed % 2 == 0
            window.addSubview(view)
            view.addSubview(box)
            for row in 0..<10 {
                let key = Key(frame: CGRect(x: 0, y: Double(row) * 200, width: 160, height: 150))
                keys.append(key)
                box.addSubview(key)
            }
        }

        func act() {
            let key = keys[Int.random(in: 0..<keys.count, using: &random)]
            switch Int.random(in: 0..<12, using: &random) {
            case 0...2:
                let (x, y) = (Double.random(in: 0..<320, using: &random), 100.0)
                finger = CGPoint(x: x, y: y + .random(in: 0..<300, using: &random))
                window.touchDown(at: finger ?? .zero)
            case 3...5:
                guard let last = finger else { return }
                let way = Double.random(in: -30...30, using: &random)
                finger = CGPoint(x: last.x + way, y: last.y + way / 3)
                window.touchMove(to: finger ?? last)
            case 6:
                guard let last = finger else { return }
                finger = nil
                if Bool.random(using: &random) {
                    window.touchUp(at: last)
                } else {
                    window.touchCancel()
                }
            case 7: key.isEnabled = Bool.random(using: &random)
            case 8:
                if key.superview == nil {
                    box.addSubview(key)
                } else {
                    key.removeFromSuperview()
                }
            case 9:
                view.removeFromSuperview()
                window.addSubview(view)
            case 10:
                let change: () -> Void =
                    Bool.random(using: &random)
                    ? { key.isEnabled = false } : { key.removeFromSuperview() }
                if Bool.random(using: &random) {
                    key.whenDown = change
                } else {
                    key.whenMoved = change
                }
            default:
                let time = Int.random(in: 1..<200, using: &random)
                window.advance(to: window.time + .milliseconds(time))
            }
        }

        func check() -> [String] {
            var faults: [String] = []
            for key in keys {
                // A disabled control tells no end.
                if !key.isEnabled { key.isDown = false }
                faults += key.faults
                if key.isTracking != key.isDown { faults.append("tracks and has no touch") }
                if key.isTracking, finger == nil { faults.append("tracks no finger") }
                if key.isTracking, key.window == nil { faults.append("tracks without a window") }
                if key.isHighlighted != key.isTouchInside { faults.append("looks touched") }
                if key.isTouchInside, !key.isTracking { faults.append("is touched") }
            }
            return faults
        }
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func areFollowedToTheirEnds(seed: UInt64) {
        let model = Model(seed: seed)
        for step in 0..<400 {
            model.act()
            let faults = model.check()
            guard faults.isEmpty else {
                Issue.record("\(faults) in step \(step)")
                return
            }
        }
    }
}
