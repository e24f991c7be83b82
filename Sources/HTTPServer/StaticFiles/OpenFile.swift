import Glibc
import HTTPWire

/// An open regular file; closes with its last reference.
package final class OpenFile: Sendable {
    let descriptor: Descriptor

    /// In bytes, when it was opened.
    package let byteCount: Int

    /// Seconds since 1970.
    let modified: Int

    /// What tells its content from any other that it had or will have; `nil` for as long as it
    /// may be written again without showing it.
    let tag: EntityTag?

    /// ``modified``; `nil` in the second in which it was: it may happen again.
    let lastModified: Int?

    /// - Parameters:
    ///   - descriptor: Of a regular file.
    ///   - status: Of that file.
    ///   - now: The time before the status was asked for, by the clock that stamps files.
    init(_ descriptor: consuming Descriptor, status: stat, now: timespec) {
        self.descriptor = descriptor
        byteCount = Int(status.st_size)
        modified = status.st_mtim.tv_sec
        lastModified = modified < now.tv_sec ? modified : nil
        tag = OpenFile.isSettled(status, now) ? OpenFile.tag(status) : nil
        DescriptorUse.opened()
    }

    deinit { DescriptorUse.closed() }

    /// Whether whatever is written from now on shows: the clock that stamps files ticks a few
    /// hundred times a second only, and has ticked since.
    private static func isSettled(_ status: stat, _ now: timespec) -> Bool {
        let since = now.nanoseconds &- status.st_ctim.nanoseconds
        // A time far ahead comes of a clock that was set back, and will not be stamped again.
        return since > 0 || since < -1_000_000_000
    }

    /// The time of the last change rather than of the last modification, which can be set: files
    /// out of archives often all have the same.
    private static func tag(_ status: stat) -> EntityTag {
        let parts = [status.st_ctim.nanoseconds, Int(status.st_size), Int(status.st_ino)]
        return EntityTag(parts.map { String($0, radix: 36) }.joined(separator: "-").utf8)
    }
}

extension OpenFile {
    /// The bytes of a range; `nil` when they cannot be had, such as when the file became shorter.
    ///
    /// May wait for a disk.
    package func read(_ range: Range<Int>) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while count < range.count {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[count...]
                )
                let place = off_t(range.lowerBound + count)
                let result = System.transfer {
                    pread(descriptor.rawValue, rest.baseAddress, rest.count, place)
                }
                guard case .bytes(let read) = result, read > 0 else { return }
                count += read
            }
        }
        return bytes.count == range.count ? bytes : nil
    }

    /// The whole content, if the file did not change while it was read.
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
    /// Since 1970.
    fileprivate var nanoseconds: Int { tv_sec &* 1_000_000_000 &+ tv_nsec }
}
