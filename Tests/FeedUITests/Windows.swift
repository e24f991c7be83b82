import FeedUI
import Foundation
import Testing

/// Windows, which are in no other widget.
@Suite @MainActor struct Windows {
    @Test func removingOneFromNothingMovesNothingInIt() {
        let frame = CGRect(x: 0, y: 0, width: 320, height: 480)
        let window = Window(frame: frame)
        let view = ScrollView(frame: frame)
        view.contentSize = CGSize(width: 320, height: 2_000)
        window.addSubview(view)
        let start = CGPoint(x: 100, y: 100)
        window.touchDown(at: start)
        for y in stride(from: 120.0, through: 300, by: 20) {
            window.touchMove(to: CGPoint(x: 100, y: y))
        }
        window.touchUp(at: CGPoint(x: 100, y: 300))
        window.advance(to: .milliseconds(50))
        // A finger holds the content on its way back to its top.
        window.touchDown(at: start)
        let offset = view.contentOffset
        #expect(offset.y < -10)
        window.removeFromSuperview()
        window.advance(to: .seconds(1))
        #expect(view.contentOffset == offset)
        #expect(view.window === window)
        window.touchUp(at: start)
        window.advance(to: .seconds(4))
        #expect(view.contentOffset == .zero)
    }

    @Test func removingAWidgetTakesItsWindow() {
        let window = Window()
        let (outer, inner) = (Widget(), Widget())
        outer.addSubview(inner)
        window.addSubview(outer)
        #expect(inner.window === window)
        outer.removeFromSuperview()
        #expect(inner.window == nil && outer.superview == nil)
        #expect(inner.superview === outer)
    }
    @Test(.timeLimit(.minutes(1))) func aLongRestPassesAtOnce() throws {
        let frame = CGRect(x: 0, y: 0, width: 320, height: 480)
        let window = Window(frame: frame)
        let view = ScrollView(frame: frame)
        view.contentSize = CGSize(width: 320, height: 2_000)
        window.addSubview(view)
        view.setContentOffset(CGPoint(x: 0, y: 500), animated: true)
        window.advance(to: .seconds(1 << 32))
        #expect(window.time == .seconds(1 << 32))
        #expect(view.contentOffset.y == 500 && window.isAtRest)
    }
}
