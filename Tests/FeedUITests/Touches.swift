import FeedUI
import Foundation
import Testing

/// What becomes of touches whose views go, or do not follow them any more.
@Suite @MainActor struct Touches {
    private final class Log: ScrollViewDelegate, ActionTarget {
        var entries: [String] = []

        func scrollViewWillBeginDragging(_ scrollView: ScrollView) { entries.append("begin") }

        func scrollViewDidEndDragging(_ scrollView: ScrollView, willDecelerate: Bool) {
            entries.append("end \(willDecelerate)")
        }

        func scrollViewDidEndDecelerating(_ scrollView: ScrollView) { entries.append("rest") }

        func scrollViewDidScrollToTop(_ scrollView: ScrollView) {
            entries.append("top \(scrollView.contentOffset.y)")
        }

        func responds(to action: ActionName) -> Bool { true }

        func perform(_ action: ActionName, sender: Control, event: Control.Event?) {
            entries.append(action.rawValue)
        }
    }

    private static let frame = CGRect(x: 0, y: 0, width: 320, height: 480)

    private let window = Window(frame: frame)
    private let view = ScrollView(frame: frame)
    private let log = Log()

    init() {
        view.contentSize = CGSize(width: 320, height: 4_000)
        view.delegate = log
        window.addSubview(view)
    }

    private func advance(_ milliseconds: Int) {
        window.advance(to: window.time + .milliseconds(milliseconds))
    }

    private func rest() { while !window.isAtRest { advance(16) } }

    private func drag(from start: CGPoint, by way: CGPoint, lifts: Bool = true) {
        window.touchDown(at: start)
        var point = start
        for _ in 1...5 {
            point.x += way.x / 5
            point.y += way.y / 5
            window.touchMove(to: point)
            advance(16)
        }
        if lifts { window.touchUp(at: point) }
    }

    private func dragUp(lifts: Bool = true) {
        drag(from: CGPoint(x: 50, y: 400), by: CGPoint(x: 0, y: -200), lifts: lifts)
    }

    @Test func aControlThatIsTakenOutLosesIts() {
        view.delaysContentTouches = false
        let box = Widget(frame: Self.frame)
        let control = Control(frame: Self.frame)
        control.addTarget(log, action: "cancelled", for: .touchCancel)
        control.addTarget(log, action: "operated", for: [.touchUpInside, .primaryActionTriggered])
        box.addSubview(control)
        view.addSubview(box)
        window.touchDown(at: CGPoint(x: 50, y: 50))
        #expect(control.isTracking)
        box.removeFromSuperview()
        #expect(!control.isTracking && !control.isHighlighted)
        window.touchUp(at: CGPoint(x: 50, y: 50))
        #expect(log.entries == ["cancelled"])
    }

    @Test func aControlThatTakesItselfOutAtATouchDownIsTouchedNoMore() {
        final class Closer: Control {
            override func didHappen(_ event: Control.Event) { removeFromSuperview() }
        }
        let closer = Closer(frame: Self.frame)
        window.addSubview(closer)
        window.touchDown(at: CGPoint(x: 50, y: 50))
        #expect(closer.superview == nil)
        #expect(!closer.isTracking && !closer.isHighlighted)
    }

    @Test func aControlThatComesToTheFrontKeepsItsOwn() {
        final class Tile: Control {
            override func didHappen(_ event: Control.Event) {
                if event == .touchDown { superview?.addSubview(self) }
            }
        }
        let (tile, other) = (Tile(frame: Self.frame), Widget())
        window.addSubview(tile)
        window.addSubview(other)
        tile.addTarget(log, action: "operated", for: .touchUpInside)
        window.touchDown(at: CGPoint(x: 50, y: 50))
        #expect(window.subviews.last === tile && tile.isTracking)
        window.touchUp(at: CGPoint(x: 50, y: 50))
        #expect(log.entries == ["operated"])
    }

    @Test func aScrollViewThatIsTakenOutIsDraggedNoMore() {
        dragUp(lifts: false)
        #expect(view.isDragging)
        view.removeFromSuperview()
        #expect(!view.isDragging && !view.isTracking && !view.isDecelerating)
        #expect(log.entries == ["begin", "end false"])
        let offset = view.contentOffset
        window.touchMove(to: CGPoint(x: 50, y: 20))
        window.touchUp(at: CGPoint(x: 50, y: 20))
        #expect(view.contentOffset == offset)
        #expect(log.entries.count == 2)
    }

    @Test func aScrollViewThatIsTakenOutDeceleratesNoMore() {
        dragUp()
        #expect(view.isDecelerating)
        view.removeFromSuperview()
        #expect(!view.isDecelerating)
        #expect(log.entries == ["begin", "end true", "rest"])
    }

