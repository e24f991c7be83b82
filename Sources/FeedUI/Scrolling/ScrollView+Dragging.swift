import Foundation

/// Scrolls by a finger.
extension ScrollView {
    /// Handles a finger that goes down: it stops the content; returns whether that was
    /// decelerating.
    func beginTracking(_ touch: Touch) -> Bool {
        let wasMoving = isDecelerating
        isTracking = true
        pan.track(touch)
        if !motions.isEmpty { stopMotions() }
        isDecelerating = false
        return wasMoving
    }

    /// Begins a drag, when the finger has moved far enough.
    func beginDragging(_ touch: Touch, from start: Touch) {
        // Code may have begun to scroll since the finger went down.
        stopMotions()
        isDragging = true
        refreshControl?.dragDidBegin()
        delegate?.scrollViewWillBeginDragging(self)
        pan.add(touch)
        pan.begin(at: offset, in: self)
        if isDirectionalLockEnabled { pan.lockDirection(from: start, to: touch) }
    }

    /// Moves the content by the finger.
    func drag(_ touch: Touch) {
        guard isDragging else { return }
        pan.add(touch)
        let asked = pan.asked(touch, in: self)
        move(to: CGPoint(x: dragged(asked.x, .horizontal), y: dragged(asked.y, .vertical)))
        refreshControl?.didPull(self)
    }

    private func dragged(_ asked: Double, _ axis: Axis) -> Double {
        guard canScroll(axis) else { return offset[axis] }
        return ScrollAxis.offset(
            asked: asked,
            within: ends(axis),
            extent: extent(axis),
            bounces: bounces(axis)
        )
    }

    /// Handles a finger that is lifted, or whose touch is cancelled.
    ///
    /// - Parameters:
    ///   - time: The time of the window, which the view may just have left.
    ///   - isCancelled: Whether the touch is cancelled, or the view no longer scrolled by fingers.
    func endTracking(at time: Duration, isCancelled: Bool) {
        isTracking = false
        guard isDragging else { return rest(time) }
        isDragging = false
        // A motion may have begun during the drag.
        motions = [:]
        let speed = isCancelled ? .zero : pan.speed(at: time)
        start(.horizontal, speed.x, time)
        start(.vertical, speed.y, time)
        isDecelerating = !motions.isEmpty
        delegate?.scrollViewDidEndDragging(self, willDecelerate: isDecelerating)
        didEndDragging()
    }

    /// Handles the end of a touch without a drag.
    ///
    /// Content that was stopped between two pages moves to the nearest page.
    private func rest(_ time: Duration) {
        settle()
        guard isPagingEnabled else { return }
        for axis in [Axis.horizontal, .vertical] where motions[axis] == nil {
            let now = offset[axis]
            if abs(page(axis, now) - now) > 0.01 { start(axis, 0, time) }
        }
        isDecelerating = !motions.isEmpty
    }

    /// Returns the offset of the page at which content comes to rest: one of those in sight, of
    /// which the last may be shorter than the view.
    private func page(_ axis: Axis, _ now: Double, _ speed: Double = 0) -> Double {
        let (page, ends) = (extent(axis), ends(axis))
        guard page > 0 else { return now }
        let before = ends.nearest(to: (now / page).rounded(.down) * page)
        let after = ends.nearest(to: (now / page).rounded(.up) * page)
        return now + speed * 0.2 < (before + after) / 2 ? before : after
    }

    private func start(_ axis: Axis, _ speed: Double, _ time: Duration) {
        let now = offset[axis]
        let ends = ends(axis)
        guard ends.contains(now) else {
            let end = now < ends.lowerBound ? ends.lowerBound : ends.upperBound
            motions[axis] = .bounce(end: end, distance: now - end, speed: 0, start: time)
            return
        }
        guard canScroll(axis) else { return }
        if isPagingEnabled {
            let end = page(axis, now, speed)
            motions[axis] = .scroll(from: now, to: end, start: time)
        } else if abs(speed) >= 80 {
            motions[axis] = .deceleration(from: now, speed: speed, start: time)
        }
    }
}

/// Motions of the content without a finger.
extension ScrollView {
    func stepMotions(to time: Duration) {
        guard !motions.isEmpty else { return }
        var target = offset
        for (axis, motion) in motions {
            (target[axis], motions[axis]) = motion.step(
                to: time,
                within: ends(axis),
                bounces: bounces(axis),
                rate: decelerationRate.rawValue
            )
        }
        move(to: target)
        if motions.isEmpty { finishMotions() }
    }

    private func finishMotions() {
        finishTop()
        guard isDecelerating else { return }
        isDecelerating = false
        delegate?.scrollViewDidEndDecelerating(self)
    }

    /// Stops all motions where the content is.
    func stopMotions() {
        motions = [:]
        pan.tellsTop = false
        if isDecelerating {
            isDecelerating = false
            delegate?.scrollViewDidEndDecelerating(self)
        }
    }

    /// Ends all motions, as another window has another time: scrolling by code is at its end then.
    func finishMotionsAtOnce() {
        var target = offset
        for case (let axis, .scroll(_, let end, _)) in motions { target[axis] = end }
        motions = [:]
        move(to: target)
        finishMotions()
    }

    /// Starts the return of content that is past an end, unless a finger drags it.
    func settle() {
        guard !isDragging else { return }
        for axis in [Axis.horizontal, .vertical] {
            let now = offset[axis]
            let ends = ends(axis)
            let nearest = ends.nearest(to: now)
            var isAstray = false
            if case .bounce(let end, _, _, _)? = motions[axis] {
                if ends.contains(end), nearest == now || nearest == end { continue }
                // The bounce leads to a former end, and the content is past another one.
                isAstray = true
            }
            if case .scroll(let from, let to, let start)? = motions[axis] {
                // The top may have moved on the way there.
                let isToTop = pan.tellsTop && axis == .vertical
                let end = isToTop ? ends.lowerBound : ends.nearest(to: to)
                motions[axis] = .scroll(from: from, to: end, start: start)
                continue
            }
            guard isAstray || !ends.contains(now) else { continue }
            guard let time = window?.time else {
                // Without a window no time passes, and the jump cannot be seen.
                motions[axis] = nil
                var target = offset
                target[axis] = nearest
                move(to: target)
                continue
            }
            motions[axis] = .bounce(end: nearest, distance: now - nearest, speed: 0, start: time)
        }
    }

    /// Moves the content together with its motion and the finger's base, so that the visible part
    /// stays in place when content is inserted or removed above.
    func shift(by distance: Double) {
        guard distance != 0 else { return }
        pan.shift(by: distance)
        switch motions[.vertical] {
        case .scroll(let from, let to, let start)?:
            motions[.vertical] = .scroll(from: from + distance, to: to + distance, start: start)
        case .deceleration(let from, let speed, let start)?:
            motions[.vertical] = .deceleration(from: from + distance, speed: speed, start: start)
        case .bounce(let end, let past, let speed, let start)?:
            motions[.vertical] = .bounce(
                end: end + distance,
                distance: past,
                speed: speed,
                start: start
            )
        case nil: break
        }
        move(to: CGPoint(x: offset.x, y: offset.y + distance))
    }
}
