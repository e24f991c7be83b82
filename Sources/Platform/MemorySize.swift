import CLinux
import Glibc

/// Determines the memory that the process may use, and returns unused memory to the system.
package enum MemorySize {
    /// The number of bytes of the machine's memory, or the limit of the process's control group if
    /// that is less.
    package static var byteCount: Int {
        min(machineByteCount, ControlGroup.current.memoryLimit ?? .max)
    }

    /// The number of bytes of the machine's memory.
    package static var machineByteCount: Int {
        sysconf(CInt(_SC_PHYS_PAGES)) * sysconf(CInt(_SC_PAGESIZE))
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
