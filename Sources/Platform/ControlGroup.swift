import Glibc

/// The control group that the process belongs to (cgroups(7)).
struct ControlGroup {
    private let lines: [Substring]
    private let read: (String) -> String?

    /// Makes the control group that a membership names.
    ///
    /// - Parameters:
    ///   - membership: The content of /proc/self/cgroup.
    ///   - read: Reads a file below /sys/fs/cgroup; returns `nil` if it does not exist.
    init(membership: String, read: @escaping (String) -> String?) {
        lines = membership.split(separator: "\n")
        self.read = read
    }

    /// The control group of this process.
    static var current: ControlGroup {
        ControlGroup(membership: contents(of: "/proc/self/cgroup") ?? "") {
            contents(of: "/sys/fs/cgroup/" + $0)
        }
    }

    /// The number of bytes of memory that the group may use; `nil` if there is no limit.
    var memoryLimit: Int? {
        lowestLimit("memory") { folder in
            let text = read(folder + "memory.max") ?? read(folder + "memory.limit_in_bytes")
            // A group without a limit has "max" in version 2, and the largest page number in
            // version 1.
            guard let text, let limit = Int(text.prefix { $0.isNumber }), limit < 1 << 60 else {
                return nil
            }
            return limit
        }
    }

    /// The number of processors that the group may keep busy, rounded up; `nil` if there is no
    /// limit.
    var processorLimit: Int? {
        lowestLimit("cpu") { folder in
            // Microseconds of processor time, in a period of so many microseconds.
            let text =
                read(folder + "cpu.max")
                ?? ["cpu.cfs_quota_us", "cpu.cfs_period_us"].compactMap { read(folder + $0) }
                .joined(separator: " ")
            // A group without a limit has "max" in version 2, and -1 in version 1.
            let numbers = text.split { $0.isWhitespace }.map { Int($0) ?? 0 }
            guard numbers.count == 2, numbers[0] > 0, numbers[1] > 0 else { return nil }
            return (numbers[0] - 1) / numbers[1] + 1
        }
    }

    /// Returns the lowest limit of the group and the groups around it; `nil` if none has a limit.
    ///
    /// In a container, the group is often the root of the visible tree, though its name is its path
    /// outside the container. So the root is read in any case.
    ///
    /// - Parameter limit: Returns the limit of the group in a folder, whose name ends with a slash
    ///   unless it is empty.
    private func lowestLimit(_ controller: String, _ limit: (String) -> Int?) -> Int? {
        var limits: [Int] = []
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let isVersion2 = parts[0] == "0" && parts[1].isEmpty
            guard isVersion2 || parts[1].split(separator: ",").contains(controller[...]) else {
                continue
            }
            var folders = parts[2].split(separator: "/")
            while true {
                let root = isVersion2 ? "" : controller + "/"
                if let limit = limit(root + folders.map { $0 + "/" }.joined()) {
                    limits.append(limit)
                }
                if folders.isEmpty { break }
                folders.removeLast()
            }
        }
        return limits.min()
    }

    private static func contents(of path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 4096)
        let count = fread(&text, 1, text.count, file)
        return String(decoding: text[..<count], as: UTF8.self)
    }
}
