public import Foundation

/// The outermost widget: takes touches and the time in, and gives touches to who gets them.
///
/// Nothing moves but when ``advance(to:)`` says that time has passed.
@MainActor
public final class Window: Widget {
    /// The time since some moment.
    public private(set) var time = Duration.zero

    private var session: TouchSession?

    /// The steps in which time passes.
    static let frameTime = Duration.milliseconds(16)

    /// Puts a widget in, which is in this window from then on.
    public override func addSubview(_ widget: Widget) {
        super.addSubview(widget)
        widget.hostWindow = self
        widget.windowDidChange()
    }

    /// Lets time pass.
    ///
    /// - Parameter time: Not before the last.
    public func advance(to time: Duration) {
        while self.time < time {
            self.time = min(time, self.time + Window.frameTime)
            session?.step(to: self.time)
            step(to: self.time)
        }
    }

    /// Whether nothing moves by itself: a renderer need not come back before the next touch.
    public override var isAtRest: Bool { super.isAtRest }

    /// A finger goes down; one at a time.
    public func touchDown(at point: CGPoint) {
        touchCancel()
        guard let hit = hitTest(point), hit !== self else { return }
        session = TouchSession(hit, touch(point))
    }

    /// The finger moves.
    public func touchMove(to point: CGPoint) {
        session?.move(touch(point))
    }

    /// The finger is lifted.
    public func touchUp(at point: CGPoint) {
        session?.end(touch(point))
        session = nil
    }

    /// The system takes the touch away.
    public func touchCancel() {
        session?.cancel()
        session = nil
    }

    /// Returns the widget at a point; the window itself where there is none.
    public override func hitTest(_ point: CGPoint) -> Widget? {
        let local = local(point)
        for subview in subviews.reversed() {
            if let hit = subview.hitTest(local) { return hit }
        }
        return self
    }

    private func touch(_ point: CGPoint) -> Touch { Touch(location: point, timestamp: time) }
}
