import Glibc

/// The room on disks.
enum DiskSpace {
    /// Returns the bytes that this process may still write to the disk of a folder (statvfs(3));
    /// `nil` when the system does not tell.
    static func free(_ folder: String) -> Int? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail)) * Int(clamping: UInt64(status.f_frsize))
    }
}
