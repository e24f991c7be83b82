/// The activity of the machine between two looks at it; a value that could not be read is absent.
struct MachineReading: Equatable {
    struct Disk: Equatable {
        var folder: String
        var device: String
        /// Bytes.
        var size: Int
        var free: Int
    }

    struct Process: Equatable {
        var status: ProcessStatus
        /// Of one processor, in tenths of a percent.
        var use: Int
        /// Resident bytes.
        var memory: Int
    }

    var load: LoadAverage?
    /// How busy all processors were, in percent.
    var busy: Int?
    var memory: MemoryInfo?
    var disks: [Disk] = []
    /// In no order.
    var processes: [Process] = []
}

extension MachineReading {
    /// How busy the processors were between two readings of their time; nil when no time passed.
    static func busy(from old: ProcessorTime, to new: ProcessorTime) -> Int? {
        let total = new.total - old.total
        guard total > 0 else { return nil }
        return max(0, min(100, 100 * (total - (new.idle - old.idle)) / total))
    }

    /// How much of one processor a process had, in tenths of a percent.
    ///
    /// - Parameters:
    ///   - old: The process of that number before; nil when there was none, and all it ran counts.
    ///   - new: The process now.
    ///   - elapsed: The ticks of all processors together in that time.
    ///   - processors: How many share those ticks.
    /// - Returns: 1000 for one processor that did nothing else.
    static func use(
        from old: ProcessStatus?,
        to new: ProcessStatus,
        elapsed: Int,
        processors: Int
    ) -> Int {
        guard elapsed > 0 else { return 0 }
        let isSame = old?.start == new.start
        let ticks = new.ticks - (isSame ? old?.ticks ?? 0 : 0)
        return max(0, 1000 * ticks * max(1, processors) / elapsed)
    }
}
