public import Foundation

/// Scrolling by code.
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
            x: min(max(target.x, ends(.horizontal).lowerBound), ends(.horizontal).upperBound),
            y: min(max(target.y, ends(.vertical).lowerBound), ends(.vertical).upperBound)
        )
        stopMotions()
        guard animated, let window else { return move(to: target) }
        scroll(.horizontal, to: target.x, at: window.time)
        scroll(.vertical, to: target.y, at: window.time)
    }

    /// Scrolls just as far as needed to show a rectangle of the content; of a rectangle larger than
    /// the view, its start.
    public func scrollRectToVisible(_ rect: CGRect, animated: Bool = false) {
        let inset = adjustedContentInset
        setContentOffset(
            CGPoint(
                x: ScrollView.offset(
                    offset.x,
                    rect.minX,
                    rect.maxX,
                    before: inset.left,
                    after: inset.right,
                    extent: frame.width
                ),
                y: ScrollView.offset(
                    offset.y,
                    rect.minY,
                    rect.maxY,
                    before: inset.top,
                    after: inset.bottom,
                    extent: frame.height
                )
            ),
            animated: animated
        )
    }

    private static func offset(
        _ offset: Double,
        _ start: Double,
        _ end: Double,
        before: Double,
        after: Double,
        extent: Double
    ) -> Double {
        if start < offset + before || end - start > extent - before - after {
            return start - before
        }
        if end > offset + extent - after { return end - extent + after }
        return offset
    }

    /// Scrolls to the top, as a tap on the status bar does.
    public func scrollToTop(animated: Bool = true) {
        guard scrollsToTop else { return }
        setContentOffset(CGPoint(x: offset.x, y: ends(.vertical).lowerBound), animated: animated)
        pan.tellsTop = true
        if motions.isEmpty { finishTop() }
    }

    /// Has the renderer show the scroll indicators for a moment.
    public func flashScrollIndicators() { indicatorsDidFlash?() }

    private func scroll(_ axis: Axis, to target: Double, at time: Duration) {
        let from = axis == .vertical ? offset.y : offset.x
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
