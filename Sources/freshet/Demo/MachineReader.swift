import Foundation

/// Reads the machine from `/proc`, and stores the values that the next reading is compared with.
struct MachineReader {
    private var time: ProcessorTime?
    private var processes: [Int: ProcessStatus] = [:]
    private let pageByteCount = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// Reads everything once; on a machine without `/proc` nothing is found.
    mutating func read() -> MachineReading {
        var reading = MachineReading()
        reading.load = file("loadavg").flatMap { LoadAverage(parsing: $0) }
        reading.memory = file("meminfo").flatMap { MemoryInfo(parsing: $0) }
        reading.disks = disks()

        let newTime = file("stat").flatMap { ProcessorTime(parsing: $0) }
        let newProcesses = statuses()
        if let newTime, let time {
            reading.busy = MachineReading.busy(from: time, to: newTime)
        }
        // The first reading has nothing to compare with: every use is 0.
        let elapsed = (newTime?.total ?? 0) - (time?.total ?? newTime?.total ?? 0)
        reading.processes = newProcesses.values.map { status in
            let use = MachineReading.use(
                from: processes[status.pid],
                to: status,
                elapsed: elapsed,
                processors: newTime?.processors ?? 1
            )
            let memory = status.pages * pageByteCount
            return MachineReading.Process(status: status, use: use, memory: memory)
        }
        time = newTime
        processes = newProcesses
        return reading
    }

    private func statuses() -> [Int: ProcessStatus] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        var found: [Int: ProcessStatus] = [:]
        for name in names where name.utf8.allSatisfy({ 48...57 ~= $0 }) {
            // The file of a process that ended meanwhile is gone.
            guard let status = file("\(name)/stat").flatMap({ ProcessStatus(parsing: $0) }) else {
                continue
            }
            found[status.pid] = status
        }
        return found
    }

    private func disks() -> [MachineReading.Disk] {
        let mounts = file("self/mounts").map { MountTable(parsing: $0).disks } ?? []
        return mounts.compactMap { mount in
            guard FileContents.isFolder(mount.folder),
                let system = try? FileManager.default.attributesOfFileSystem(
                    forPath: mount.folder
                ),
                let size = system[.systemSize] as? NSNumber,
                let free = system[.systemFreeSize] as? NSNumber
            else { return nil }
            return MachineReading.Disk(
                folder: mount.folder,
                device: mount.device,
                size: size.intValue,
                free: free.intValue
            )
        }
    }

    /// Returns a file below `/proc` as text, whatever bytes a process has in its name.
    private func file(_ path: String) -> String? {
        let bytes = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(path)"))
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
}

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

    /// Returns the share of one processor that a process used between two readings, in tenths of a
    /// percent: 1000 where one processor did nothing else.
    ///
    /// - Parameters:
    ///   - old: The process of that number at the earlier reading; `nil`: there was none, and all
    ///     ticks of the process count.
    ///   - elapsed: The ticks of all processors together between the readings.
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
