/// The activity of the machine between two readings; a value that could not be read is absent.
struct MachineReading: Equatable {
    struct Disk: Equatable {
        var folder: String
        var device: String
        /// The size in bytes.
        var size: Int
        var free: Int
    }

    struct Process: Equatable {
        var status: ProcessStatus
        /// The share of one processor that the process used, in tenths of a percent.
        var use: Int
        /// The resident memory in bytes.
        var memory: Int
    }

    var load: LoadAverage?
    /// The use of all processors together, in percent.
    var busy: Int?
    var memory: MemoryInfo?
    var disks: [Disk] = []
    /// The processes, in no order.
    var processes: [Process] = []
}

extension MachineReading {
    /// Returns the use of the processors between two readings of their time, in percent; nil when
    /// no time passed.
    static func busy(from old: ProcessorTime, to new: ProcessorTime) -> Int? {
        let total = new.total - old.total
        guard total > 0 else { return nil }
        return max(0, min(100, 100 * (total - (new.idle - old.idle)) / total))
    }

    /// Returns the share of one processor that a process used, in tenths of a percent.
    ///
    /// - Parameters:
    ///   - old: The process of that number at the earlier reading; `nil`: there was none, and all
    ///     ticks of the process count.
    ///   - new: The process at the present reading.
    ///   - elapsed: The ticks of all processors together between the readings.
    ///   - processors: The number of processors that share those ticks.
    /// - Returns: The share; 1000 where one processor did nothing else.
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
