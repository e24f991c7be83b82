public import Foundation

/// Scrolls by code.
extension ScrollView {
    /// The point of the content at the view's origin.
    public var contentOffset: CGPoint {
        get { offset }
        set { setContentOffset(newValue) }
    }

    /// Scrolls to an offset, but not past the ends.
    ///
    /// - Parameters:
    ///   - target: The point of the content that is to be at the view's origin.
    ///   - animated: Whether the scrolling is animated.
    public func setContentOffset(_ target: CGPoint, animated: Bool = false) {
        let target = CGPoint(
            x: ends(.horizontal).nearest(to: target.x),
            y: ends(.vertical).nearest(to: target.y)
        )
        stopMotions()
        guard animated, let window else {
            move(to: target)
            // A finger drags on from there.
            return pan.begin(at: offset, in: self)
        }
        scroll(.horizontal, to: target.x, at: window.time)
        scroll(.vertical, to: target.y, at: window.time)
    }

    /// Scrolls just as far as needed to show a rectangle of the content; of a rectangle larger than
    /// the view, its start.
    public func scrollRectToVisible(_ rect: CGRect, animated: Bool = false) {
        let x = offset(.horizontal, showing: rect.minX, rect.maxX)
        let y = offset(.vertical, showing: rect.minY, rect.maxY)
        setContentOffset(CGPoint(x: x, y: y), animated: animated)
    }

    private func offset(_ axis: Axis, showing start: Double, _ end: Double) -> Double {
        let (before, after) = inset(axis)
        let (offset, extent) = (offset[axis], extent(axis))
        if start < offset + before || end - start > extent - before - after {
            return start - before
        }
        if end > offset + extent - after { return end - extent + after }
        return offset
    }

    /// Scrolls to the top, as a tap on the status bar does.
    public func scrollToTop(animated: Bool = true) {
        guard scrollsToTop else { return }
        setContentOffset(top, animated: animated)
        pan.tellsTop = true
        if motions.isEmpty { finishTop() }
    }

    /// Has the renderer show the scroll indicators for a moment.
    public func flashScrollIndicators() { indicatorsDidFlash?() }

    private func scroll(_ axis: Axis, to target: Double, at time: Duration) {
        let from = offset[axis]
        guard abs(from - target) > 0.01 else { return }
        motions[axis] = .scroll(from: from, to: target, start: time)
    }

    func finishTop() {
        guard pan.tellsTop else { return }
        pan.tellsTop = false
        delegate?.scrollViewDidScrollToTop(self)
    }

    /// Sets the offset, which may lie past the ends.
    func move(to target: CGPoint) {
        guard target != offset else { return }
        offset = target
        didScroll()
        delegate?.scrollViewDidScroll(self)
    }
}
