import Foundation

/// A touch from its beginning to its end.
///
/// The session decides whether the touched widget or a scroll view around it gets the touch.
///
/// A scroll view holds touches back for a moment to tell a scroll from a tap, and may cancel the
/// touch of a widget to scroll. Of scroll views within each other, the innermost one scrolls that
/// can move in the finger's direction.
@MainActor
final class TouchSession {
    private enum Phase {
        /// The widget does not have the touch yet.
        case pending(until: Duration)
        /// The widget has the touch.
        case delivered
        /// A scroll view drags its content.
        case dragging(ScrollView)
        /// Only the scroll views follow the touch, and do not drag yet.
        case tracking
    }

    private var content: Widget?
    /// The scroll views around the widget, the innermost first.
    private var scrollViews: [ScrollView]
    private let start: Touch
    private var last: Touch
    private var phase = Phase.tracking

    /// The distance in points after which a finger scrolls.
    static let slop = 10.0

    init(_ hit: Widget, _ touch: Touch) {
        start = touch
        last = touch
        content = hit
        scrollViews = hit.claimsTouches ? [] : TouchSession.scrollViews(around: hit)
    }

    /// Begins the touch, in the window whose touch this is by then.
    func begin() {
        var wasMoving = false
        // A view that hears that it rests may take out those around it.
        for scrollView in scrollViews where scrollViews.contains(where: { $0 === scrollView }) {
            if scrollView.beginTracking(start) { wasMoving = true }
        }
        guard let innermost = scrollViews.first else { return deliver() }
        guard let hit = content, !wasMoving, hit !== innermost,
            innermost.touchesShouldBegin(start, in: hit)
        else {
            content = nil
            return
        }
        if innermost.delaysContentTouches {
            phase = .pending(until: start.timestamp + innermost.touchDelay(for: hit))
        } else {
            deliver()
        }
    }

    private static func scrollViews(around hit: Widget) -> [ScrollView] {
        var scrollViews: [ScrollView] = []
        var widget: Widget? = hit
        while let current = widget {
            if let scrollView = current as? ScrollView, scrollView.isScrollEnabled {
                scrollViews.append(scrollView)
            }
            widget = current.superview
        }
        return scrollViews
    }

    /// Cancels the touch for widgets that are not in the window any more, such as a cell that is
    /// reused.
    func giveUp(outside window: Window) {
        if let content, content.window !== window { giveUp(content) }
        let gone = scrollViews.filter { $0.window !== window }
        scrollViews.removeAll { $0.window !== window }
        if case .dragging(let scrollView) = phase, scrollView.window !== window {
            phase = .tracking
        }
        for scrollView in gone { scrollView.endTracking(at: window.time, isCancelled: true) }
    }

    private func giveUp(_ content: Widget) {
        let phase = phase
        self.content = nil
        if case .dragging = phase { return }
        self.phase = .tracking
        if case .delivered = phase { content.touchesCancelled(last) }
    }

    func step(to time: Duration) {
        if case .pending(let until) = phase, time >= until { deliver() }
    }

    private func deliver() {
        phase = .delivered
        content?.touchesBegan(last)
    }

    func move(_ touch: Touch) {
        last = touch
        switch phase {
        case .dragging(let scrollView): scrollView.drag(touch)
        case .pending, .tracking:
            if let scrollView = scroller(touch) {
                beginDragging(scrollView, touch)
            } else if case .pending = phase, distance(touch) > TouchSession.slop {
                deliver()
                content?.touchesMoved(touch)
            }
        case .delivered:
            if let scrollView = scroller(touch), let content, scrollView.canCancelContentTouches,
                scrollView.touchesShouldCancel(in: content)
            {
                giveUp(content)
                // The widget may have taken the view out, or ended the touch.
                move(touch)
            } else {
                content?.touchesMoved(touch)
            }
        }
    }

    func end(_ touch: Touch) {
        if case .pending = phase { deliver() }
        if case .delivered = phase { content.take()?.touchesEnded(touch) }
        endTracking(at: touch.timestamp, isCancelled: false)
    }

    func cancel(at time: Duration) {
        if let content { giveUp(content) }
        endTracking(at: time, isCancelled: true)
    }

    /// Has each scroll view hear of the end once, also those that are taken out by then.
    private func endTracking(at time: Duration, isCancelled: Bool) {
        while !scrollViews.isEmpty {
            scrollViews.removeFirst().endTracking(at: time, isCancelled: isCancelled)
        }
    }

    private func beginDragging(_ scrollView: ScrollView, _ touch: Touch) {
        phase = .dragging(scrollView)
        scrollView.beginDragging(touch, from: start)
    }

    /// Returns the scroll view that a finger scrolls that has moved far enough: the innermost one
    /// that can move in the finger's main direction, or else in the other one.
    private func scroller(_ touch: Touch) -> ScrollView? {
        let x = abs(touch.location.x - start.location.x)
        let y = abs(touch.location.y - start.location.y)
        let ways: [(ScrollView.Axis, Double)] = [(.horizontal, x), (.vertical, y)]
        for (axis, way) in x > y ? ways : ways.reversed() where way > TouchSession.slop {
            let scroller = scrollViews.first { $0.isScrollEnabled && $0.canScroll(axis) }
            if let scroller { return scroller }
        }
        return nil
    }

    private func distance(_ touch: Touch) -> Double {
        max(abs(touch.location.x - start.location.x), abs(touch.location.y - start.location.y))
    }
}
