import CLinux
import FeedJournal
import Foundation
import Glibc
import HTTPServer
import Platform

/// Checks of the files and folders that a server reads and writes.
enum FileChecks {
    private static func reason() -> String { SystemError.words() }

    /// Checks a file that holds secrets: other users should not be able to read it, and must not be
    /// able to change it.
    static func secret(_ path: String, _ subject: String) -> Finding {
        guard let status = FileContents.status(path) else {
            return .fail(subject, "\(path): \(reason())", "make it, or name another")
        }
        if status.st_mode & S_IFMT != S_IFREG {
            return .fail(subject, "\(path) is no file", "name a file")
        }
        if status.st_mode & S_IWOTH != 0 {
            return .fail(subject, "every user can change \(path)", "chmod 600 \(path)")
        }
        if status.st_mode & S_IROTH != 0 {
            return .warn(subject, "every user can read \(path)", "chmod 600 \(path)")
        }
        guard access(path, R_OK) == 0 else {
            return .fail(subject, "\(path): \(reason())", "let the server's user read it")
        }
        return .ok(subject, path)
    }

    /// Checks a certificate and its key, which are read as the server reads them.
    static func certificate(_ files: CertificateFiles) -> [Finding] {
        let subject = "certificate"
        let context: TLSContext
        do {
            context = try TLSContext(files)
        } catch {
            return [.fail(subject, "\(error)", "serve does not start with it")]
        }
        let days = context.remainingSeconds / 86_400
        let rest = "good for \(days.counted("day"))"
        let advice = "renew it, and send SIGHUP"
        var findings = context.warnings.map { warning in
            if warning.hasSuffix("read the private key") {
                return Finding.warn(subject, warning, "chmod 600 \(files.key)")
            }
            let isEarly = warning.hasSuffix("not valid yet")
            return .fail(subject, warning, isEarly ? "look at the clock, or wait" : advice)
        }
        if 0...14 ~= days, context.remainingSeconds >= 0 {
            findings.append(.warn(subject, "\(files.certificate) is \(rest)", advice))
        }
        if findings.isEmpty {
            findings = [.ok(subject, "\(files.certificate): \(rest)")]
        }
        return findings
    }

    /// Checks the folder of the web client.
    static func webClient(_ path: String) -> Finding {
        let subject = "web client"
        guard let status = FileContents.status(path + "/index.html") else {
            return .fail(subject, "\(path)/index.html: \(reason())", "name another folder: public")
        }
        if status.st_mode & S_IWOTH != 0 {
            return .fail(subject, "every user can change \(path)/index.html", "chmod o-w")
        }
        return .ok(subject, path)
    }
}

/// Checks of the folder of the feeds.
extension FileChecks {
    /// Checks the folder, the files in it, and the room on its disk.
    static func dataFolder(_ path: String, user: uid_t = geteuid()) -> [Finding] {
        let subject = "data folder"
        guard let status = FileContents.status(path) else {
            guard errno == ENOENT else {
                return [.fail(subject, "\(path): \(reason())", "let the server's user into it")]
            }
            return [newFolder(path)] + space(path)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return [.fail(subject, "\(path) is no folder", "name a folder: data")]
        }
        if status.st_mode & S_IWOTH != 0 {
            return [.fail(subject, "every user can change \(path)", "chmod 700 \(path)")]
        }
        // A volume in Kubernetes belongs to root, and to the group of the server.
        let fault = access(path, R_OK | W_OK | X_OK) == 0 ? nil : errno
        let isShared = user != 0 && status.st_mode & S_IWGRP != 0 && (fault ?? EROFS) == EROFS
        if status.st_uid != user, !isShared {
            let text = "\(path) belongs to the user \(name(status.st_uid))"
            return [.warn(subject, text, "ask as that user: sudo -u, or runuser -u")] + space(path)
        }
        if let fault {
            let remedy = fault == EROFS ? "mount it for writing" : "chmod 700 \(path)"
            return [.fail(subject, "\(path): \(SystemError.words(fault))", remedy)]
        }
        let isPrivate = status.st_mode & S_IXOTH == 0
        return [files(path, user, isPrivate: isPrivate)] + space(path)
    }

