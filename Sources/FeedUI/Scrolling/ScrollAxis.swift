import Foundation

/// How content moves along one axis: values in points, times since some moment, no view.
struct ScrollAxis {
    /// A motion of the content.
    enum Motion {
        /// From an offset to another in a time.
        case scroll(from: Double, to: Double, start: Duration)
        /// By itself after a flick, from an offset at a speed.
        case deceleration(from: Double, speed: Double, start: Duration)
        /// Back to an end, from a distance past it, at a speed.
        case bounce(end: Double, distance: Double, speed: Double, start: Duration)
    }

    /// The part of the speed that is left after a millisecond.
    static let normalDeceleration = 0.998
    /// The time that scrolling by code takes, in seconds.
    static let scrollTime = 0.3
    /// How stiff a bounce is, in 1/s.
    static let stiffness = 12.0
    /// The speed, in points a second, below which content is at rest.
    static let rest = 8.0

    /// How far content goes past its end for a finger that went further, in a view of an extent.
    static func rubberBand(_ way: Double, extent: Double) -> Double {
        guard extent > 0, way > 0 else { return 0 }
        return extent * (1 - 1 / (0.55 * way / extent + 1))
    }

    /// The way of a finger for which content is so far past its end.
    static func way(_ distance: Double, extent: Double) -> Double {
        guard extent > 0, distance > 0 else { return 0 }
        let part = min(distance / extent, 0.999)
        return extent / 0.55 * (1 / (1 - part) - 1)
    }

    /// The offset for one that a finger asks for.
    static func offset(
        asked: Double,
        within ends: ClosedRange<Double>,
        extent: Double,
        bounces: Bool
    ) -> Double {
        guard bounces else { return min(max(asked, ends.lowerBound), ends.upperBound) }
        if asked < ends.lowerBound {
            return ends.lowerBound - rubberBand(ends.lowerBound - asked, extent: extent)
        }
        if asked > ends.upperBound {
            return ends.upperBound + rubberBand(asked - ends.upperBound, extent: extent)
        }
        return asked
    }

    /// Returns the offset that a finger asks for where the content is at `offset`.
    static func asked(offset: Double, within ends: ClosedRange<Double>, extent: Double) -> Double {
        if offset < ends.lowerBound {
            return ends.lowerBound - way(ends.lowerBound - offset, extent: extent)
        }
        if offset > ends.upperBound {
            return ends.upperBound + way(offset - ends.upperBound, extent: extent)
        }
        return offset
    }
}

extension ScrollAxis.Motion {
    /// The offset at a time, and what goes on then; `nil`: it rests.
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
            return decelerate(from, speed, start, time, ends, bounces, rate)
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

    private func decelerate(
        _ from: Double,
        _ speed: Double,
        _ start: Duration,
        _ time: Duration,
        _ ends: ClosedRange<Double>,
        _ bounces: Bool,
        _ rate: Double
    ) -> (offset: Double, next: ScrollAxis.Motion?) {
        let milliseconds = (time - start) / .milliseconds(1)
        let left = pow(rate, milliseconds)
        let offset = from + speed / 1_000 * (left - 1) / log(rate)
        let now = speed * left
        if !ends.contains(offset) {
            let end = offset < ends.lowerBound ? ends.lowerBound : ends.upperBound
            guard bounces else { return (end, nil) }
            let distance = offset - end
            return (offset, .bounce(end: end, distance: distance, speed: now, start: time))
        }
        return abs(now) < ScrollAxis.rest ? (offset, nil) : (offset, self)
    }
}
