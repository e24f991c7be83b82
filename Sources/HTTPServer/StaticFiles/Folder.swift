import CLinux
import Glibc
package import Platform

/// A folder whose files are served; no path leads outside it.
package final class Folder: Sendable {
    private let descriptor: Descriptor

    /// Opens a folder.
    package init(path: String) throws(SystemError) {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        descriptor = Descriptor(
            owning: try System.check("open \(path)") { Glibc.open(path, flags) }
        )
    }

    /// Opens the file at a path below this folder.
    ///
    /// Each segment must be a single visible name. Empty segments, `.`, `..`, hidden files (a
    /// leading dot, except a first segment `.well-known`, RFC 8615), and names with a slash or NUL
    /// are not found. Symbolic links are followed only if they stay inside the folder, which the
    /// kernel checks (openat2(2), RESOLVE_BENEATH). The call does not wait if the path names a
    /// pipe.
    ///
    /// - Returns: `nil` if there is no regular file.
    /// - Throws: ``SystemError`` if this cannot be determined, for example without free
    ///   descriptors.
    package func open(_ segments: [String]) throws(SystemError) -> OpenFile? {
        guard let found = try openAny(segments) else { return nil }
        // The clock is read before the file: a file stamped with this time may be written again
        // without getting a new stamp.
        let now = System.wallTime()
        var status = stat()
        guard fstat(found.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return OpenFile(found, status: status, now: now)
    }

    /// Returns whether there is a folder at a path; the rules for segments are those of
    /// ``open(_:)``.
    func hasFolder(at segments: [String]) throws(SystemError) -> Bool {
        guard let found = try openAny(segments) else { return false }
        var status = stat()
        return fstat(found.rawValue, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private func openAny(_ segments: [String]) throws(SystemError) -> Descriptor? {
        let visible = segments.first == ".well-known" ? segments.dropFirst() : segments[...]
        guard
            visible.allSatisfy({ name in
                !name.isEmpty && !name.utf8.starts(with: [UInt8(ascii: ".")])
                    && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
            })
        else { return nil }
        let path = segments.isEmpty ? "." : segments.joined(separator: "/")
        guard DescriptorUse.hasRoomForFile else {
            throw SystemError(call: "open \(path)", code: EMFILE)
        }
        return try openBeneath(path)
    }

    private func openBeneath(_ path: String) throws(SystemError) -> Descriptor? {
        for _ in 0..<Folder.attemptLimit {
            let opened = freshet_openBeneath(descriptor.rawValue, path)
            if opened >= 0 { return Descriptor(owning: opened) }
            let code = errno
            switch code {
            // Another process renamed a folder while the kernel resolved the path: try again.
            case EAGAIN, EINTR: continue
            // Some sandboxes forbid system calls unknown to them.
            case ENOSYS, EPERM: return try openStepByStep(path)
            default: return try Folder.absence(code, path)
            }
        }
        throw SystemError(call: "open \(path)", code: EAGAIN)
    }

    private static let attemptLimit = 16

    /// Opens a path one segment at a time and follows no symbolic links, where the kernel or a
    /// sandbox does not offer openat2(2).
    private func openStepByStep(_ path: String) throws(SystemError) -> Descriptor? {
        var current: Descriptor?
        for name in path.split(separator: "/") {
            let parent = current?.rawValue ?? descriptor.rawValue
            let next = openat(parent, String(name), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
            guard next >= 0 else { return try Folder.absence(errno, path) }
            current = Descriptor(owning: next)
        }
        return current
    }

    /// Returns `nil` for an error that means "not found"; throws any error that may pass.
    private static func absence(_ code: CInt, _ path: String) throws(SystemError) -> Descriptor? {
        switch code {
        case ENOENT, ENOTDIR, ELOOP, EXDEV, EACCES, ENAMETOOLONG, ENXIO: return nil
        default: throw SystemError(call: "open \(path)", code: code)
        }
    }
}