    @Test func aScrollViewThatMovesToAnotherWindowRestsThere() {
        dragUp()
        #expect(view.isDecelerating)
        let (other, offset) = (Window(frame: Self.frame), view.contentOffset)
        other.addSubview(view)
        #expect(!view.isDecelerating && view.window === other && window.isAtRest)
        other.advance(to: .milliseconds(16))
        #expect(view.contentOffset == offset)
    }

    @Test func scrollingByCodeIsOverWhereTheViewIsTakenOut() {
        view.setContentOffset(CGPoint(x: 0, y: 1_000), animated: true)
        advance(48)
        view.removeFromSuperview()
        #expect(view.contentOffset.y == 1_000)
    }

    @Test func aViewThatIsNotToBeScrolledAnyMoreIsDraggedNoMore() {
        dragUp(lifts: false)
        view.isScrollEnabled = false
        #expect(!view.isDragging)
        let offset = view.contentOffset
        window.touchMove(to: CGPoint(x: 50, y: 20))
        view.isScrollEnabled = true
        window.touchMove(to: CGPoint(x: 50, y: 40))
        window.touchUp(at: CGPoint(x: 50, y: 40))
        #expect(view.contentOffset == offset)
        #expect(log.entries == ["begin", "end false"])
        // The next finger drags again.
        dragUp()
        #expect(view.contentOffset.y > offset.y)
    }

    @Test func aPullThatEndsSoGoesBackToTheTop() {
        drag(from: CGPoint(x: 50, y: 100), by: CGPoint(x: 0, y: 200), lifts: false)
        #expect(view.contentOffset.y < -20)
        view.isScrollEnabled = false
        rest()
        #expect(view.contentOffset.y == 0)
    }

    @Test func aPullThatIsTakenAwayAfterARestGoesBackWithoutAJump() {
        drag(from: CGPoint(x: 50, y: 100), by: CGPoint(x: 0, y: 200), lifts: false)
        advance(5_000)
        let offset = view.contentOffset.y
        window.touchCancel()
        advance(16)
        #expect(offset < view.contentOffset.y && view.contentOffset.y < offset / 2)
    }

    /// Disables itself while it follows a touch.
    private final class Knob: Control {
        var endsOnMove = false

        override func beginTracking(_ touch: Touch) -> Bool {
            isEnabled = endsOnMove
            return true
        }

        override func continueTracking(_ touch: Touch) -> Bool {
            isEnabled = false
            return true
        }
    }

    @Test(arguments: [true, false])
    func aControlThatDisablesItselfWhileItFollowsOneLooksTouchedNoMore(endsOnMove: Bool) {
        let knob = Knob(frame: Self.frame)
        knob.endsOnMove = endsOnMove
        window.addSubview(knob)
        window.touchDown(at: CGPoint(x: 50, y: 50))
        #expect(knob.isTracking == endsOnMove)
        window.touchMove(to: CGPoint(x: 50, y: 60))
        window.touchUp(at: CGPoint(x: 50, y: 60))
        #expect(!knob.isTracking && !knob.isHighlighted && !knob.isTouchInside)
    }

    /// Keeps an account of its touch, and acts when that ends.
    private final class Tile: Widget {
        var entries: [String] = []
        var whenOver: (() -> Void)?

        override func touchesBegan(_ touch: Touch) { entries.append("began") }

        override func touchesEnded(_ touch: Touch) {
            entries.append("ended")
            whenOver?()
        }

        override func touchesCancelled(_ touch: Touch) {
            entries.append("cancelled")
            whenOver?()
        }
    }

    @Test(arguments: [true, false])
    func aWidgetThatTakesItselfOutAtTheEndHearsOneEnd(isLifted: Bool) {
        let tile = Tile(frame: Self.frame)
        tile.whenOver = { tile.removeFromSuperview() }
        window.addSubview(tile)
        window.touchDown(at: CGPoint(x: 50, y: 50))
        if isLifted { window.touchUp(at: CGPoint(x: 50, y: 50)) } else { window.touchCancel() }
        #expect(tile.entries == ["began", isLifted ? "ended" : "cancelled"])
        tile.whenOver = nil
    }

    @Test(arguments: ["taken out", "disabled", "touch cancelled"])
    func aViewWhoseWidgetEndsItsScrollingIsNotDragged(way: String) {
        view.delaysContentTouches = false
        let tile = Tile(frame: Self.frame)
        view.addSubview(tile)
        tile.whenOver = { [window, view] in
            switch way {
            case "taken out": view.removeFromSuperview()
            case "disabled": view.isScrollEnabled = false
            default: window.touchCancel()
            }
        }
        dragUp()
        #expect(tile.entries == ["began", "cancelled"])
        #expect(!view.isDragging && !view.isTracking && view.contentOffset.y == 0)
        #expect(log.entries.isEmpty)
    }

