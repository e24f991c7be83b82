import CLinux
import Glibc

/// How much memory the process may use.
package enum MemorySize {
    /// Bytes of the machine, or of the control group where that has less.
    package static var byteCount: Int {
        let machine = sysconf(CInt(_SC_PHYS_PAGES)) * sysconf(CInt(_SC_PAGESIZE))
        return min(machine, ControlGroup.current.memoryLimit ?? .max)
    }

    /// Has large blocks given back to the system as soon as they are freed; to be called at the
    /// start.
    ///
    /// The allocator otherwise raises the size from which it does so with every such block, to
    /// 32 MiB: after some answers of that size it would keep more than a gigabyte.
    package static func returnLargeBlocks() {
        freshet_returnLargeBlocks(1 << 20)
    }

    /// Gives the system back what the allocator keeps of memory that was freed.
    package static func returnUnused() {
        freshet_returnMemory()
    }
}

/// The control group that the process belongs to (cgroups(7)).
struct ControlGroup {
    /// What /proc/self/cgroup says.
    private let lines: [Substring]
    /// Reads a file; `nil`: there is none.
    private let read: (String) -> String?

    /// - Parameters:
    ///   - membership: What /proc/self/cgroup says.
    ///   - read: Reads a file below /sys/fs/cgroup; `nil`: there is none.
    init(membership: String, read: @escaping (String) -> String?) {
        lines = membership.split(separator: "\n")
        self.read = read
    }

    /// The one of this process.
    static var current: ControlGroup {
        ControlGroup(membership: contents(of: "/proc/self/cgroup") ?? "") {
            contents(of: "/sys/fs/cgroup/" + $0)
        }
    }

    /// Bytes of memory that it may use: the least that it, or a group around it, is allowed.
    ///
    /// In a container the group is often shown as the root of the tree, though it is named by its
    /// place outside; so the root is looked at in any case.
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

    /// Of a group and all around it.
    private func limits(_ root: String, _ path: Substring, _ file: String) -> [Int] {
        var limits: [Int] = []
        var parts = path.split(separator: "/")
        while true {
            let folder = root + parts.map { $0 + "/" }.joined()
            // "max" in version 2, and the largest page in version 1, where there is none.
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
