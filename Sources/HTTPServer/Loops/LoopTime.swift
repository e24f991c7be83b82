/// A moment on an event loop's clock, in milliseconds.
struct LoopTime: Comparable, Sendable {
    var milliseconds: Int

    /// The first whole second that is not before this time.
    var secondRoundedUp: Int { (milliseconds + 999) / 1000 }

    static func < (left: LoopTime, right: LoopTime) -> Bool {
        left.milliseconds < right.milliseconds
    }

    static func + (time: LoopTime, duration: Duration) -> LoopTime {
        time.after(milliseconds: duration.milliseconds)
    }

    func after(milliseconds: Int) -> LoopTime {
        LoopTime(milliseconds: self.milliseconds + milliseconds)
    }
}

extension Duration {
    /// The duration in whole milliseconds.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
