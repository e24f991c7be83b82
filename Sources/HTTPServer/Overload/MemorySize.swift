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