    @Test func aViewThatIsTakenOutAsTheOneInItRestsIsNotTracked() {
        final class Remover: ScrollViewDelegate {
            var view: Widget?
            func scrollViewDidEndDecelerating(_ scrollView: ScrollView) {
                view?.removeFromSuperview()
            }
        }
        let inner = ScrollView(frame: Self.frame)
        inner.contentSize = CGSize(width: 320, height: 4_000)
        view.addSubview(inner)
        dragUp()
        #expect(inner.isDecelerating)
        let remover = Remover()
        remover.view = view
        inner.delegate = remover
        window.touchDown(at: CGPoint(x: 50, y: 50))
        #expect(!view.isTracking && !inner.isTracking)
        window.touchUp(at: CGPoint(x: 50, y: 50))
        #expect(!view.isTracking && !inner.isTracking)
    }

    @Test func aControlThatTakesItselfOutAsItBeginsToFollowOneLooksTouchedNoMore() {
        final class Closer: Control {
            override func beginTracking(_ touch: Touch) -> Bool {
                removeFromSuperview()
                return true
            }
        }
        let closer = Closer(frame: Self.frame)
        window.addSubview(closer)
        window.touchDown(at: CGPoint(x: 50, y: 50))
        #expect(!closer.isTracking && !closer.isHighlighted)
    }

    @Test func aTouchThatBeginsAtTheEndOfAnotherIsFollowed() {
        let (tile, other) = (Tile(frame: Self.frame), Tile())
        other.frame = Self.frame
        window.addSubview(tile)
        tile.whenOver = { [window] in
            window.addSubview(other)
            window.touchDown(at: CGPoint(x: 50, y: 50))
        }
        window.touchDown(at: CGPoint(x: 50, y: 50))
        window.touchUp(at: CGPoint(x: 50, y: 50))
        window.touchUp(at: CGPoint(x: 50, y: 50))
        #expect(other.entries == ["began", "ended"])
        tile.whenOver = nil
    }

    @Test func aViewInAnotherScrollsItWhereItCannotMoveItself() {
        let inner = ScrollView(frame: CGRect(x: 0, y: 200, width: 320, height: 200))
        inner.contentSize = CGSize(width: 2_000, height: 200)
        view.addSubview(inner)
        drag(from: CGPoint(x: 250, y: 300), by: CGPoint(x: -150, y: 3))
        rest()
        #expect(inner.contentOffset.x > 100)
        #expect(view.contentOffset.y == 0)
        #expect(!view.isTracking && !inner.isTracking)
        let offset = inner.contentOffset
        drag(from: CGPoint(x: 250, y: 300), by: CGPoint(x: 3, y: -150))
        rest()
        #expect(inner.contentOffset == offset)
        #expect(view.contentOffset.y > 100)
    }

    @Test func codeThatMovesTheContentUnderAFingerLeavesItThere() {
        dragUp(lifts: false)
        view.contentOffset.y = 2_000
        window.touchMove(to: CGPoint(x: 50, y: 190))
        #expect(abs(view.contentOffset.y - 2_010) < 0.01)
        window.touchMove(to: CGPoint(x: 50, y: 170))
        #expect(abs(view.contentOffset.y - 2_030) < 0.01)
    }

    @Test func aRefreshControlTakesItsRoomAlong() {
        let other = ScrollView(frame: Self.frame)
        let control = RefreshControl()
        view.refreshControl = control
        control.beginRefreshing()
        other.refreshControl = control
        #expect(view.refreshControl == nil)
        #expect(view.contentInset.top == 0 && other.contentInset.top == RefreshControl.height)
        control.endRefreshing()
        #expect(view.contentInset.top == 0 && other.contentInset.top == 0)
    }

    @Test func theRoomOfARefreshControlGoesWithItsView() {
        let control = RefreshControl()
        do {
            let other = ScrollView(frame: Self.frame)
            other.refreshControl = control
            control.beginRefreshing()
        }
        view.refreshControl = control
        #expect(view.contentInset.top == RefreshControl.height)
        control.endRefreshing()
        #expect(view.contentInset.top == 0)
    }

    @Test func aShortPullBelowASafeAreaAsksForNothing() {
        let screen = RefreshingScrollView(frame: Self.frame)
        screen.contentSize = CGSize(width: 320, height: 4_000)
        screen.safeAreaInsets = ContentInsets(top: 90)
        view.removeFromSuperview()
        window.addSubview(screen)
        screen.contentOffset.y = -90
        drag(from: CGPoint(x: 50, y: 200), by: CGPoint(x: 0, y: 40))
        #expect(!screen.isRefreshing)
        rest()
        drag(from: CGPoint(x: 50, y: 100), by: CGPoint(x: 0, y: 300))
        #expect(screen.isRefreshing)
    }
}
