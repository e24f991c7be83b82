import CLinux
import Glibc

/// How much memory the process may use.
package enum MemorySize {
    /// Bytes of the machine, or of the control group where that has less.
    package static var byteCount: Int {
        let machine = sysconf(CInt(_SC_PHYS_PAGES)) * sysconf(CInt(_SC_PAGESIZE))
        return min(machine, controlGroup ?? .max)
    }

    /// Gives the system back what the allocator keeps of memory that was freed.
    package static func returnUnused() {
        freshet_returnMemory()
    }

    /// The limit of the control group as a container sees it (cgroup v2, `memory.max`).
    private static var controlGroup: Int? {
        guard let file = fopen("/sys/fs/cgroup/memory.max", "re") else { return nil }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 32)
        let count = fread(&text, 1, text.count, file)
        // "max" where there is none.
        return Int(String(decoding: text[..<count].prefix { $0 != 10 }, as: UTF8.self))
    }
}
