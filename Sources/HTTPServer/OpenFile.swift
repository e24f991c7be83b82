import CLinux
import Glibc

/// An open regular file; closes with its last reference.
package final class OpenFile: Sendable {
    let descriptor: Descriptor

    /// In bytes, when it was opened.
    package let byteCount: Int

    /// Seconds since 1970.
    package let modified: Int

    /// The parts of a second that belong to ``modified``, in nanoseconds.
    package let modifiedNanoseconds: Int

    init(_ descriptor: consuming Descriptor, status: stat) {
        self.descriptor = descriptor
        byteCount = Int(status.st_size)
        modified = status.st_mtim.tv_sec
        modifiedNanoseconds = status.st_mtim.tv_nsec
    }
}