    private static func newFolder(_ path: String) -> Finding {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard access(parent, W_OK | X_OK) == 0 else {
            let text = "\(path) is not there, and cannot be made: \(reason())"
            return .fail("data folder", text, "make it, for the server's user")
        }
        return .ok("data folder", "\(path) is not there yet; the server makes it")
    }

    /// Checks the owners and modes of the files, their content, and the file system.
    ///
    /// - Parameter isPrivate: Whether other users cannot enter the folder in the first place.
    private static func files(_ path: String, _ user: uid_t, isPrivate: Bool) -> Finding {
        for name in ["feeds.db", "feeds.db-wal", "lock", "reserve", "sources.json"] {
            let file = "\(path)/\(name)"
            guard let status = FileContents.status(file) else { continue }
            if status.st_uid != user {
                let text = "\(file) belongs to the user \(self.name(status.st_uid))"
                return .fail("data folder", text, "give it to the server's user: chown")
            }
            if !isPrivate, status.st_mode & (S_IROTH | S_IWOTH) != 0 {
                return .warn("data folder", "every user can read \(file)", "chmod 600 \(file)")
            }
        }
        let content = content(path)
        if content.level != .fail, let kind = networkFileSystem(path) {
            let text = "\(path) is on \(kind), where locks and syncs are not safe"
            return .warn("data folder", text, "use a local disk, or a database")
        }
        return content
    }

    /// Returns the finding about the feeds in the folder, unless a server has them open.
    private static func content(_ path: String) -> Finding {
        let subject = "data folder"
        switch DataFolder.condition(of: path) {
        case .sound:
            return .ok(subject, "\(path): its pages are sound; freshet check reads all of it")
        case .empty: return .ok(subject, "\(path) has no feeds yet")
        case .inUse(let process): return .ok(subject, "\(path) is in use (\(process))")
        case .copied:
            let text = "\(path) was copied: readers may have seen later versions than it has"
            return .fail(subject, text, "serve takes it once with --adopt")
        case .doubtful(let words): return .warn(subject, words, nil)
        case .damaged(let words):
            return .fail(subject, words, "restore a backup: freshet restore --replace")
        }
    }

    private static func name(_ user: uid_t) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? String(user)
    }

    /// Returns the kind of a file system that is on another machine (statfs(2)); `nil` for others.
    private static func networkFileSystem(_ path: String) -> String? {
        switch freshet_fileSystem(path) {
        case 0x6969: return "NFS"
        case 0x517B, 0xFF53_4D42, 0xFE53_4D42: return "SMB"
        case 0x6573_5546: return "FUSE"
        case 0x0102_1997: return "9P"
        case 0x00C3_6400: return "Ceph"
        default: return nil
        }
    }

    private static func space(_ path: String) -> [Finding] {
        let isThere = FileContents.status(path) != nil
        let place = isThere ? path : (path as NSString).deletingLastPathComponent
        guard let free = FileContents.freeByteCount(place) else { return [] }
        let used = FileContents.status(path + "/feeds.db").map { Int($0.st_size) } ?? 0
        return [space(free: free, used: used)]
    }

    /// Returns the finding about the room on the disk, in bytes: `free` for the server, and `used`
    /// by the feeds that are kept.
    static func space(free: Int, used: Int) -> Finding {
        let text =
            "\(ByteCountText.rounded(free)) free"
            + (used > 0 ? ", feeds take \(ByteCountText.rounded(used))" : "")
        // The write-ahead log, and the new base of a feed, take room before old rows are freed.
        let needed = used + 20 << 20
        if free < 20 << 20 {
            return .fail("disk", text, "make room: publishes will be refused")
        }
        if free < max(needed, 256 << 20) {
            return .warn("disk", text, "plan twice the size of the feeds, and 20 MiB")
        }
        return .ok("disk", text)
    }
}
