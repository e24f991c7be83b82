import Foundation

/// A touch from its beginning to its end.
///
/// The session decides whether the touched widget or the scroll view around it gets the touch.
///
/// A scroll view holds touches back for a moment to tell a scroll from a tap, and may cancel the
/// touch of a widget to scroll.
@MainActor
final class TouchSession {
    private enum Phase {
        /// The widget does not have the touch yet.
        case pending(until: Duration)
        /// The widget has the touch.
        case delivered
        /// The scroll view drags its content.
        case dragging
        /// Only the scroll view follows the touch, and does not drag yet.
        case tracking
    }

    private var content: Widget?
    /// The value of the widget's ``Widget/use`` when the finger went down.
    private let use: Int
    private let scrollView: ScrollView?
    private let start: Touch
    private var last: Touch
    private var phase: Phase

    /// The distance in points after which a finger scrolls.
    static let slop = 10.0

    init(_ hit: Widget, _ touch: Touch) {
        start = touch
        last = touch
        use = hit.use
        let scrollView = hit.claimsTouches ? nil : TouchSession.scrollView(around: hit)
        self.scrollView = scrollView
        let wasMoving = scrollView?.beginTracking(touch) ?? false
        let isOffered = scrollView == nil || hit !== scrollView
        if isOffered, !wasMoving, scrollView?.touchesShouldBegin(touch, in: hit) ?? true {
            content = hit
            phase = .delivered
        } else {
            content = nil
            phase = .tracking
        }
        if let scrollView, content != nil, scrollView.delaysContentTouches {
            phase = .pending(until: touch.timestamp + scrollView.touchDelay(for: hit))
        } else {
            content?.touchesBegan(touch)
        }
    }

    private static func scrollView(around hit: Widget) -> ScrollView? {
        var widget: Widget? = hit
        while let current = widget {
            if let scrollView = current as? ScrollView, scrollView.isScrollEnabled {
                return scrollView
            }
            widget = current.superview
        }
        return nil
    }

    /// Gives up the widget if it has come to show other content, such as a cell that was reused.
    private func checkUse() {
        guard let content, content.use != use else { return }
        self.content = nil
        if case .dragging = phase { return }
        phase = .tracking
    }

    func step(to time: Duration) {
        checkUse()
        if case .pending(let until) = phase, time >= until { deliver() }
    }

    private func deliver() {
        phase = .delivered
        content?.touchesBegan(last)
    }

    func move(_ touch: Touch) {
        checkUse()
        last = touch
        switch phase {
        case .dragging: scrollView?.drag(touch)
        case .pending, .tracking:
            if scrolls(touch) {
                beginDragging(touch)
            } else if case .pending = phase, distance(touch) > TouchSession.slop {
                deliver()
                content?.touchesMoved(touch)
            }
        case .delivered:
            if let scrollView, let content, scrollView.canCancelContentTouches, scrolls(touch),
                scrollView.touchesShouldCancel(in: content)
            {
                content.touchesCancelled(touch)
                beginDragging(touch)
            } else {
                content?.touchesMoved(touch)
            }
        }
    }

    func end(_ touch: Touch) {
        checkUse()
        if case .pending = phase { deliver() }
        if case .delivered = phase { content?.touchesEnded(touch) }
        scrollView?.endTracking(touch, isCancelled: false)
    }

    func cancel() {
        checkUse()
        if case .delivered = phase { content?.touchesCancelled(last) }
        scrollView?.endTracking(last, isCancelled: true)
    }

    private func beginDragging(_ touch: Touch) {
        phase = .dragging
        scrollView?.beginDragging(touch, from: start)
    }

    /// Whether the finger has moved far enough in a direction in which the scroll view can scroll.
    private func scrolls(_ touch: Touch) -> Bool {
        guard let scrollView else { return false }
        let x = abs(touch.location.x - start.location.x)
        let y = abs(touch.location.y - start.location.y)
        return y > TouchSession.slop && scrollView.canScroll(.vertical)
            || x > TouchSession.slop && scrollView.canScroll(.horizontal)
    }

    private func distance(_ touch: Touch) -> Double {
        max(abs(touch.location.x - start.location.x), abs(touch.location.y - start.location.y))
    }
}
