import Foundation

/// A finger on a scroll view: the offset that it asks for, and its speed.
@MainActor
struct ScrollPan {
    /// The position of the finger when the content was at `base`.
    private var anchor = CGPoint.zero
    /// The offset that the finger asks for at `anchor`; it may lie past the ends.
    private var base = CGPoint.zero
    private var samples: [Touch] = []
    private var lock: ScrollView.Axis?
    /// Whether the delegate is notified when the top is reached.
    var tellsTop = false

    mutating func track(_ touch: Touch) {
        samples = [touch]
        anchor = touch.location
        lock = nil
    }

    /// Ties the finger's current position to the content's offset: later movements count from
    /// there.
    mutating func begin(at offset: CGPoint, in view: ScrollView) {
        if let last = samples.last { anchor = last.location }
        for axis in [ScrollView.Axis.horizontal, .vertical] {
            base[axis] = ScrollAxis.asked(
                offset: offset[axis],
                within: view.ends(axis),
                extent: view.extent(axis)
            )
        }
    }

    mutating func lockDirection(from start: Touch, to touch: Touch) {
        let x = abs(touch.location.x - start.location.x)
        let y = abs(touch.location.y - start.location.y)
        lock = x > y ? .horizontal : .vertical
    }

    mutating func add(_ touch: Touch) {
        samples.append(touch)
        samples.removeAll { touch.timestamp - $0.timestamp > .milliseconds(100) }
    }

    /// Returns the offset that the finger asks for at a position.
    func asked(_ touch: Touch, in view: ScrollView) -> CGPoint {
        var point = CGPoint(
            x: base.x - (touch.location.x - anchor.x),
            y: base.y - (touch.location.y - anchor.y)
        )
        if lock == .vertical { point.x = base.x }
        if lock == .horizontal { point.y = base.y }
        return point
    }

    /// Adds a distance by which the content has moved under the finger without it.
    mutating func shift(by distance: Double) {
        base.y += distance
    }

    /// Returns the speed of the content, in points a second; 0 if the finger has rested for 100 ms.
    func speed(at time: Duration) -> CGPoint {
        let recent = samples.filter { time - $0.timestamp <= .milliseconds(100) }
        guard let first = recent.first, let last = recent.last, last.timestamp > first.timestamp
        else { return .zero }
        let seconds = (last.timestamp - first.timestamp) / .seconds(1)
        return CGPoint(
            x: lock == .vertical ? 0 : (first.location.x - last.location.x) / seconds,
            y: lock == .horizontal ? 0 : (first.location.y - last.location.y) / seconds
        )
    }
}
