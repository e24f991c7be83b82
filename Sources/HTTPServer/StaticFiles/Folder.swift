import CLinux
import Glibc

/// A folder whose files are served, and no other: no path leads out of it.
package final class Folder: Sendable {
    /// What stands at a path.
    package enum Entry {
        case file(OpenFile)
        case folder
    }

    private let descriptor: Descriptor

    /// Opens a folder.
    ///
    /// - Throws: ``SystemError`` when there is none or it may not be read.
    package init(path: String) throws(SystemError) {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        descriptor = Descriptor(
            owning: try System.check("open \(path)") { Glibc.open(path, flags) }
        )
    }

    /// Opens what stands at a path below the folder.
    ///
    /// Each segment is one name: empty ones, `.`, `..`, hidden files (a leading dot; only
    /// `.well-known` may come first, RFC 8615), and names with a slash or NUL lead nowhere. Links
    /// are followed only as far as the kernel finds that they stay inside (openat2(2),
    /// RESOLVE_BENEATH). What is neither a regular file nor a folder is not waited for.
    ///
    /// - Returns: `nil` when there is no regular file or folder.
    /// - Throws: ``SystemError`` when it cannot be told, such as without descriptors left.
    package func open(_ segments: [String]) throws(SystemError) -> Entry? {
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
        guard let found = try openBeneath(path) else { return nil }
        // The time first: what is stamped with it may be written again unnoticed.
        let now = System.wallTime()
        var status = stat()
        guard fstat(found.rawValue, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file(OpenFile(found, status: status, now: now))
        case S_IFDIR: return .folder
        default: return nil
        }
    }

    private func openBeneath(_ path: String) throws(SystemError) -> Descriptor? {
        for _ in 0..<Folder.attemptLimit {
            let opened = freshet_openBeneath(descriptor.rawValue, path)
            if opened >= 0 { return Descriptor(owning: opened) }
            let code = errno
            switch code {
            // Something was renamed while the kernel was on its way.
            case EAGAIN, EINTR: continue
            // Some sandboxes forbid what they do not know.
            case ENOSYS, EPERM: return try openStepByStep(path)
            default: return try Folder.absence(code, path)
            }
        }
        throw SystemError(call: "open \(path)", code: EAGAIN)
    }

    private static let attemptLimit = 16

    /// Where the kernel is older than openat2: one segment at a time, following no link at all.
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

    /// Tells "there is nothing for you" from "it cannot be told now".
    private static func absence(_ code: CInt, _ path: String) throws(SystemError) -> Descriptor? {
        switch code {
        case ENOENT, ENOTDIR, ELOOP, EXDEV, EACCES, ENAMETOOLONG, ENXIO: return nil
        default: throw SystemError(call: "open \(path)", code: code)
        }
    }
}
