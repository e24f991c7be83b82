import CLinux
import Glibc

/// Determines the memory that the process may use, and returns unused memory to the system.
package enum MemorySize {
    /// The number of bytes of the machine's memory, or the limit of the process's control group if
    /// that is less.
    package static var byteCount: Int {
        let machine = sysconf(CInt(_SC_PHYS_PAGES)) * sysconf(CInt(_SC_PAGESIZE))
        return min(machine, ControlGroup.current.memoryLimit ?? .max)
    }

    /// Makes the allocator return blocks of 1 MiB or more to the system as soon as they are freed;
    /// called at the start of the process.
    ///
    /// Otherwise each freed large block raises the size from which the allocator returns blocks,
    /// up to 32 MiB (mallopt(3), M_MMAP_THRESHOLD): after some responses of that size, it would
    /// retain more than a gigabyte.
    package static func returnLargeBlocks() {
        freshet_returnLargeBlocks(1 << 20)
    }

    /// Returns the freed memory that the allocator retains to the system.
    package static func returnUnused() {
        freshet_returnMemory()
    }
}

/// The control group that the process belongs to (cgroups(7)).
struct ControlGroup {
    /// The lines of /proc/self/cgroup.
    private let lines: [Substring]
    /// Reads a file; returns `nil` if it does not exist.
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

    /// The number of bytes of memory that the group may use: the lowest limit of the group and the
    /// groups around it; `nil` if none has a limit.
    ///
    /// In a container, the group is often the root of the visible tree, though its name is its path
    /// outside the container. So the root is read in any case.
    var memoryLimit: Int? {
        var limits: [Int] = []
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            if parts[0] == "0", parts[1].isEmpty {
                limits += self.limits("", parts[2], "memory.max")
            } else if parts[1].split(separator: ",").contains("memory") {
                limits += self.limits("memory/", parts[2], "memory.limit_in_bytes")
            }
        }
        return limits.min()
    }

    /// Returns the limits of a group and of all groups around it, in bytes.
    ///
    /// - Parameters:
    ///   - root: The path of the tree below /sys/fs/cgroup, empty or with a slash at its end.
    ///   - path: The path of the group in the tree.
    ///   - file: The name of the file with a group's limit.
    private func limits(_ root: String, _ path: Substring, _ file: String) -> [Int] {
        var limits: [Int] = []
        var parts = path.split(separator: "/")
        while true {
            let folder = root + parts.map { $0 + "/" }.joined()
            // A group without a limit has "max" in version 2, and the largest page number in
            // version 1.
            if let text = read(folder + file), let limit = Int(text.prefix { $0.isNumber }),
                limit < 1 << 60
            {
                limits.append(limit)
            }
            if parts.isEmpty { return limits }
            parts.removeLast()
        }
    }

    private static func contents(of path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 4096)
        let count = fread(&text, 1, text.count, file)
        return String(decoding: text[..<count], as: UTF8.self)
    }
}
