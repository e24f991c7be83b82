import Glibc
import HTTPWire
import Platform

/// An open regular file, closed when its last reference is released.
package final class OpenFile: Sendable {
    let descriptor: Descriptor

    /// The length in bytes when the file was opened.
    package let byteCount: Int

    /// The time of the last modification, in seconds since 1970.
    let modified: Int

    /// The entity tag, which the file never has with other content; `nil` while the file may be
    /// written again without a visible change of its times.
    let tag: EntityTag?

    /// The value of ``modified`` for Last-Modified; `nil` until that second is two seconds past,
    /// because the file may change again in it (RFC 9110 §8.8.2.2).
    let lastModified: Int?

    /// Takes an open file, which must be a regular one.
    ///
    /// - Parameter now: A time read before `status`, from the clock that stamps files.
    init(_ descriptor: consuming Descriptor, status: stat, now: timespec) {
        self.descriptor = descriptor
        byteCount = Int(status.st_size)
        modified = status.st_mtim.tv_sec
        lastModified = modified <= now.tv_sec - 2 ? modified : nil
        tag = OpenFile.showsLaterWrites(status, now) ? OpenFile.tag(status) : nil
        DescriptorUse.opened()
    }

    deinit { DescriptorUse.closed() }

    /// Returns whether any later write will change the file's times: the clock that stamps files
    /// ticks only a few hundred times a second, and must have ticked since the last change.
    private static func showsLaterWrites(_ status: stat, _ now: timespec) -> Bool {
        let since = now.nanoseconds &- status.st_ctim.nanoseconds
        // A time far ahead comes from a clock that has since been set back, and will not be stamped
        // again.
        return since > 0 || since < -1_000_000_000
    }

    /// Makes the tag from the time of the last change of the file's status (ctime), the size, and
    /// the inode.
    ///
    /// The modification time (mtime) is not used: programs can set it, and files from an archive
    /// often have equal ones.
    private static func tag(_ status: stat) -> EntityTag {
        let parts = [status.st_ctim.nanoseconds, Int(status.st_size), Int(status.st_ino)]
        return EntityTag(parts.map { String($0, radix: 36) }.joined(separator: "-").utf8)
    }
}

extension OpenFile {
    /// Returns the bytes of a range; `nil` if they cannot be read, for example because the file
    /// became shorter.
    ///
    /// The call may wait for a disk.
    package func read(_ range: Range<Int>) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while count < range.count {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[count...]
                )
                let offset = off_t(range.lowerBound + count)
                let result = System.transfer {
                    pread(descriptor.rawValue, rest.baseAddress, rest.count, offset)
                }
                guard case .bytes(let read) = result, read > 0 else { return }
                count += read
            }
        }
        return bytes.count == range.count ? bytes : nil
    }

    /// Returns the whole content if the file did not change while it was read; otherwise `nil`.
    func readUnchanged() -> [UInt8]? {
        guard let tag, let bytes = read(0..<byteCount) else { return nil }
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0, OpenFile.tag(status) == tag else {
            return nil
        }
        return bytes
    }
}

extension timespec {
    fileprivate var nanoseconds: Int { tv_sec &* 1_000_000_000 &+ tv_nsec }
}
