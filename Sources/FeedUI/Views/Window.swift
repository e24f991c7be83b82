public import Foundation

/// The outermost widget: it receives touches and the time, and passes touches on to the widgets
/// below them.
///
/// Animations advance only by calls of ``advance(to:)``.
@MainActor
public final class Window: Widget {
    /// The current time, as set by ``advance(to:)``.
    public private(set) var time = Duration.zero

    private var session: TouchSession?

    /// The length of the steps in which time passes.
    static let frameTime = Duration.milliseconds(16)

    /// The window itself.
    public override var window: Window? { self }

    /// Advances the time, and with it animations and delayed touches.
    ///
    /// - Parameter time: The new time, not before the current one.
    public func advance(to time: Duration) {
        while self.time < time {
            // At rest nothing happens in between, however long that is.
            let isIdle = session == nil && isAtRest
            self.time = isIdle ? time : min(time, self.time + Window.frameTime)
            session?.step(to: self.time)
            step(to: self.time)
        }
    }

    /// Whether no animation is under way: a renderer can wait for the next touch.
    public override var isAtRest: Bool { super.isAtRest }

    /// Begins a touch.
    ///
    /// A window has one touch at a time: an earlier one that has not ended is cancelled.
    public func touchDown(at point: CGPoint) {
        touchCancel()
        guard let hit = hitTest(point), hit !== self else { return }
        session = TouchSession(hit, touch(point))
        session?.begin()
    }

    /// Moves the touch.
    public func touchMove(to point: CGPoint) {
        session?.move(touch(point))
    }

    /// Ends the touch.
    public func touchUp(at point: CGPoint) {
        let ended = session
        ended?.end(touch(point))
        // A callback may have begun another.
        if session === ended { session = nil }
    }

    /// Cancels the touch.
    public func touchCancel() {
        let ended = session
        ended?.cancel(at: time)
        if session === ended { session = nil }
    }

    /// Called when widgets have left the window: they lose the touch.
    func widgetsDidLeave() { session?.giveUp(outside: self) }

    /// Returns the foremost widget at a point; the window itself if there is none.
    public override func hitTest(_ point: CGPoint) -> Widget? {
        let local = local(point)
        for subview in subviews.reversed() {
            if let hit = subview.hitTest(local) { return hit }
        }
        return self
    }

    private func touch(_ point: CGPoint) -> Touch { Touch(location: point, timestamp: time) }
}
