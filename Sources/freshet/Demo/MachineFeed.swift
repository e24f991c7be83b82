import FeedModel

/// The feed `machine`: sections Load, Memory, Disks and Processes.
enum MachineFeed {
    /// The number of processes that are shown, the busiest first.
    static let processLimit = 40

    static func snapshot(_ reading: MachineReading) -> Snapshot {
        let sections = [
            ("load", "Load", load(reading)),
            ("memory", "Memory", reading.memory.map(memory) ?? []),
            ("disks", "Disks", reading.disks.map(disk)),
            ("processes", "Processes", processes(reading.processes)),
        ]
        return Snapshot(
            title: "This machine",
            sections: sections.map { id, title, rows in
                FeedSection(id: id, title: title, items: rows.map(\.item))
            }
        )
    }

    private static func load(_ reading: MachineReading) -> [Row] {
        var rows: [Row] = []
        if let busy = reading.busy {
            rows.append(value("load-busy", "Processors busy", "\(busy) %"))
        }
        guard let load = reading.load else { return rows }
        for (minutes, average) in zip([1, 5, 15], load.averages) {
            let title = minutes == 1 ? "Over 1 minute" : "Over \(minutes) minutes"
            rows.append(value("load-\(minutes)", title, average))
        }
        rows.append(value("load-tasks", "Tasks running", "\(load.running) of \(load.total)"))
        return rows
    }

    private static func memory(_ memory: MemoryInfo) -> [Row] {
        var rows = [
            value("memory-used", "Used", ByteCountText.rounded(memory.total - memory.available)),
            value("memory-available", "Available", ByteCountText.rounded(memory.available)),
            value("memory-cached", "Cached files", ByteCountText.rounded(memory.cached)),
            value("memory-total", "Total", ByteCountText.rounded(memory.total)),
        ]
        if memory.swapTotal > 0 {
            let used = ByteCountText.rounded(memory.swapTotal - memory.swapFree)
            let total = ByteCountText.rounded(memory.swapTotal)
            rows.append(value("memory-swap", "Swap", "\(used) of \(total)"))
        }
        return rows
    }

    private static func disk(_ disk: MachineReading.Disk) -> Row {
        let used = disk.size > 0 ? 100 * (disk.size - disk.free) / disk.size : 0
        let free = ByteCountText.rounded(disk.free)
        let size = ByteCountText.rounded(disk.size)
        return Row(
            id: "disk:\(disk.folder)",
            kind: "disk",
            title: disk.folder,
            value: "\(used) %",
            summary: "\(free) free of \(size), \(disk.device)"
        )
    }

    /// Returns rows for the processes, sorted by their present use of processors, then by the time
    /// that they ran in all.
    private static func processes(_ processes: [MachineReading.Process]) -> [Row] {
        let busiest = processes.sorted { left, right in
            (-left.use, -left.status.ticks, left.status.pid)
                < (-right.use, -right.status.ticks, right.status.pid)
        }
        return busiest.prefix(processLimit).map { process in
            let status = process.status
            return Row(
                id: "process-\(status.pid)-\(status.start)",
                kind: "process",
                title: status.name,
                value: "\(process.use / 10).\(process.use % 10) %",
                summary: "process \(status.pid), \(ByteCountText.rounded(process.memory))"
            )
        }
    }

    private static func value(_ id: String, _ title: String, _ value: String) -> Row {
        Row(id: id, kind: "value", title: title, value: value)
    }
}
