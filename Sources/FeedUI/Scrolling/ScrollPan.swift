import Foundation

/// A finger on a scroll view: where it went, and how fast.
@MainActor
struct ScrollPan {
    /// Where the finger was when the content was at `base`.
    private var anchor = CGPoint.zero
    /// The offset that the finger asks for at `anchor`, also past the ends.
    private var base = CGPoint.zero
    private var samples: [Touch] = []
    private var lock: ScrollView.Axis?
    /// Whether the delegate is told that the top was reached.
    var tellsTop = false

    mutating func track(_ touch: Touch) {
        samples = [touch]
        anchor = touch.location
        lock = nil
    }

    /// Takes the place where the finger is now as the one where the content is.
    mutating func begin(at offset: CGPoint, in view: ScrollView) {
        if let last = samples.last { anchor = last.location }
        base = CGPoint(
            x: ScrollAxis.asked(
                offset: offset.x,
                within: view.ends(.horizontal),
                extent: view.frame.width
            ),
            y: ScrollAxis.asked(
                offset: offset.y,
                within: view.ends(.vertical),
                extent: view.frame.height
            )
        )
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

    /// Returns the offset that the finger asks for at its place.
    func asked(_ touch: Touch, in view: ScrollView) -> CGPoint {
        var point = CGPoint(
            x: base.x - (touch.location.x - anchor.x),
            y: base.y - (touch.location.y - anchor.y)
        )
        if lock == .vertical { point.x = base.x }
        if lock == .horizontal { point.y = base.y }
        return point
    }

    /// The content moved by itself under the finger.
    mutating func shift(by distance: Double) {
        base.y += distance
    }

    /// The speed of the content in points a second: 0 after a rest of 100 ms.
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
