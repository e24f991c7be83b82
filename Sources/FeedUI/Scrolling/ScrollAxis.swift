import Foundation

/// The rules by which content moves along one axis.
///
/// The rules know no view: offsets are in points, and times count from any fixed moment.
struct ScrollAxis {
    /// A motion of the content.
    enum Motion {
        /// Animated scrolling by code, from one offset to another.
        case scroll(from: Double, to: Double, start: Duration)
        /// Slowing down after a flick, from an offset at a speed.
        case deceleration(from: Double, speed: Double, start: Duration)
        /// Returning to an end, from a distance past it, at a speed.
        case bounce(end: Double, distance: Double, speed: Double, start: Duration)
    }

    /// The duration of animated scrolling by code, in seconds.
    static let scrollTime = 0.3
    /// The stiffness of the spring of a bounce, in 1/s.
    static let stiffness = 12.0
    /// The speed below which content stops, in points a second.
    static let rest = 8.0

    /// Returns the distance that content moves past its end when a finger has moved a greater
    /// distance past it, as if held by a rubber band.
    static func rubberBand(_ fingerDistance: Double, extent: Double) -> Double {
        guard extent > 0, fingerDistance > 0 else { return 0 }
        return extent * (1 - 1 / (0.55 * fingerDistance / extent + 1))
    }

    /// Returns the distance of a finger past the end for which content is a given distance past it:
    /// the inverse of ``rubberBand(_:extent:)``.
    static func fingerDistance(_ distance: Double, extent: Double) -> Double {
        guard extent > 0, distance > 0 else { return 0 }
        let part = min(distance / extent, 0.999)
        return extent / 0.55 * (1 / (1 - part) - 1)
    }

    /// Returns the offset of the content for the offset that a finger asks for, which may lie past
    /// the ends.
    static func offset(
        asked: Double,
        within ends: ClosedRange<Double>,
        extent: Double,
        bounces: Bool
    ) -> Double {
        guard bounces else { return ends.nearest(to: asked) }
        if asked < ends.lowerBound {
            return ends.lowerBound - rubberBand(ends.lowerBound - asked, extent: extent)
        }
        if asked > ends.upperBound {
            return ends.upperBound + rubberBand(asked - ends.upperBound, extent: extent)
        }
        return asked
    }

    /// Returns the offset that a finger asks for when the content is at `offset`: the inverse of
    /// ``offset(asked:within:extent:bounces:)``.
    static func asked(offset: Double, within ends: ClosedRange<Double>, extent: Double) -> Double {
        if offset < ends.lowerBound {
            return ends.lowerBound - fingerDistance(ends.lowerBound - offset, extent: extent)
        }
        if offset > ends.upperBound {
            return ends.upperBound + fingerDistance(offset - ends.upperBound, extent: extent)
        }
        return offset
    }
}

extension ScrollAxis.Motion {
    /// Returns the offset at a time, and the motion that continues; `nil`: the content rests.
    func step(
        to time: Duration,
        within ends: ClosedRange<Double>,
        bounces: Bool,
        rate: Double
    ) -> (offset: Double, next: ScrollAxis.Motion?) {
        switch self {
        case .scroll(let from, let to, let start):
            let part = (time - start) / .seconds(1) / ScrollAxis.scrollTime
            guard part < 1 else { return (to, nil) }
            let eased = part * part * (3 - 2 * part)
            return (from + (to - from) * eased, self)
        case .deceleration(let from, let speed, let start):
            let left = pow(rate, (time - start) / .milliseconds(1))
            let offset = from + speed / 1_000 * (left - 1) / log(rate)
            return pass(offset, at: time, speed: speed * left, within: ends, bounces: bounces)
        case .bounce(let end, let distance, let speed, let start):
            let seconds = (time - start) / .seconds(1)
            let stiffness = ScrollAxis.stiffness
            let slope = speed + stiffness * distance
            let decay = exp(-stiffness * seconds)
            let now = (distance + slope * seconds) * decay
            let isOver = abs(now) < 0.5 && seconds > 0.05 || seconds > 2
            return isOver ? (end, nil) : (end + now, self)
        }
    }

    /// Returns an offset while the content slows down, and the motion that continues.
    private func pass(
        _ offset: Double,
        at time: Duration,
        speed: Double,
        within ends: ClosedRange<Double>,
        bounces: Bool
    ) -> (offset: Double, next: ScrollAxis.Motion?) {
        if !ends.contains(offset) {
            let end = offset < ends.lowerBound ? ends.lowerBound : ends.upperBound
            guard bounces else { return (end, nil) }
            let distance = offset - end
            return (offset, .bounce(end: end, distance: distance, speed: speed, start: time))
        }
        return abs(speed) < ScrollAxis.rest ? (offset, nil) : (offset, self)
    }
}

extension CGPoint {
    /// The coordinate along an axis.
    subscript(axis: ScrollView.Axis) -> Double {
        get { axis == .vertical ? y : x }
        set { if axis == .vertical { y = newValue } else { x = newValue } }
    }
}

extension ClosedRange<Double> {
    /// Returns the number in the range that is nearest to another.
    func nearest(to number: Double) -> Double {
        Swift.min(Swift.max(number, lowerBound), upperBound)
    }
}
